// SPDX-License-Identifier: Apache-2.0
//
// Maps whose operands lie in memory along different axes: every order of the axes at ranks 2 to 4, several transposed
// operands, narrow and wide types, odd sizes, strides of every kind. Types and ranks are what costs compile time here.
#pragma once

#include <numeric>

#include "support/tensor.hpp"
#include "support/thread_sanitizer.hpp"

namespace fuse::testing {

/// Axis i of what is turned is axis order[i] of what it is made of.
using AxisList = std::vector<int>;

inline Extent turned(const Extent& extent, const AxisList& order) {
    Extent result;
    for (const int axis : order) {
        result.push_back(extent[static_cast<std::size_t>(axis)]);
    }
    return result;
}
inline NdArray turned(const NdArray& x, const AxisList& order) {
    NdArray result(turned(x.extent, order));
    Coordinate from(order.size());
    std::size_t position = 0;
    for_each_coordinate(result.extent, [&](const Coordinate& at) {
        for (std::size_t i = 0; i < at.size(); ++i) {
            from[static_cast<std::size_t>(order[i])] = at[i];
        }
        result.value[position++] = x(from);
    });
    return result;
}
/// No element is moved.
template <fixed_name N, int Rank, class Target, class T>
auto turned(Tensor<Target, T>& tensor, const AxisList& order) {
    const auto v = tensor.template view<N, Rank>();
    Shape shape{Rank, {}};
    Shape stride{Rank, {}};
    for (int i = 0; i < Rank; ++i) {
        shape[i] = v.shape()[order[static_cast<std::size_t>(i)]];
        stride[i] = v.strides()[order[static_cast<std::size_t>(i)]];
    }
    return strided_view<N>(v.data(), shape, stride, std::make_integer_sequence<int, Rank>{});
}
/// The order that undoes another.
inline AxisList undone(const AxisList& order) {
    AxisList result(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        result[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    }
    return result;
}
inline std::vector<AxisList> all_orders(int rank) {
    AxisList order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    std::vector<AxisList> all;
    do {
        all.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    return all;
}

/// y = 3 x, with x in one order of the axes and y in another. The elements, T of x and Out of y, hold the products exactly.
template <class T, int Rank, class Out = T, class Target>
void check_turned(const Target& target, const Extent& extent, const AxisList& x_order, const AxisList& y_order,
                  Placement x_placement = Placement::row_major, Placement y_placement = Placement::row_major) {
    INFO("shape " << to_text(extent) << ", placements " << static_cast<int>(x_placement) << ' '
                  << static_cast<int>(y_placement));
    const NdArray x = random_integers(extent, -40, 40, static_cast<unsigned>(size_of(extent)));
    Tensor<Target, T> x_data(turned(x, undone(x_order)), x_placement);
    Tensor<Target, Out> y_data(turned(extent, undone(y_order)), y_placement);
    target.eval(turned<"y", Rank>(y_data, y_order) = turned<"x", Rank>(x_data, x_order) * static_cast<compute_t<T>>(3));
    check_equal(turned(y_data.read(), y_order), map_reference([](double v) { return 3 * v; }, x));
    CHECK(y_data.gaps_intact());
}

/// Every order of the input's axes, and of the output's with the input as it is.
template <class T, int Rank, class Target>
void check_all_orders(const Target& target, const std::vector<Extent>& extents) {
    const std::vector<AxisList> orders = all_orders(Rank);
    for (const Extent& extent : extents) {
        for (const AxisList& order : orders) {
            check_turned<T, Rank>(target, extent, order, orders.front());
            check_turned<T, Rank>(target, extent, orders.front(), order);
        }
    }
}

/// Matrices of which one is transposed, at every placement of either: vectors, single items, strides of both signs.
template <class T, class Target>
void check_transposed_placements(const Target& target, const Extent& extent) {
    for (const Placement x : all_placements) {
        check_turned<T, 2>(target, extent, {1, 0}, {0, 1}, x);
        check_turned<T, 2>(target, extent, {1, 0}, {0, 1}, Placement::row_major, x);
    }
    check_turned<T, 2>(target, extent, {1, 0}, {0, 1}, Placement::reversed, Placement::reversed);
}

/// Matrix shapes: whole tiles and parts of them, primes, tiles of one short side, too few elements for a tile, none.
inline std::vector<Extent> transpose_shapes() {
    return {{64, 64}, {128, 256}, {67, 131}, {257, 129}, {16, 16}, {33, 32}, {15, 100}, {100, 15},
            {9, 300}, {700, 40},  {8, 150},  {5000, 3},  {1, 50},  {50, 1},  {0, 5}};
}

/// Everything that an element may be made of: transposed inputs of three types and in two placements, one that is not
/// transposed, a row, a column, a number of each axis; two outputs.
template <class Target>
void check_mixed_operands(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent));
    const index_t rows = extent[0];
    const index_t columns = extent[1];
    const NdArray a = random_integers(extent, -50, 50, 1);
    const NdArray b = random_integers(extent, -50, 50, 2);
    const NdArray c = random_integers(extent, -50, 50, 3);
    const NdArray d = random_integers(extent, -50, 50, 4);
    const NdArray row = random_integers({columns}, -9, 9, 5);
    const NdArray column = random_integers({rows, 1}, -9, 9, 6);
    const AxisList swapped{1, 0};
    Tensor<Target, float> a_data(turned(a, swapped));
    Tensor<Target, bfloat16> b_data(turned(b, swapped), Placement::misaligned);
    Tensor<Target, std::int8_t> c_data(turned(c, swapped));
    Tensor<Target, float> d_data(d);
    Tensor<Target, float> row_data(row);
    Tensor<Target, float> column_data(column);
    Tensor<Target, float> y_data(extent);
    Tensor<Target, double> z_data(extent, Placement::padded);
    const auto sum = turned<"a", 2>(a_data, swapped) + turned<"b", 2>(b_data, swapped) +
                     cast<float>(turned<"c", 2>(c_data, swapped));
    const auto rest =
        d_data.template view<"d", 2>() * row_data.template view<"row", 1>() + column_data.template view<"column", 2>();
    target.eval(y_data.template view<"y", 2>() = sum + rest,
                z_data.template view<"z", 2>() =
                    sum + cast<float>(index<0>() * 1000 + index<1>()) * d_data.template view<"d", 2>());
    NdArray y(extent);
    NdArray z(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        const double abc = a(at) + b(at) + c(at);
        y(at) = abc + d(at) * row(at) + column(at);
        z(at) = abc + static_cast<double>(at[0] * 1000 + at[1]) * d(at);
    });
    check_equal(y_data.read(), y);
    check_equal(z_data.read(), z);
    CHECK(z_data.gaps_intact());
}

/// Inputs contiguous along three different axes, the output along the third.
template <class Target>
void check_three_directions(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent));
    const NdArray a = random_integers(extent, -50, 50, 1);
    const NdArray b = random_integers(extent, -50, 50, 2);
    const NdArray c = random_integers(extent, -50, 50, 3);
    const AxisList second{0, 2, 1};
    const AxisList first{2, 1, 0};
    Tensor<Target, float> a_data(turned(a, undone(first)));
    Tensor<Target, double> b_data(turned(b, undone(second)));
    Tensor<Target, float> c_data(c);
    Tensor<Target, double> y_data(extent);
    target.eval(y_data.template view<"y", 3>() =
                    turned<"a", 3>(a_data, first) - turned<"b", 3>(b_data, second) * c_data.template view<"c", 3>());
    check_equal(y_data.read(), map_reference([](double p, double q, double r) { return p - q * r; }, a, b, c));
}

/// y += x^T where y is read and written in place; infinities and NaN pass through tiles as they are.
template <class Target>
void check_in_place(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent));
    NdArray x = random_integers(extent, -50, 50, 1);
    for (std::size_t i = 0; i < x.value.size(); i += 7) {
        const double special[] = {std::nan(""), HUGE_VAL, -HUGE_VAL};
        x.value[i] = special[i % 3];
    }
    const NdArray before = random_integers(extent, -50, 50, 2);
    Tensor<Target, float> x_data(turned(x, {1, 0}));
    Tensor<Target, float> y_data(before);
    const auto y = y_data.template view<"y", 2>();
    target.eval(y = y + turned<"x", 2>(x_data, {1, 0}));
    check_equal(y_data.read(), map_reference([](double p, double q) { return p + q; }, x, before));
}

/// More transposed inputs than the shared memory of a block holds: some are read where they are used.
template <class Target>
void check_many_transposed(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent));
    const AxisList swapped{1, 0};
    std::vector<NdArray> x;
    std::vector<std::unique_ptr<Tensor<Target, double>>> data;
    for (unsigned i = 0; i < 7; ++i) {
        x.push_back(random_integers(extent, -50, 50, i));
        data.push_back(std::make_unique<Tensor<Target, double>>(turned(x.back(), swapped)));
    }
    Tensor<Target, double> y_data(extent);
    target.eval(y_data.template view<"y", 2>() =
                    turned<"a", 2>(*data[0], swapped) + turned<"b", 2>(*data[1], swapped) * 2.0 +
                    turned<"c", 2>(*data[2], swapped) * 3.0 + turned<"d", 2>(*data[3], swapped) * 4.0 +
                    turned<"e", 2>(*data[4], swapped) * 5.0 + turned<"f", 2>(*data[5], swapped) * 6.0 +
                    turned<"g", 2>(*data[6], swapped) * 7.0);
    NdArray y(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            y(at) += x[i](at) * static_cast<double>(i + 1);
        }
    });
    check_equal(y_data.read(), y);
}

/// Outputs that are transposed against each other: none is where the other is.
template <class Target>
void check_opposite_outputs(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent));
    const NdArray x = random_integers(extent, -50, 50, 1);
    Tensor<Target, float> x_data(x);
    Tensor<Target, float> y_data(extent);
    Tensor<Target, float> z_data(turned(extent, {1, 0}));
    const auto v = x_data.template view<"x", 2>();
    target.eval(y_data.template view<"y", 2>() = v * 2.0F, turned<"z", 2>(z_data, {1, 0}) = v * 3.0F);
    check_equal(y_data.read(), map_reference([](double p) { return 2 * p; }, x));
    check_equal(turned(z_data.read(), {1, 0}), map_reference([](double p) { return 3 * p; }, x));
}

/// Narrow elements beside wide ones, of which a thread evaluates fewer than a vector of the narrow ones has: short lines,
/// read as one, begin between vectors.
template <class T, class Out, class Target>
void check_turned_into(const Target& target) {
    for (const index_t line : {17, 23, 31, 33, 36, 40, 49, 57, 63, 64, 65}) {
        for (const index_t lines : {17, 32, 33, 40, 64, 200}) {
            for (const Placement placement : {Placement::row_major, Placement::misaligned}) {
                check_turned<T, 2, Out>(target, {line, lines}, {1, 0}, {0, 1}, placement);
            }
        }
    }
    check_turned<T, 4, Out>(target, {4, 1, 9, 31}, {3, 1, 0, 2}, {0, 1, 2, 3});
}
template <class Target>
void check_turned_into_wider(const Target& target) {
    check_turned_into<std::int8_t, double>(target);
    check_turned_into<std::int8_t, float>(target);
    check_turned_into<std::int16_t, double>(target);
    check_turned_into<bfloat16, std::int64_t>(target);
    check_turned_into<float, std::int8_t>(target);
}

/// Every order of the axes, and every placement.
template <class Target>
void sweep_transposed(const Target& target) {
    check_all_orders<float, 2>(target, transpose_shapes());
    check_all_orders<bfloat16, 2>(target, transpose_shapes());
    check_all_orders<std::int8_t, 2>(target, {{131, 257}, {128, 32}, {130, 66}});
    check_all_orders<double, 2>(target, {{131, 67}});
    check_all_orders<float, 3>(target, {{3, 37, 70}, {20, 1, 33}, {18, 19, 21}});
    check_all_orders<bfloat16, 4>(target, {{2, 19, 5, 17}});
    check_turned<float, 5>(target, {3, 20, 2, 70, 5}, {4, 1, 3, 0, 2}, {2, 0, 4, 3, 1});
    check_transposed_placements<float>(target, {67, 70});
    check_transposed_placements<bfloat16>(target, {66, 132});
    check_transposed_placements<bfloat16>(target, {67, 131});
    check_transposed_placements<std::int8_t>(target, {132, 68});
    // Whole lines that begin between vectors, and enough of them.
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::padded}) {
        check_turned<bfloat16, 2>(target, {129, 1101}, {1, 0}, {0, 1}, placement);
        check_turned<float, 2>(target, {66, 1101}, {1, 0}, {0, 1}, placement, placement);
        check_turned<std::int8_t, 2>(target, {97, 4001}, {1, 0}, {0, 1}, placement);
        check_turned<bfloat16, 3>(target, {20, 71, 101}, {0, 2, 1}, {0, 1, 2}, placement);
    }
    // Lines that are read or written as one: wider than a block, odd, beginning anywhere, several planes of them.
    for (const index_t n : {2, 3, 5, 12, 49, 64}) {
        const index_t length = 8192 / n + 173;  // 8192 floats are a tile
        for (const Placement placement : {Placement::row_major, Placement::misaligned}) {
            for (const Extent& extent : {Extent{2, n, length}, Extent{2, length, n}}) {
                check_turned<float, 3>(target, extent, {0, 2, 1}, {0, 1, 2}, placement);
                check_turned<bfloat16, 3>(target, extent, {0, 2, 1}, {0, 1, 2}, Placement::row_major, placement);
                check_turned<std::int8_t, 3>(target, extent, {0, 2, 1}, {0, 1, 2}, placement, placement);
            }
        }
    }
    // Lines of outputs that begin between vectors and are written as one: up to the longest of each type and beyond, with
    // more of their vectors than threads, beside inputs that are read as one or begin anywhere.
    for (const index_t n : {65, 82, 97, 127, 129, 203, 209, 271, 275, 351}) {
        for (const Extent& extent : {Extent{2, 49, n}, Extent{1, 83, n}, Extent{2, 18, n}}) {
            const Placement placement = n % 4 == 1 ? Placement::misaligned : Placement::row_major;
            check_turned<float, 3>(target, extent, {0, 2, 1}, {0, 1, 2}, Placement::row_major, placement);
            check_turned<bfloat16, 3>(target, extent, {0, 2, 1}, {0, 1, 2}, placement);
            check_turned<std::int8_t, 3>(target, extent, {0, 2, 1}, {0, 1, 2}, placement, placement);
        }
        check_turned<double, 2>(target, {131, n}, {1, 0}, {0, 1});
    }
}

/// y = x, turned, times a number for each line of y, plus another for each of its columns.
template <class T, class Target>
void check_turned_beside(const Target& target, const Extent& extent, Placement placement) {
    INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
    const index_t lines = extent[2];
    const index_t columns = extent[1];
    Tensor<Target, T> x_data(random_integers(extent, 0, 100, 31), placement);
    Tensor<Target, float> scale_data(random_integers({lines, 1}, -3, 3, 32));
    Tensor<Target, float> shift_data(random_integers({columns}, -9, 9, 33));
    Tensor<Target, float> y_data(Extent{extent[0], lines, columns}, placement);
    NdArray expected({extent[0], lines, columns});
    const NdArray x = x_data.read();
    const NdArray scale = scale_data.read();
    const NdArray shift = shift_data.read();
    for_each_coordinate(expected.extent, [&](const Coordinate& at) {
        expected(at) = x({at[0], at[2], at[1]}) * scale({at[1], 0}) + shift({at[2]});
    });
    target.eval(y_data.template view<"y", 3>() =
                    transpose<0, 2, 1>(x_data.template view<"x", 3>()) * scale_data.template const_view<"scale", 2>() +
                    shift_data.template const_view<"shift", 1>());
    check_equal(y_data.read(), expected);
    CHECK(y_data.gaps_intact());
}
template <class Target>
void check_turned_beside_all(const Target& target) {
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::padded}) {
        for (const Extent& extent :
             {Extent{2, 1000, 3}, {1, 333, 4}, {3, 64, 17}, {2, 130, 64}, {1, 50, 301}, {2, 31, 7}}) {
            check_turned_beside<float>(target, extent, placement);
            check_turned_beside<std::uint8_t>(target, extent, placement);
        }
    }
}

template <class Target>
void check_transposed(const Target& target) {
    if (!under_thread_sanitizer) {
        sweep_transposed(target);
    }
    for (const Extent& extent : {Extent{67, 131}, Extent{130, 34}, Extent{16, 7}}) {
        check_mixed_operands(target, extent);
        check_in_place(target, extent);
        check_many_transposed(target, extent);
        check_opposite_outputs(target, extent);
    }
    check_three_directions(target, {18, 35, 20});
}

}  // namespace fuse::testing
