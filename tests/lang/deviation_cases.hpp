// SPDX-License-Identifier: Apache-2.0
//
// Variances that are folded together with their means: numbers far from zero, numbers that are all the same, parts whose
// first element is like no other, and elements that are no numbers. All but rows on chip, which take two phases.
#pragma once

#include "lang/axes_cases.hpp"
#include "lang/special_cases.hpp"

namespace fuse::testing {

inline constexpr index_t deviation_kinds = 14;

/// Element i of n of one kind; noise: of a random number in (-2, 2).
inline double deviating(index_t kind, index_t i, index_t n, double noise) {
    const double values[] = {
        noise,
        1e4 + noise,
        1e6 + noise,
        1e8 + 8 * noise,
        -1e7 + 100 * noise,
        0.1,
        12345.678,
        i < n / 3 ? 0 : 1e4 + noise,  // padded
        i == 0 ? 1e8 : noise,
        i == n - 1 ? -1e6 : 1 + noise,
        i == n / 2 ? inf_v : noise,
        i == 0 ? -inf_v : 1e4 + noise,
        i == n - 1 ? nan_v : noise,
        i % 2 == 0 ? inf_v : -inf_v,
    };
    return values[kind];
}

/// In double, and 0 of numbers that are the same.
inline double deviation_reference(const Numbers& v) {
    double sum = 0;
    double squares = 0;
    for (const double x : v) {
        sum += x - v.front();
    }
    const double mean = sum / static_cast<double>(v.size());
    for (const double x : v) {
        squares += (x - v.front() - mean) * (x - v.front() - mean);
    }
    return squares / static_cast<double>(v.size());
}

/// n numbers of each kind; the kinds lie along one axis of a rank 3 operand, or are as many operands, and Mask folds all
/// other axes.
template <std::uint32_t Mask, class T, class Target>
void check_deviations(const Target& target, const Extent& extent, double tolerance, index_t only = -1) {
    constexpr int kept = 3 - count_axes(Mask);
    const int kinds_axis = (Mask & 1U) == 0 ? 0 : (Mask & 2U) == 0 ? 1 : 2;
    const index_t kinds = only < 0 ? deviation_kinds : 1;
    const index_t n = size_of(extent) / kinds;
    INFO("deviations over axes " << Mask << " of " << to_text(extent) << ", kind " << only);
    NdArray x = random_reals(extent, -2, 2, 21);
    std::vector<index_t> next(deviation_kinds);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        const index_t kind = only < 0 ? at[static_cast<std::size_t>(kinds_axis)] : only;
        x(at) = deviating(kind, next[static_cast<std::size_t>(kind)]++, n, x(at));
    });
    Tensor<Target, T> x_data(x);
    const NdArray stored = x_data.read();
    const NdArray means = reduce_reference(mean_reference, stored, Mask);
    const NdArray vars = reduce_reference(deviation_reference, stored, Mask);
    using F = fuse::compute_t<T>;
    Tensor<Target, F> mean_data(means.extent);
    Tensor<Target, F> var_data(vars.extent);
    Tensor<Target, F> unbiased_data(vars.extent);
    const auto v = x_data.template const_view<"x", 3>();
    target.eval(mean_data.template view<"mean", kept>() = mean(v, axes_of<Mask>),
                var_data.template view<"var", kept>() = var(v, axes_of<Mask>),
                unbiased_data.template view<"unbiased", kept>() = var<1>(v, axes_of<Mask>));
    check_close(mean_data.read(), means, 1e-6, 1e-6);
    check_close(var_data.read(), vars, tolerance);
    const double unbiased = n > 1 ? static_cast<double>(n) / static_cast<double>(n - 1) : nan_v;
    check_close(unbiased_data.read(), map_reference([=](double s) { return s * unbiased; }, vars), tolerance);
}

/// Over columns, over everything and over separated axes.
template <class T, class Target>
void check_all_deviations(const Target& target, const std::vector<index_t>& lengths, double tolerance) {
    for (const index_t n : lengths) {
        check_deviations<0b011, T>(target, {1, n, deviation_kinds}, tolerance);
        check_deviations<0b101, T>(target, {2, deviation_kinds, n}, tolerance);
        for (index_t kind = 0; kind < deviation_kinds; ++kind) {
            check_deviations<0b111, T>(target, {1, 1, n}, tolerance, kind);
        }
    }
}

}  // namespace fuse::testing
