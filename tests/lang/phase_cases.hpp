// SPDX-License-Identifier: Apache-2.0
//
// Expressions of several phases (reduce, broadcast back, map, reduce again) over one set of axes of a rank 3 operand,
// with several outputs from one kernel.
#pragma once

#include "lang/axes_cases.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

inline double logsumexp_reference(const Numbers& v) {
    const double most = max_reference(v);
    double sum = 0;
    for (const double x : v) {
        sum += std::exp(x - most);
    }
    return most + std::log(sum);
}

/// softmax, log_softmax and logsumexp.
template <std::uint32_t Mask, class T, class Target>
void check_softmax(const Target& target, const std::vector<Extent>& shapes, Placement placement, double tolerance) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
        Tensor<Target, T> x_data(random_reals(extent, -6, 9, 5), placement);
        const NdArray x = x_data.read();
        const NdArray logsum = reduce_reference(logsumexp_reference, x, Mask, true);
        Tensor<Target, T> soft_data(extent, placement);
        Tensor<Target, T> log_data(extent);
        Tensor<Target, T> sum_data(logsum.extent);
        const auto v = x_data.template const_view<"x", 3>();
        const auto shifted = v - max(v, axes_of<Mask>, keepdims);
        const auto total = sum(exp(shifted), axes_of<Mask>, keepdims);
        target.eval(soft_data.template view<"soft", 3>() = exp(shifted) / total,
                    log_data.template view<"log", 3>() = shifted - log(total),
                    sum_data.template view<"sum", 3>() = logsumexp(v, axes_of<Mask>, keepdims));
        const NdArray logs = map_reference([](double a, double b) { return a - b; }, x, logsum);
        check_close(soft_data.read(), map_reference([](double a) { return std::exp(a); }, logs), tolerance * 10);
        check_close(log_data.read(), logs, tolerance, tolerance * 10);
        check_close(sum_data.read(), logsum, tolerance, tolerance);
        CHECK(soft_data.gaps_intact());
    }
}

/// Layer norm with the mean and the reciprocal deviation as outputs, and the unbiased variance.
template <std::uint32_t Mask, class T, class Target>
void check_layer_norm(const Target& target, const std::vector<Extent>& shapes, Placement placement, double tolerance) {
    constexpr double epsilon = 1e-3;
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
        Tensor<Target, T> x_data(random_reals(extent, -1, 3, 6), placement);
        Tensor<Target, T> gamma_data(random_reals({extent[2]}, 0.5, 2, 7));
        Tensor<Target, T> beta_data(random_reals(extent, -1, 1, 8));
        const NdArray x = x_data.read();
        const NdArray means = reduce_reference(mean_reference, x, Mask, true);
        const NdArray vars = reduce_reference(variance_reference, x, Mask, true);
        const NdArray rates = map_reference([](double v) { return 1 / std::sqrt(v + epsilon); }, vars);
        const auto formula = [](double a, double mu, double rate, double g, double b) {
            return (a - mu) * rate * g + b;
        };
        const NdArray expected = map_reference(formula, x, means, rates, gamma_data.read(), beta_data.read());

        Tensor<Target, T> y_data(extent, placement);
        Tensor<Target, T> mean_data(means.extent);
        Tensor<Target, T> rate_data(means.extent);
        Tensor<Target, T> var_data(means.extent);
        const auto v = x_data.template const_view<"x", 3>();
        const auto mu = mean(v, axes_of<Mask>, keepdims);
        const auto rate =
            rsqrt(mean(square(v - mu), axes_of<Mask>, keepdims) + scalar<"epsilon">(static_cast<T>(epsilon)));
        target.eval(y_data.template view<"y", 3>() =
                        (v - mu) * rate * gamma_data.template view<"gamma", 1>() + beta_data.template view<"beta", 3>(),
                    mean_data.template view<"mean", 3>() = mu, rate_data.template view<"rate", 3>() = rate,
                    var_data.template view<"var", 3>() = var<0>(v, keepdims, axes_of<Mask>));
        check_close(y_data.read(), expected, tolerance * 10, tolerance * 10);
        check_close(mean_data.read(), means, tolerance, tolerance);
        check_close(rate_data.read(), rates, tolerance * 10);
        check_close(var_data.read(), vars, tolerance * 10, tolerance);
        CHECK(y_data.gaps_intact());
    }
}

/// Lengths that reach every row kernel: vectors, items, registers of one thread to those of a block, and beyond.
inline std::vector<Extent> row_shapes() {
    std::vector<Extent> shapes;
    for (const index_t n : {1, 3, 4, 7, 12, 33, 40, 64, 131, 128, 200, 512, 1001, 1024, 2500, 8195, 16388}) {
        shapes.push_back({n > 5000 ? 1 : 2, n > 500 ? 1 : 3, n});
    }
    return shapes;
}
/// Short columns, held in registers, and long ones; full and ragged tiles.
inline std::vector<Extent> middle_shapes() {
    return {{2, 1, 3},     {2, 5, 4},    {3, 30, 37},  {1, 200, 8},  {2, 530, 5}, {1, 300, 33},
            {1, 1100, 33}, {2, 70, 100}, {1, 1030, 8}, {1, 2100, 8}, {1, 2700, 8}};
}
inline std::vector<Extent> full_shapes() {
    return {{1, 1, 1}, {2, 3, 5}, {4, 4, 16}, {3, 5, 70}, {2, 40, 33}, {1, 9, 400}, {1, 9, 1900}};
}

}  // namespace fuse::testing
