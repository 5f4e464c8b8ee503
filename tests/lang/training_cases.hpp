// SPDX-License-Identifier: Apache-2.0
//
// Steps of training in place: all parameters of one loss, and their momenta, written by the eval that reads them in several
// steps. The gradients of the references are written out, in double.
#pragma once

#include "fuse/gradient.hpp"
#include "fuse/nn.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

inline NdArray sum_of(const NdArray& x, std::uint32_t axes, bool keep = false) {
    return reduce_reference(sum_reference, x, axes, keep);
}
inline NdArray product_of(const NdArray& a, const NdArray& b) {
    return map_reference(std::multiplies<>{}, a, b);
}
/// a + k * b
inline NdArray moved_by(const NdArray& a, double k, const NdArray& b) {
    return map_reference([k](double p, double q) { return p + k * q; }, a, b);
}

/// Gradient descent with momentum, after a first step.
class MomentumReference {
public:
    explicit MomentumReference(NdArray parameter) : parameter_(std::move(parameter)), momentum_(parameter_.extent) {}

    const NdArray& operator()() const { return parameter_; }
    const NdArray& momentum() const { return momentum_; }
    void step(const NdArray& gradient) {
        momentum_ = map_reference([](double m, double g) { return 0.9 * m + g; }, momentum_, gradient);
        parameter_ = moved_by(parameter_, -0.1, momentum_);
    }

private:
    NdArray parameter_;
    NdArray momentum_;
};

/// Linear regression: weights, which are folded as columns of the samples, and a bias, which all of them share; or, logistic,
/// the same of the logarithm of the odds.
template <class Target, class T, bool Logistic>
void check_training_of_regression(const Target& target, index_t samples, index_t features) {
    INFO("samples " << samples << ", features " << features << ", logistic " << Logistic);
    constexpr double close = std::is_same_v<T, double> ? 1e-12 : 1e-5;
    Tensor<Target, T> x_data(random_reals({samples, features}, -1, 1, 51));
    Tensor<Target, T> t_data(random_integers({samples}, 0, 1, 52));
    Tensor<Target, T> w_data(random_reals({features}, -1, 1, 53));
    Tensor<Target, T> b_data(random_reals({}, -1, 1, 54));
    Tensor<Target, T> wm_data(NdArray(Extent{features}));
    Tensor<Target, T> bm_data(NdArray(Extent{}));
    Tensor<Target, T> loss_data{Extent{}};
    const NdArray x = x_data.read();
    const NdArray t = t_data.read();
    MomentumReference weights(w_data.read());
    MomentumReference bias(b_data.read());

    const auto w = w_data.template view<"w", 1>();
    const auto b = b_data.template view<"b", 0>();
    const auto wm = wm_data.template view<"wm", 1>();
    const auto bm = bm_data.template view<"bm", 0>();
    const auto l = loss_data.template view<"l", 0>();
    const auto wanted = t_data.template const_view<"t", 1>();
    const auto score = sum(x_data.template const_view<"x", 2>() * w, axes<1>) + b;
    const auto train = [&](const auto& loss, index_t step) {
        const SgdOptions options{.lr = 0.1, .momentum = 0.9};
        const auto [next_w, next_wm] = sgd(w, gradient(loss, w), wm, step, options);
        const auto [next_b, next_bm] = sgd(b, gradient(loss, b), bm, step, options);
        target.eval(l = loss, w = next_w, b = next_b, wm = next_wm, bm = next_bm);
    };
    for (index_t step = 1; step <= 3; ++step) {
        NdArray scores = sum_of(product_of(x, weights()), 0b10);
        scores = moved_by(scores, 1, bias());
        const double n = static_cast<double>(samples);
        NdArray losses;
        NdArray slopes;
        if constexpr (Logistic) {
            train(binary_cross_entropy_with_logits(score, wanted), step);
            losses = map_reference([](double s, double y) { return std::log1p(std::exp(s)) - s * y; }, scores, t);
            slopes = map_reference([n](double s, double y) { return (1 / (1 + std::exp(-s)) - y) / n; }, scores, t);
        } else {
            train(mean(square(score - wanted)), step);
            losses = map_reference([](double s, double y) { return (s - y) * (s - y); }, scores, t);
            slopes = map_reference([n](double s, double y) { return 2 * (s - y) / n; }, scores, t);
        }
        NdArray per_sample = slopes;
        per_sample.extent = {samples, 1};
        weights.step(sum_of(product_of(x, per_sample), 0b01));
        bias.step(sum_of(slopes, 0b1));
        check_close(loss_data.read(), reduce_reference(mean_reference, losses, 0b1), close);
        check_close(w_data.read(), weights(), close, close);
        check_close(b_data.read(), bias(), close, close);
        check_close(wm_data.read(), weights.momentum(), close, close);
        check_close(bm_data.read(), bias.momentum(), close, close);
    }
}

/// What is read by rows, by columns and as a whole: an array, a factor per column, a shift per row and one of all.
template <class Target, class T>
void check_training_of_everything(const Target& target, index_t rows, index_t columns) {
    INFO("rows " << rows << ", columns " << columns);
    constexpr double close = std::is_same_v<T, double> ? 1e-12 : 2e-5;
    Tensor<Target, T> x_data(random_reals({rows, columns}, -1, 1, 55));
    Tensor<Target, T> w_data(random_reals({columns}, -1, 1, 56));
    Tensor<Target, T> r_data(random_reals({rows}, -1, 1, 57));
    Tensor<Target, T> rm_data(NdArray(Extent{rows}));
    Tensor<Target, T> b_data(random_reals({}, -1, 1, 58));
    const NdArray x = x_data.read();
    const NdArray w = w_data.read();
    const NdArray b = b_data.read();
    MomentumReference shifts(r_data.read());

    const auto vx = x_data.template view<"x", 2>();
    const auto vw = w_data.template view<"w", 1>();
    const auto vr = r_data.template view<"r", 1>();
    const auto vrm = rm_data.template view<"rm", 1>();
    const auto vb = b_data.template view<"b", 0>();
    const auto loss = sum(square(vx * vw + expand_dims<1>(vr) + vb)) / 2;
    const auto [next_r, next_rm] = sgd(vr, gradient(loss, vr), vrm, 1, {.lr = 0.1, .momentum = 0.9});
    target.eval(vx = vx - T(0.1) * gradient(loss, vx), vw = vw - T(0.1) * gradient(loss, vw), vr = next_r,
                vrm = next_rm, vb = vb - T(0.1) * gradient(loss, vb));

    NdArray per_row = shifts();
    per_row.extent = {rows, 1};
    const NdArray y =
        map_reference([](double p, double q, double s, double c) { return p * q + s + c; }, x, w, per_row, b);
    const NdArray column_slopes = sum_of(product_of(x, y), 0b01);
    shifts.step(sum_of(y, 0b10));
    check_close(x_data.read(), moved_by(x, -0.1, product_of(y, w)), close, close);
    check_close(w_data.read(), moved_by(w, -0.1, column_slopes), close, close * static_cast<double>(rows));
    check_close(r_data.read(), shifts(), close, close * static_cast<double>(columns));
    check_close(rm_data.read(), shifts.momentum(), close, close * static_cast<double>(columns));
    check_close(b_data.read(), moved_by(b, -0.1, sum_of(y, 0b11)), close, close * static_cast<double>(rows * columns));
}

/// Scale and shift of a layer norm, by AdamW with its moments.
template <class Target, class T>
void check_training_of_layer_norm(const Target& target, index_t rows, index_t columns) {
    INFO("rows " << rows << ", columns " << columns);
    constexpr double close = std::is_same_v<T, double> ? 1e-10 : 1e-4;
    Tensor<Target, T> x_data(random_reals({rows, columns}, -1, 1, 61));
    Tensor<Target, T> t_data(random_reals({rows, columns}, -1, 1, 62));
    Tensor<Target, T> gamma_data(random_reals({columns}, 0.5, 1.5, 63));
    Tensor<Target, T> beta_data(random_reals({columns}, -1, 1, 64));
    Tensor<Target, T> moment_data[] = {
        Tensor<Target, T>(NdArray(Extent{columns})), Tensor<Target, T>(NdArray(Extent{columns})),
        Tensor<Target, T>(NdArray(Extent{columns})), Tensor<Target, T>(NdArray(Extent{columns}))};
    const NdArray x = x_data.read();
    const NdArray t = t_data.read();
    const NdArray gamma = gamma_data.read();
    const NdArray beta = beta_data.read();

    const auto g = gamma_data.template view<"gamma", 1>();
    const auto b = beta_data.template view<"beta", 1>();
    const auto gm = moment_data[0].template view<"gm", 1>();
    const auto gv = moment_data[1].template view<"gv", 1>();
    const auto bm = moment_data[2].template view<"bm", 1>();
    const auto bv = moment_data[3].template view<"bv", 1>();
    const auto loss = mse_loss(layer_norm(x_data.template const_view<"x", 2>(), g, b),
                               t_data.template const_view<"t", 2>(), reduction::sum);
    const AdamWOptions options{.lr = 0.1, .weight_decay = 0.5};
    const auto [next_g, next_gm, next_gv] = adamw(g, gradient(loss, g), gm, gv, 1, options);
    const auto [next_b, next_bm, next_bv] = adamw(b, gradient(loss, b), bm, bv, 1, options);
    target.eval(g = next_g, gm = next_gm, gv = next_gv, b = next_b, bm = next_bm, bv = next_bv);

    const NdArray means = reduce_reference(mean_reference, x, 0b10, true);
    const NdArray variances = reduce_reference(variance_reference, x, 0b10, true);
    const NdArray normal =
        map_reference([](double v, double m, double s) { return (v - m) / std::sqrt(s + 1e-5); }, x, means, variances);
    const NdArray slopes = map_reference([](double n, double k, double c, double y) { return 2 * (n * k + c - y); },
                                         normal, gamma, beta, t);
    const NdArray dg = sum_of(product_of(slopes, normal), 0b01);
    const NdArray db = sum_of(slopes, 0b01);
    // In the first step the moments are the gradient and its square.
    const auto next = [](double p, double d) { return p * (1 - 0.1 * 0.5) - 0.1 * d / (std::fabs(d) + 1e-8); };
    check_close(gamma_data.read(), map_reference(next, gamma, dg), close, close);
    check_close(beta_data.read(), map_reference(next, beta, db), close, close);
    const double sums = close * static_cast<double>(rows);
    check_close(moment_data[0].read(), map_reference([](double d) { return 0.1 * d; }, dg), close, sums);
    check_close(moment_data[2].read(), map_reference([](double d) { return 0.1 * d; }, db), close, sums);
    check_close(moment_data[1].read(), map_reference([](double d) { return 0.001 * d * d; }, dg), 1e3 * close, sums);
    check_close(moment_data[3].read(), map_reference([](double d) { return 0.001 * d * d; }, db), 1e3 * close, sums);
}

}  // namespace fuse::testing
