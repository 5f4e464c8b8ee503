// SPDX-License-Identifier: Apache-2.0
//
// Rows along several axes, planes of channels, beside an operand that is the same along each plane: where vectors, halves of
// vectors or neither lie inside a plane. Whole numbers, exact in every type.
#pragma once

#include "support/tensor.hpp"

namespace fuse::testing {

/// x * w + sum(x) of samples of `extent` (n, channels, height, width), w having an element for each channel.
template <class T, class Target>
void check_planes(const Target& target, const Extent& extent, Placement placement) {
    INFO("x " << to_text(extent) << ", placement " << static_cast<int>(placement));
    const NdArray x = random_integers(extent, -1, 1, 31), w = random_integers({extent[1]}, -3, 3, 32);
    Tensor<Target, T> x_data(x, placement), w_data(w), y_data(extent, placement);
    const auto X = x_data.template const_view<"x", 4>();
    const auto W = expand_dims<2>(expand_dims<1>(w_data.template const_view<"w", 1>()));
    target.eval(y_data.template view<"y", 4>() = X * W + sum(X, axes<1, 2, 3>, keepdims));
    NdArray expected(extent);
    const NdArray sums = reduce_reference(sum_reference, x, 0b1110);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        expected(at) = from_element(to_element<T>(x(at) * w.value[static_cast<std::size_t>(at[1])] +
                                                  sums.value[static_cast<std::size_t>(at[0])]));
    });
    check_equal(y_data.read(), expected);
    CHECK(y_data.gaps_intact());
}

template <class Target>
void check_all_planes(const Target& target) {
    for (const index_t width : {1, 7, 8, 12, 14, 16, 49, 64}) {
        for (const index_t channels : {1, 3, 8}) {
            for (const Placement placement : {Placement::row_major, Placement::padded, Placement::misaligned}) {
                check_planes<float>(target, {3, channels, 2, width}, placement);
                check_planes<bfloat16>(target, {3, channels, 2, width}, placement);
            }
            check_planes<float>(target, {3, channels, 1, width}, Placement::row_major);
            check_planes<bfloat16>(target, {3, channels, 1, width}, Placement::row_major);
            check_planes<double>(target, {3, channels, 1, width}, Placement::row_major);
        }
    }
    check_planes<float>(target, {2, 40, 28, 28}, Placement::row_major);
    check_planes<bfloat16>(target, {2, 40, 28, 28}, Placement::row_major);
    check_planes<bfloat16>(target, {2, 300, 14, 14}, Placement::row_major);
    check_planes<float>(target, {2, 4096, 1, 1}, Placement::row_major);
    check_planes<bfloat16>(target, {2, 8192, 1, 1}, Placement::row_major);
}

}  // namespace fuse::testing
