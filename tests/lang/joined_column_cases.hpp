// SPDX-License-Identifier: Apache-2.0
//
// Columns of few elements a row whose rows lie one behind the other, which are read in lines of several rows: of any number, with
// operands and results along them, in types of several widths and in arrays of them; and those whose rows lie otherwise.
#pragma once

#include <fuse/nn.hpp>

#include "lang/column_cases.hpp"
#include "lang/phase_cases.hpp"

namespace fuse::testing {

/// x (a, n, c) with offset (a, 1, c), and coordinates along the columns: sums, places, extrema. Whole numbers, so that all is
/// exact.
template <class T, class Target>
void check_joined_folds(const Target& target, const Extent& extent, Placement placement) {
    INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
    const NdArray x = random_integers(extent, -4, 4, 51);
    const NdArray offset = random_integers({extent[0], 1, extent[2]}, -3, 3, 52);
    NdArray terms(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        terms(at) = (x(at) + offset({at[0], 0, at[2]})) * static_cast<double>(at[2] + 1);
    });
    const NdArray sums = reduce_reference(sum_reference, terms, 0b010);
    Tensor<Target, T> x_data(x, placement);
    Tensor<Target, T> offset_data(offset);
    Tensor<Target, float> sum_data(sums.extent, placement);
    Tensor<Target, std::int64_t> where_data(sums.extent);
    Tensor<Target, T> most_data(sums.extent);
    Tensor<Target, float> spread_data(sums.extent);
    const auto v = x_data.template const_view<"x", 3>();
    target.eval(sum_data.template view<"sum", 2>() =
                    sum((v + offset_data.template const_view<"offset", 3>()) * cast<float>(index<2>() + 1), axes<1>),
                where_data.template view<"where", 2>() = argmax(v, axes<1>),
                most_data.template view<"most", 2>() = max(v, axes<1>));
    target.eval(spread_data.template view<"spread", 2>() = reduce(Spread{}, cast<float>(v), axes<1>));
    check_equal(sum_data.read(), sums);
    check_equal(where_data.read(), reduce_reference(argmax_reference, x, 0b010));
    check_equal(most_data.read(), reduce_reference(max_reference, x, 0b010));
    check_close(spread_data.read(), reduce_reference(spread_reference, x, 0b010), 1e-5, 1e-5);
    CHECK(sum_data.gaps_intact());
}

/// Columns that are brought to one scale, with their statistics, and a softmax of each.
template <class T, class Y, class Target>
void check_joined_scaling(const Target& target, const Extent& extent, Placement placement, double tolerance) {
    INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
    Tensor<Target, T> x_data(random_reals(extent, -1, 3, 53), placement);
    const NdArray x = x_data.read();
    const NdArray means = reduce_reference(mean_reference, x, 0b010, true);
    const NdArray vars = reduce_reference(variance_reference, x, 0b010, true);
    const NdArray most = reduce_reference(max_reference, x, 0b010, true);
    const NdArray least =
        map_reference(std::negate<>{}, reduce_reference(max_reference, map_reference(std::negate<>{}, x), 0b010, true));
    Tensor<Target, Y> y_data(extent, placement);
    Tensor<Target, float> mean_data(means.extent);
    const auto v = x_data.template const_view<"x", 3>();
    const auto y = y_data.template view<"y", 3>();
    target.eval(y = (v - mean(v, axes<1>, keepdims)) * rsqrt(var(v, axes<1>, keepdims) + 1e-3),
                mean_data.template view<"m", 3>() = mean(v, axes<1>, keepdims));
    check_close(mean_data.read(), means, 1e-5, 1e-5);
    check_close(
        y_data.read(),
        map_reference([](double a, double mu, double s) { return (a - mu) / std::sqrt(s + 1e-3); }, x, means, vars),
        tolerance, tolerance);
    CHECK(y_data.gaps_intact());
    target.eval(mean_data.template view<"l", 3>() = logsumexp(v, axes<1>, keepdims));
    check_close(mean_data.read(), reduce_reference(logsumexp_reference, x, 0b010, true), 1e-5, 1e-5);
    target.eval(y = minmax_scale(v, axes<1>));
    check_close(
        y_data.read(),
        map_reference([](double a, double low, double high) { return high > low ? (a - low) / (high - low) : 0; }, x,
                      least, most),
        tolerance, tolerance);
    CHECK(y_data.gaps_intact());
}

/// (a, n, b) where n lies along memory: sums, and each column less its mean, of rows that no vector may divide, a gap between
/// those of two indices along a.
template <class Target>
void check_along_memory(const Target& target, const Extent& extent, index_t gap) {
    INFO("shape " << to_text(extent) << ", gap " << gap);
    const index_t n = extent[1];
    const index_t pitch = extent[2] * n + gap;
    const Shape shape{3, {extent[0], n, extent[2]}};
    const Shape strides{3, {pitch, 1, n}};
    const NdArray x = random_integers(extent, -9, 9, 54);
    const NdArray sums = reduce_reference(sum_reference, x, 0b010, true);
    typename Target::template Array<float> x_data(static_cast<std::size_t>(extent[0] * pitch));
    typename Target::template Array<float> y_data(static_cast<std::size_t>(extent[0] * pitch));
    std::fill_n(x_data.data(), x_data.size(), 1000.0F);
    std::fill_n(y_data.data(), y_data.size(), -5.0F);
    const auto place = [&](const Coordinate& at) {
        return static_cast<std::size_t>(at[0] * pitch + at[2] * n + at[1]);
    };
    for_each_coordinate(extent, [&](const Coordinate& at) { x_data[place(at)] = static_cast<float>(x(at)); });
    Tensor<Target, float> sum_data(sums.extent);
    const auto v = strided_view<"x">(x_data.data(), shape, strides, std::integer_sequence<int, 0, 1, 2>{});
    const auto y = strided_view<"y">(y_data.data(), shape, strides, std::integer_sequence<int, 0, 1, 2>{});
    target.eval(sum_data.template view<"s", 3>() = sum(v, axes<1>, keepdims));
    check_equal(sum_data.read(), sums);
    target.eval(y = v - sum(v, axes<1>, keepdims));
    NdArray rest(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) { rest(at) = static_cast<double>(y_data[place(at)]); });
    check_equal(rest, map_reference(std::minus<>{}, x, sums));
    for (index_t i = 0; i < extent[0]; ++i) {
        for (index_t k = pitch - gap; k < pitch; ++k) {
            CHECK(y_data[static_cast<std::size_t>(i * pitch + k)] == -5.0F);
        }
    }
}

template <class Target>
void check_all_joined_columns(const Target& target, const std::vector<Extent>& shapes) {
    for (const Extent& extent : shapes) {
        for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::padded}) {
            check_joined_folds<float>(target, extent, placement);
            check_joined_folds<bfloat16>(target, extent, placement);
            check_joined_scaling<float, float>(target, extent, placement, 2e-5);
        }
        check_joined_folds<std::int8_t>(target, extent, Placement::row_major);
        check_joined_folds<double>(target, extent, Placement::row_major);
        check_joined_scaling<bfloat16, bfloat16>(target, extent, Placement::row_major, 2e-2);
        check_joined_scaling<bfloat16, float>(target, extent, Placement::row_major, 2e-5);
        check_joined_scaling<double, double>(target, extent, Placement::row_major, 1e-12);
        check_softmax<0b010, float>(target, {extent}, Placement::row_major, 1e-5);
    }
    for (const index_t n : {700, 701, 9000, 9001}) {
        for (const index_t gap : {0, 4, 3}) {
            check_along_memory(target, {3, n, 5}, gap);
            check_along_memory(target, {30, n, 2}, gap);
        }
        check_along_memory(target, {40, n, 1}, 0);
    }
}

}  // namespace fuse::testing
