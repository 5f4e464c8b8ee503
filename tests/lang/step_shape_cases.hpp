// SPDX-License-Identifier: Apache-2.0
//
// Steps of shapes with extents of 1 and 0 in all places, of integers and doubles, and with more carried results than a
// block takes at a time, beside plain loops in double.
#pragma once

#include <functional>

#include "support/tensor.hpp"

namespace fuse::testing {

/// Each axis of x and u has its own extent or 1, so that axes which one step folds and another one walks are not there, and
/// operands stretch when the program runs.
template <class Target>
void check_steps_of_unit_extents(const Target& target) {
    const auto extent = [](int pattern) {
        const Extent whole = {5, 4, 9};
        Extent e;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            e.push_back(((pattern >> axis) & 1) != 0 ? 1 : whole[axis]);
        }
        return e;
    };
    for (int pattern = 0; pattern < 64; ++pattern) {
        const Extent of_x = extent(pattern / 8);
        const Extent of_u = extent(pattern % 8);
        INFO("x " << to_text(of_x) << ", u " << to_text(of_u));
        const NdArray x = random_reals(of_x, 0.5, 2, 21);
        const NdArray u = random_reals(of_u, 0.5, 2, 22);
        Tensor<Target, double> x_data(x);
        Tensor<Target, double> u_data(u);
        Tensor<Target, double> y_data(broadcast_extent(of_x, of_u));
        const auto v = x_data.template const_view<"x", 3>();
        const auto w = u_data.template const_view<"u", 3>();
        target.eval(y_data.template view<"y", 3>() = v / sum(v, axes<1>, keepdims) - max(w, axes<0, 2>, keepdims) +
                                                     w * mean(v + w) -
                                                     norm<2>(w - mean(w, axes<2>, keepdims), axes<0>, keepdims));

        const auto size = [](const Numbers& n) {
            double squares = 0;
            for (const double a : n) {
                squares += a * a;
            }
            return std::sqrt(squares);
        };
        const auto part = map_reference(std::divides<>{}, x, reduce_reference(sum_reference, x, 0b010, true));
        const auto mean = reduce_reference(mean_reference, map_reference(std::plus<>{}, x, u), 0b111);
        const auto centred = map_reference(std::minus<>{}, u, reduce_reference(mean_reference, u, 0b100, true));
        const NdArray expected = map_reference(
            [](double a, double most, double b, double m, double s) { return a - most + b * m - s; }, part,
            reduce_reference(max_reference, u, 0b101, true), u, mean, reduce_reference(size, centred, 0b001, true));
        check_close(y_data.read(), expected, 1e-12, 1e-12);
        CHECK(y_data.gaps_intact());
    }
}

/// The outputs that have elements are written, whatever the others are: sums of nothing are 0, means NaN.
template <class Target>
void check_steps_of_empty_axes(const Target& target) {
    for (const Extent& extent : {Extent{0, 7, 3}, Extent{7, 0, 3}, Extent{7, 3, 0}, Extent{0, 0, 3}, Extent{0, 0, 0}}) {
        INFO("shape " << to_text(extent));
        Tensor<Target, float> x_data((NdArray(extent, 2)));
        Tensor<Target, float> first_data(reduced_extent(extent, 0b001, false));
        Tensor<Target, float> middle_data(reduced_extent(extent, 0b010, false));
        Tensor<Target, float> last_data(reduced_extent(extent, 0b100, false));
        Tensor<Target, float> all_data{Extent{}};
        Tensor<Target, float> y_data(extent);
        const auto v = x_data.template const_view<"x", 3>();
        target.eval(first_data.template view<"f", 2>() = sum(v, axes<0>),
                    middle_data.template view<"m", 2>() = mean(v, axes<1>),
                    last_data.template view<"l", 2>() = sum(v, axes<2>) + sum(v),
                    all_data.template view<"s", 0>() = mean(v),
                    y_data.template view<"y", 3>() = v / sum(v, axes<0>, keepdims) - cumsum(v, axes<1>));
        check_equal(first_data.read(), NdArray(reduced_extent(extent, 0b001, false), 0));
        check_equal(middle_data.read(), NdArray(reduced_extent(extent, 0b010, false), std::nan("")));
        check_equal(last_data.read(), NdArray(reduced_extent(extent, 0b100, false), 0));
        CHECK(std::isnan(all_data.read()({})));
    }
}

/// Integers, exactly: sums in 64 bits, positions, and what is true of any.
template <class Target>
void check_steps_of_integers(const Target& target, index_t rows, index_t columns) {
    INFO("rows " << rows << ", columns " << columns);
    const NdArray x = random_integers({rows, columns}, -1000000, 1000000, 23);
    Tensor<Target, std::int32_t> x_data(x);
    Tensor<Target, std::int32_t> y_data(Extent{rows, columns});
    Tensor<Target, std::int64_t> sum_data(Extent{rows});
    Tensor<Target, std::int64_t> place_data(Extent{columns});
    Tensor<Target, std::int64_t> row_data(Extent{rows});
    Tensor<Target, std::int64_t> count_data{Extent{}};
    const auto v = x_data.template const_view<"x", 2>();
    const auto above = v - min(v, axes<0>);
    target.eval(y_data.template view<"y", 2>() = above, sum_data.template view<"s", 1>() = sum(above, axes<1>),
                place_data.template view<"p", 1>() = argmax(v, axes<0>),
                row_data.template view<"q", 1>() = argmax(above, axes<1>),
                count_data.template view<"c", 0>() = count_nonzero(above == max(above)));
    const auto least = [](const Numbers& n) { return *std::min_element(n.begin(), n.end()); };
    const NdArray high = map_reference(std::minus<>{}, x, reduce_reference(least, x, 0b01));
    const NdArray most = reduce_reference(max_reference, high, 0b11);
    check_equal(y_data.read(), high);
    check_equal(sum_data.read(), reduce_reference(sum_reference, high, 0b10));
    check_equal(place_data.read(), reduce_reference(argmax_reference, x, 0b01));
    check_equal(row_data.read(), reduce_reference(argmax_reference, high, 0b10));
    check_equal(count_data.read(), reduce_reference(sum_reference, map_reference(std::equal_to<>{}, high, most), 0b11));
}

/// As many results as elements are carried: to other axes, and to columns of another step.
template <class Target>
void check_many_carried_results(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent));
    const NdArray x = random_reals(extent, 0.5, 2, 24);
    Tensor<Target, double> x_data(x);
    Tensor<Target, double> y_data(extent);
    Tensor<Target, double> q_data(Extent{extent[1], extent[2]});
    const auto v = x_data.template const_view<"x", 3>();
    const auto share = v / sum(v, axes<2>, keepdims);
    const auto running = cumsum(share, axes<1>);
    target.eval(y_data.template view<"y", 3>() = running / max(running, axes<0>, keepdims),
                q_data.template view<"q", 2>() = sum(share, axes<0>));
    const NdArray parts = map_reference(std::divides<>{}, x, reduce_reference(sum_reference, x, 0b100, true));
    NdArray sums = parts;
    for_each_coordinate(extent, [&](const Coordinate& at) {
        if (at[1] > 0) {
            sums(at) += sums({at[0], at[1] - 1, at[2]});
        }
    });
    check_close(y_data.read(),
                map_reference(std::divides<>{}, sums, reduce_reference(max_reference, sums, 0b001, true)), 1e-12);
    check_close(q_data.read(), reduce_reference(sum_reference, parts, 0b001), 1e-12);
}

}  // namespace fuse::testing
