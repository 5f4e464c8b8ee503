// SPDX-License-Identifier: Apache-2.0
//
// Few long rows, each in the registers of a cluster of blocks: of one phase and of several, with what is the same for all rows
// beside them, of several operands and results, in types of several widths, along one axis and along two; and rows of groups.
#pragma once

#include "lang/column_cases.hpp"
#include "lang/few_row_cases.hpp"
#include "lang/phase_cases.hpp"

namespace fuse::testing {

/// Sums, extrema, the first places of them, and a spread, whose accumulator is larger. Whole numbers, so that all is exact.
template <class T, class Target>
void check_clustered_folds(const Target& target, const Extent& extent, Placement placement) {
    INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
    const NdArray x = random_integers(extent, -100, 100, 61);
    const NdArray least =
        map_reference(std::negate<>{}, reduce_reference(max_reference, map_reference(std::negate<>{}, x), 0b10));
    Tensor<Target, T> x_data(x, placement);
    Tensor<Target, float> sum_data(least.extent);
    Tensor<Target, T> least_data(least.extent);
    Tensor<Target, std::int64_t> where_data(least.extent);
    Tensor<Target, float> spread_data(least.extent);
    const auto v = x_data.template const_view<"x", 2>();
    target.eval(sum_data.template view<"s", 1>() = sum(cast<float>(v), axes<1>));
    target.eval(least_data.template view<"l", 1>() = min(v, axes<1>));
    target.eval(where_data.template view<"w", 1>() = argmax(v, axes<1>));
    target.eval(spread_data.template view<"p", 1>() = reduce(Spread{}, cast<float>(v), axes<1>));
    check_equal(sum_data.read(), reduce_reference(sum_reference, x, 0b10));
    check_equal(least_data.read(), least);
    check_equal(where_data.read(), reduce_reference(argmax_reference, x, 0b10));
    check_close(spread_data.read(), reduce_reference(spread_reference, x, 0b10), 1e-5, 1e-5);
}

/// What inference does with few tokens: a residual and its RMSNorm with a scale, and a row in 8 bits beside its scale.
template <class T, class Target>
void check_clustered_tokens(const Target& target, const Extent& extent, Placement placement, double tolerance) {
    INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
    Tensor<Target, T> x_data(random_reals(extent, -2, 3, 62), placement);
    Tensor<Target, T> r_data(random_reals(extent, -1, 1, 63), placement);
    Tensor<Target, T> w_data(random_reals({extent[1]}, 0, 2, 64));
    Tensor<Target, double> sum_data(extent, placement);
    Tensor<Target, T> y_data(extent, placement);
    Tensor<Target, std::int8_t> code_data(extent);
    Tensor<Target, float> scale_data({extent[0]});
    const NdArray x = x_data.read();
    const NdArray h = map_reference(std::plus<>{}, x, r_data.read());
    const NdArray w = w_data.read();
    const NdArray mean = reduce_reference(mean_reference, map_reference([](double a) { return a * a; }, h), 0b10, true);
    NdArray expected(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        expected(at) = h(at) / std::sqrt(mean({at[0], 0}) + 1e-6) * w({at[1]});
    });
    const auto residual = named<"h">(cast<double>(x_data.template const_view<"x", 2>()) +
                                     cast<double>(r_data.template const_view<"r", 2>()));
    target.eval(sum_data.template view<"sum", 2>() = residual,
                y_data.template view<"y", 2>() = rms_norm(residual, w_data.template const_view<"w", 1>(), 1e-6));
    check_equal(sum_data.read(), h);
    check_close(y_data.read(), expected, tolerance, tolerance);
    CHECK(sum_data.gaps_intact());
    CHECK(y_data.gaps_intact());

    const auto v = cast<double>(x_data.template const_view<"x", 2>());
    const auto most = max(abs(v), axes<1>, keepdims);
    target.eval(scale_data.template view<"most", 1>() = max(abs(v), axes<1>),
                code_data.template view<"code", 2>() = round(v / most * 127.0));
    const NdArray largest =
        reduce_reference(max_reference, map_reference([](double a) { return std::abs(a); }, x), 0b10, true);
    check_equal(code_data.read(),
                map_reference([](double a, double m) { return std::nearbyint(a / m * 127.0); }, x, largest));
    const NdArray scales = scale_data.read();
    for (index_t i = 0; i < extent[0]; ++i) {
        CHECK(scales({i}) == static_cast<double>(static_cast<float>(largest({i, 0}))));
    }
}

/// NaN, infinities, and rows of nothing but these.
template <class Target>
void check_clustered_specials(const Target& target, index_t n) {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    NdArray x({4, n});
    std::fill(x.value.begin(), x.value.end(), 1.0);
    x({0, n - 3}) = infinity;
    x({1, 1}) = nan;
    for (index_t k = 0; k < n; ++k) {
        x({2, k}) = -infinity;
        x({3, k}) = k == n / 2 ? 0.0 : -infinity;
    }
    Tensor<Target, float> x_data(x);
    Tensor<Target, float> y_data(x.extent);
    Tensor<Target, float> most_data({4});
    const auto v = x_data.template const_view<"x", 2>();
    target.eval(y_data.template view<"y", 2>() = softmax(v), most_data.template view<"m", 1>() = max(v, axes<1>));
    const NdArray y = y_data.read();
    const NdArray most = most_data.read();
    CHECK(most({0}) == static_cast<double>(infinity));
    CHECK(std::isnan(most({1})));
    CHECK(most({2}) == static_cast<double>(-infinity));
    CHECK(most({3}) == 0);
    for (index_t k = 0; k < n; ++k) {
        for (index_t i = 0; i < 3; ++i) {
            CHECK(std::isnan(y({i, k})));  // inf - inf, as of NumPy
        }
        CHECK(y({3, k}) == (k == n / 2 ? 1 : 0));
    }
}

template <class Target>
void check_clustered_rows(const Target& target, const Extent& extent) {
    const index_t rows = extent[0];
    const index_t n = extent[1];
    for (const Placement placement : {Placement::row_major, Placement::padded, Placement::misaligned}) {
        check_clustered_folds<float>(target, extent, placement);
        check_clustered_tokens<float>(target, extent, placement, 2e-6);
        check_softmax<0b100, float>(target, {{1, rows, n}}, placement, 1e-5);
        check_layer_norm<0b100, double>(target, {{1, rows, n}}, placement, 1e-12);
    }
    check_clustered_folds<bfloat16>(target, extent, Placement::row_major);
    check_clustered_folds<std::int8_t>(target, extent, Placement::row_major);
    check_clustered_folds<double>(target, extent, Placement::row_major);
    check_clustered_tokens<bfloat16>(target, extent, Placement::row_major, 1e-2);
    check_softmax<0b110, float>(target, {{rows, 2, n / 2}}, Placement::padded, 1e-5);
    check_softmax_of_sum<float>(target, {1, rows, n}, Placement::row_major, 1e-5);
}

}  // namespace fuse::testing
