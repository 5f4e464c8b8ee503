// SPDX-License-Identifier: Apache-2.0
//
// Maps and reductions of every rank over every kind of shape and memory layout, against plain loops. One expression
// per rank: shapes, strides and offsets are run-time values, so they cost no compile time.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

/// Shapes of each rank: one element, extents of 1, primes, odd, empty, larger than a block.
inline std::vector<Extent> shapes_of_rank(int rank) {
    switch (rank) {
    case 0:
        return {{}};
    case 1:
        return {{1}, {7}, {0}, {64}, {131}, {1030}};
    case 2:
        return {{1, 1}, {5, 1}, {1, 13}, {3, 0}, {0, 4}, {7, 31}, {130, 3}, {16, 64}};
    case 3:
        return {{2, 3, 5}, {1, 7, 1}, {4, 1, 36}, {3, 0, 2}, {5, 11, 4}};
    case 4:
        return {{2, 3, 1, 5}, {1, 1, 1, 1}, {3, 2, 5, 8}, {2, 0, 3, 1}};
    case 5:
        return {{2, 1, 3, 2, 5}, {1, 3, 1, 1, 2}, {2, 2, 2, 2, 4}};
    default:
        return {{2, 1, 3, 1, 2, 3}, {1, 1, 2, 1, 1, 1}, {2, 2, 1, 3, 2, 4}, {1, 2, 0, 1, 1, 3}};
    }
}

/// The shape with every second axis (from the first or the second on) stretched from extent 1.
inline Extent with_ones(Extent extent, std::size_t first) {
    for (std::size_t axis = first; axis < extent.size(); axis += 2) {
        extent[axis] = 1;
    }
    return extent;
}

/// y = x * t + s: x lies in memory in every way, t and s broadcast along different axes.
template <class Target, int Rank>
void check_maps_of_rank(const Target& target) {
    for (const Extent& extent : shapes_of_rank(Rank)) {
        const NdArray x = random_integers(extent, -9, 9, 1);
        const NdArray t = random_integers(with_ones(extent, 0), -9, 9, 2);
        const NdArray s = random_integers(with_ones(extent, 1), -9, 9, 3);
        const NdArray expected = map_reference([](double a, double b, double c) { return a * b + c; }, x, t, s);
        for (const Placement placement : all_placements) {
            INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
            Tensor<Target, float> x_data(x, placement);
            Tensor<Target, float> t_data(t, placement);
            Tensor<Target, float> s_data(s);
            Tensor<Target, float> y_data(expected.extent, placement);
            target.eval(y_data.template view<"y", Rank>() =
                            x_data.template const_view<"x", Rank>() * t_data.template const_view<"t", Rank>() +
                            s_data.template const_view<"s", Rank>());
            check_equal(y_data.read(), expected);
            CHECK(y_data.gaps_intact());
        }
    }
}

/// The sum of all elements of x + t; 0 where there are none.
template <class Target, int Rank>
void check_sums_of_rank(const Target& target) {
    for (const Extent& extent : shapes_of_rank(Rank)) {
        const NdArray x = random_integers(extent, -9, 9, 4);
        const NdArray t = random_integers(with_ones(extent, 1), -9, 9, 5);
        const NdArray joined = map_reference([](double a, double b) { return a + b; }, x, t);
        for (const Placement placement : all_placements) {
            INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
            Tensor<Target, float> x_data(x, placement);
            Tensor<Target, float> t_data(t);
            const auto e = x_data.template const_view<"x", Rank>() + t_data.template const_view<"t", Rank>();
            CHECK(static_cast<double>(target.value(sum(e))) == sum_reference(joined.value));
        }
    }
}

}  // namespace fuse::testing
