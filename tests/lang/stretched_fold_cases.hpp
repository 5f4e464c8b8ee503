// SPDX-License-Identifier: Apache-2.0
//
// Reductions along every set of axes of three beside an operand whose extents of 1, which only the run knows, are stretched
// along any of them: along the folded ones alone it is one element for each result. Against plain loops.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

/// Rows that are whole vectors, none, and such that a vector ends within; few and many.
inline const std::vector<Extent>& folded_shapes() {
    static const std::vector<Extent> shapes{{2, 3, 4}, {4, 3, 8},  {2, 5, 16},  {8, 2, 64},
                                            {3, 5, 7}, {1, 4, 32}, {16, 3, 264}};
    return shapes;
}
/// The shape with an extent of 1 along each axis in mask.
inline Extent ones_along(Extent extent, std::uint32_t mask) {
    for (std::size_t axis = 0; axis < extent.size(); ++axis) {
        extent[axis] = ((mask >> axis) & 1U) != 0 ? 1 : extent[axis];
    }
    return extent;
}

/// The sum of x * s and the largest of x + s, T being the type of x and s.
template <class T, int... Axis, class Target>
void check_folds_along(const Target& target) {
    constexpr std::uint32_t folded = ((1U << Axis) | ...);
    constexpr int kept = 3 - static_cast<int>(sizeof...(Axis));
    for (const Extent& extent : folded_shapes()) {
        for (std::uint32_t stretched = 0; stretched < 8; ++stretched) {
            INFO("x " << to_text(extent) << ", folded " << folded << ", stretched " << stretched);
            const NdArray x = random_integers(extent, -4, 4, 21);
            const NdArray s = random_integers(ones_along(extent, stretched), 1, 4, 22);
            const NdArray product = map_reference([](double a, double b) { return a * b; }, x, s);
            const NdArray sum = map_reference([](double a, double b) { return a + b; }, x, s);
            const Extent result = reduced_extent(extent, folded, false);
            Tensor<Target, T> x_data(x), s_data(s);
            Tensor<Target, float> total(result), most(result);
            const auto u = x_data.template const_view<"x", 3>();
            const auto v = s_data.template const_view<"s", 3>();
            target.eval(total.template view<"total", kept>() = fuse::sum(u * v, axes<Axis...>));
            target.eval(most.template view<"most", kept>() = max(u + v, axes<Axis...>));
            check_equal(total.read(), reduce_reference(sum_reference, product, folded));
            check_equal(most.read(), reduce_reference(max_reference, sum, folded));
        }
    }
}

/// In two phases, and with a result for each element.
template <int... Axis, class Target>
void check_phases_along(const Target& target) {
    constexpr std::uint32_t folded = ((1U << Axis) | ...);
    for (const Extent& extent : folded_shapes()) {
        for (std::uint32_t stretched = 0; stretched < 8; ++stretched) {
            INFO("x " << to_text(extent) << ", folded " << folded << ", stretched " << stretched);
            const NdArray x = random_reals(extent, -1, 1, 23);
            const NdArray s = random_reals(ones_along(extent, stretched), 0.5, 1.5, 24);
            const NdArray powers = map_reference([](double a, double b) { return std::exp(a * b); }, x, s);
            const NdArray sums = reduce_reference(sum_reference, powers, folded, true);
            Tensor<Target, float> x_data(x), s_data(s), y_data(extent);
            target.eval(y_data.template view<"y", 3>() =
                            softmax(x_data.template const_view<"x", 3>() * s_data.template const_view<"s", 3>(),
                                    axes<Axis...>));
            check_close(y_data.read(), map_reference([](double a, double b) { return a / b; }, powers, sums), 1e-5,
                        1e-6);
        }
    }
}

template <class Target>
void check_stretched_folds(const Target& target) {
    check_folds_along<float, 0>(target);
    check_folds_along<float, 1>(target);
    check_folds_along<float, 2>(target);
    check_folds_along<float, 0, 1>(target);
    check_folds_along<float, 0, 2>(target);
    check_folds_along<float, 1, 2>(target);
    check_folds_along<float, 0, 1, 2>(target);
    check_folds_along<bfloat16, 0, 2>(target);
    check_phases_along<0, 2>(target);
    check_phases_along<0, 1, 2>(target);
    check_phases_along<1>(target);
}

}  // namespace fuse::testing
