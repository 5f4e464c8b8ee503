// SPDX-License-Identifier: Apache-2.0
//
// Rows along axes that are apart, the channels of small images: in pieces of whole vectors, of halves of them, of any
// length, and shorter than a vector.
#pragma once

#include "lang/phase_cases.hpp"

namespace fuse::testing {

/// A product of two operands that both differ from row to row, standardised along the axes in Mask, and the largest of each row.
template <std::uint32_t Mask, int Rank, class T, class Z = T, class Target>
void check_standard_rows(const Target& target, const Extent& extent, Placement placement, double tolerance) {
    INFO("x " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
    Tensor<Target, T> x_data(random_reals(extent, -1, 3, 41), placement);
    Tensor<Target, Z> z_data(random_reals(extent, -1, 1, 42), placement);
    const NdArray products = map_reference([](double a, double b) { return a * b; }, x_data.read(), z_data.read());
    const NdArray largest = reduce_reference(max_reference, products, Mask);
    Tensor<Target, float> y_data(extent, placement), max_data(largest.extent);
    const auto product = x_data.template const_view<"x", Rank>() * z_data.template const_view<"z", Rank>();
    const auto centred = product - mean(product, axes_of<Mask>, keepdims);
    target.eval(y_data.template view<"y", Rank>() =
                    centred * rsqrt(mean(square(centred), axes_of<Mask>, keepdims) + 1.0F),
                max_data.template view<"m", Rank - std::popcount(Mask)>() = max(product, axes_of<Mask>));
    const NdArray means = reduce_reference(mean_reference, products, Mask, true);
    const NdArray vars = reduce_reference(variance_reference, products, Mask, true);
    const auto formula = [](double a, double mean, double var) { return (a - mean) / std::sqrt(var + 1); };
    check_close(y_data.read(), map_reference(formula, products, means, vars), tolerance, tolerance);
    check_close(max_data.read(), largest, tolerance, tolerance);
    CHECK(y_data.gaps_intact());
}

/// Of so many samples a row is longer than what registers hold.
template <class Target>
void check_rows_in_pieces(const Target& target, index_t samples, index_t channels, const std::vector<index_t>& widths,
                          const std::vector<Placement>& placements) {
    for (const Placement placement : placements) {
        for (const index_t width : widths) {
            const Extent extent{samples * 48 / width, channels, width};
            check_softmax<0b101, float>(target, {extent}, placement, 3e-6);
            check_softmax<0b101, bfloat16>(target, {extent}, placement, 5e-3);
        }
        check_layer_norm<0b101, float>(target, {{samples, channels, 56}}, placement, 1e-5);
        check_standard_rows<0b1101, 4, bfloat16>(target, {samples / 2, channels, 14, 14}, placement, 2e-5);
        // Types of different sizes, float among them.
        check_standard_rows<0b1101, 4, bfloat16, float>(target, {samples / 2, channels, 7, 7}, placement, 2e-5);
        check_standard_rows<0b1101, 4, bfloat16, float>(target, {samples / 2 + 1, channels, 7, 14}, placement, 2e-5);
        check_standard_rows<0b1101, 4, std::int8_t, double>(target, {samples / 4, channels, 9, 3}, placement, 2e-5);
        check_standard_rows<0b10101, 5, float>(target, {samples / 4, 2, 4, channels, 16}, placement, 2e-5);
    }
}

}  // namespace fuse::testing
