// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans along a middle axis of which few columns lie side by side: on a device tiles have the columns of
// several indices along the first axis. Whole numbers, so that all but softmax is exact.
#pragma once

#include "lang/axes_cases.hpp"
#include "lang/phase_cases.hpp"
#include "lang/scan_cases.hpp"

namespace fuse::testing {

inline constexpr Placement narrow_placements[] = {Placement::row_major, Placement::padded, Placement::misaligned,
                                                  Placement::reversed};

/// x (a, b, c) with operands that vary along some of its axes: offset[c], scale[a, 1, c], weight[b, 1], one[a, 1, 1].
template <class T, class Target>
void check_narrow_columns(const Target& target, const std::vector<Extent>& shapes, double rounding) {
    for (const Extent& extent : shapes) {
        const index_t a = extent[0];
        const index_t b = extent[1];
        const index_t c = extent[2];
        const NdArray x = random_integers(extent, -4, 4, static_cast<unsigned>(size_of(extent)));
        const NdArray offset = random_integers({c}, -3, 3, 1);
        const NdArray scale = random_integers({a, 1, c}, -2, 2, 2);
        const NdArray weight = random_integers({b, 1}, -1, 1, 3);
        const NdArray one = random_integers({a, 1, 1}, -3, 3, 4);
        NdArray terms(extent);
        for_each_coordinate(
            extent, [&](const Coordinate& at) { terms(at) = (x(at) + offset(at)) * scale(at) * weight(at) + one(at); });
        const NdArray sums = reduce_reference(sum_reference, terms, 0b010);
        for (const Placement placement : narrow_placements) {
            INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
            Tensor<Target, T> x_data(x, placement);
            Tensor<Target, T> offset_data(offset);
            Tensor<Target, T> scale_data(scale);
            Tensor<Target, T> weight_data(weight);
            Tensor<Target, T> one_data(one);
            Tensor<Target, float> sum_data(sums.extent, placement);
            Tensor<Target, std::int64_t> where_data(sums.extent);
            Tensor<Target, float> spread_data(sums.extent);
            Tensor<Target, float> scan_data(extent, placement);
            const auto v = x_data.template const_view<"x", 3>();
            const auto term = (v + offset_data.template const_view<"offset", 1>()) *
                                  scale_data.template const_view<"scale", 3>() *
                                  weight_data.template const_view<"weight", 2>() +
                              one_data.template const_view<"one", 3>();
            target.eval(sum_data.template view<"sum", 2>() = sum(term, axes<1>),
                        where_data.template view<"where", 2>() = argmax(v, axes<1>));
            target.eval(spread_data.template view<"spread", 2>() = var(v, axes<1>));
            target.eval(scan_data.template view<"scan", 3>() = cumsum(v, axes<1>));
            check_close(sum_data.read(), sums, rounding, rounding);
            check_equal(where_data.read(), reduce_reference(argmax_reference, x, 0b010));
            check_close(spread_data.read(), reduce_reference(variance_reference, x, 0b010), 1e-5, 1e-5);
            check_equal(scan_data.read(), cumsum_reference(x, 1));
            CHECK(sum_data.gaps_intact());
            CHECK(scan_data.gaps_intact());
        }
    }
}

/// The same sets of axes of rank 4, where the indices beside the columns lie along two axes that are not one.
template <class Target>
void check_narrow_columns_of_planes(const Target& target) {
    check_axes<Target, 4, 0b0100>(target, {{3, 5, 4, 3}, {2, 3, 9, 4}, {4, 3, 70, 6}},
                                  {Placement::row_major, Placement::padded, Placement::transposed});
    check_axes<Target, 4, 0b1010>(target, {{5, 2, 7, 3}, {9, 3, 2, 2}}, {Placement::row_major, Placement::padded});
}

template <class Target>
void check_all_narrow_columns(const Target& target) {
    std::vector<Extent> shapes;
    for (const index_t c : {1, 2, 3, 4, 5, 7, 8, 12, 16, 20, 23}) {
        for (const index_t b : {1, 2, 9}) {
            shapes.push_back({c % 2 == 0 ? 37 : 21, b, c});
        }
    }
    shapes.insert(shapes.end(), {{2, 70, 3}, {3, 200, 4}, {130, 33, 6}, {2, 1100, 5}});
    check_narrow_columns<float>(target, shapes, 0);
    check_narrow_columns<double>(target, {{11, 4, 3}, {7, 35, 2}}, 0);
    check_narrow_columns<bfloat16>(target, {{30, 5, 3}, {19, 8, 8}, {17, 9, 16}, {5, 40, 12}}, 0);
    check_narrow_columns_of_planes(target);
    const std::vector<Extent> phases{{21, 2, 3}, {40, 8, 3}, {33, 9, 4}, {19, 20, 6}, {5, 70, 5}, {3, 900, 7}};
    for (const Placement placement : {Placement::row_major, Placement::padded}) {
        check_softmax<0b010, float>(target, phases, placement, 2e-6);
    }
    check_softmax<0b010, bfloat16>(target, {{21, 8, 3}, {9, 33, 8}, {4, 70, 20}}, Placement::row_major, 4e-3);
    check_layer_norm<0b010, float>(target, phases, Placement::row_major, 2e-6);
}

}  // namespace fuse::testing
