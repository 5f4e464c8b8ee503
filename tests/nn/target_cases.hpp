// SPDX-License-Identifier: Apache-2.0
//
// Every norm and loss once by its own name through a target, against loops in double: what the other files of this
// folder look into on the host is the same kernel on the emulated device and on a GPU.
#pragma once

#include "lang/phase_cases.hpp"

namespace fuse::testing {

/// An element, a vector and its rest, a warp, blocks of several warps, rows that are read in several sweeps.
inline const std::vector<Extent> nn_extents{{1, 1}, {5, 7}, {17, 64}, {3, 1000}, {2, 5001}};

template <class Target>
void check_norms(const Target& target) {
    constexpr std::uint32_t rows = 0b10;
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        Tensor<Target, float> x_data(random_reals(extent, -4, 4, 31));
        Tensor<Target, float> z_data(random_reals(extent, -4, 4, 32));
        Tensor<Target, float> gamma_data(random_reals({extent[1]}, 0.5, 2, 33));
        Tensor<Target, float> beta_data(random_reals({extent[1]}, -1, 1, 34));
        Tensor<Target, float> soft(extent);
        Tensor<Target, float> log_soft(extent);
        Tensor<Target, float> layer(extent);
        Tensor<Target, float> rms(extent);
        Tensor<Target, float> l2(extent);
        Tensor<Target, float> similarity(Extent{extent[0]});
        const auto x = x_data.template const_view<"x", 2>();
        const auto z = z_data.template const_view<"z", 2>();
        const auto gamma = gamma_data.template const_view<"gamma", 1>();
        const auto beta = beta_data.template const_view<"beta", 1>();
        target.eval(soft.template view<"soft", 2>() = softmax(x), log_soft.template view<"log", 2>() = log_softmax(x));
        target.eval(layer.template view<"layer", 2>() = layer_norm(x, gamma, beta, 0.25));
        target.eval(rms.template view<"rms", 2>() = rms_norm(x, gamma), l2.template view<"l2", 2>() = l2_normalize(x),
                    similarity.template view<"s", 1>() = cosine_similarity(x, z));

        const NdArray u = x_data.read();
        const NdArray v = z_data.read();
        const NdArray logsum = reduce_reference(logsumexp_reference, u, rows, true);
        check_close(soft.read(), map_reference([](double e, double l) { return std::exp(e - l); }, u, logsum), 2e-6);
        check_close(log_soft.read(), map_reference([](double e, double l) { return e - l; }, u, logsum), 2e-6, 2e-6);
        const NdArray mean = reduce_reference(mean_reference, u, rows, true);
        const NdArray variance = reduce_reference(variance_reference, u, rows, true);
        const auto normal = [](double e, double m, double s, double g, double b) {
            return (e - m) / std::sqrt(s + 0.25) * g + b;
        };
        check_close(layer.read(), map_reference(normal, u, mean, variance, gamma_data.read(), beta_data.read()), 4e-6,
                    4e-6);
        const auto square = [](double e) { return e * e; };
        const NdArray squares = map_reference(square, u);
        const NdArray mean_square = reduce_reference(mean_reference, squares, rows, true);
        check_close(rms.read(),
                    map_reference([](double e, double s, double g) { return e / std::sqrt(s) * g; }, u, mean_square,
                                  gamma_data.read()),
                    4e-6);
        const NdArray sum_square = reduce_reference(sum_reference, squares, rows);
        check_close(l2.read(),
                    map_reference([](double e, double s) { return e / std::sqrt(s); }, u,
                                  reduce_reference(sum_reference, squares, rows, true)),
                    4e-6);
        const NdArray dot =
            reduce_reference(sum_reference, map_reference([](double a, double b) { return a * b; }, u, v), rows);
        check_close(similarity.read(),
                    map_reference([](double d, double a, double b) { return d / std::sqrt(a * b); }, dot, sum_square,
                                  reduce_reference(sum_reference, map_reference(square, v), rows)),
                    4e-6, 4e-6);
    }
}

template <class Target>
void check_losses(const Target& target) {
    for (const Extent& extent : nn_extents) {
        INFO("shape " << to_text(extent));
        Tensor<Target, float> x_data(random_reals(extent, -4, 4, 35));
        Tensor<Target, float> t_data(random_reals(extent, 0, 1, 36));
        Tensor<Target, std::int32_t> class_data(random_integers({extent[0]}, 0, static_cast<int>(extent[1]) - 1, 37));
        Tensor<Target, float> mse{Extent{}};
        Tensor<Target, float> l1{Extent{}};
        Tensor<Target, float> huber{Extent{}};
        Tensor<Target, float> bce{Extent{}};
        Tensor<Target, float> kl{Extent{}};
        Tensor<Target, float> each(Extent{extent[0]});
        Tensor<Target, float> entropy{Extent{}};
        const auto x = x_data.template const_view<"x", 2>();
        const auto t = t_data.template const_view<"t", 2>();
        const auto c = class_data.template const_view<"c", 1>();
        target.eval(mse.template view<"mse", 0>() = mse_loss(x, t), l1.template view<"l1", 0>() = l1_loss(x, t),
                    huber.template view<"huber", 0>() = huber_loss(x, t, 0.5),
                    bce.template view<"bce", 0>() = bce_with_logits_loss(x, t),
                    kl.template view<"kl", 0>() = kl_div(x, t, reduction::batchmean));
        target.eval(each.template view<"each", 1>() = cross_entropy(x, c, reduction::none),
                    entropy.template view<"entropy", 0>() = cross_entropy(x, c));

        const NdArray u = x_data.read();
        const NdArray v = t_data.read();
        const auto mean_of = [&](auto loss) { return mean_reference(map_reference(loss, u, v).value); };
        const auto check = [](Tensor<Target, float>& got, double expected) {
            check_close(got.read(), NdArray(Extent{}, expected), 4e-6, 4e-6);
        };
        check(mse, mean_of([](double a, double b) { return (a - b) * (a - b); }));
        check(l1, mean_of([](double a, double b) { return std::fabs(a - b); }));
        check(huber, mean_of([](double a, double b) {
                  const double d = std::fabs(a - b);
                  return d <= 0.5 ? d * d / 2 : 0.5 * (d - 0.25);
              }));
        check(bce, mean_of([](double a, double b) { return (1 - b) * a + std::log1p(std::exp(-a)); }));
        check(kl, mean_of([](double a, double b) { return b == 0 ? 0 : b * (std::log(b) - a); }) *
                      static_cast<double>(extent[1]));
        const NdArray logsum = reduce_reference(logsumexp_reference, u, 0b10);
        NdArray losses(Extent{extent[0]});
        for (index_t r = 0; r < extent[0]; ++r) {
            losses({r}) = logsum({r}) - u({r, static_cast<index_t>(class_data.read()({r}))});
        }
        check_close(each.read(), losses, 4e-6, 4e-6);
        check(entropy, mean_reference(losses.value));
    }
}

}  // namespace fuse::testing
