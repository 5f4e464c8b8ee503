// SPDX-License-Identifier: Apache-2.0
//
// Outputs per element beside folds along some of three axes that they do not wait for, a layer's gradient beside that of its
// bias say: written where that is folded.
#pragma once

#include "lang/phase_cases.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// The gradients of max(x, 0) and of a bias before it, the former also in place of g. Whole numbers, so that all is exact.
template <std::uint32_t Mask, class T, class Target>
void check_gradient_beside_bias(const Target& target, const Extent& extent, Placement placement) {
    INFO("shape " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
    const NdArray x = random_integers(extent, -2, 2, 61), g = random_integers(extent, -3, 3, 62);
    const NdArray slope = map_reference([](double a, double b) { return a > 0 ? b : 0; }, x, g);
    const NdArray bias = reduce_reference(sum_reference, slope, Mask, true);
    Tensor<Target, T> x_data(x, placement), g_data(g, placement), d_data(extent, placement);
    Tensor<Target, float> b_data(bias.extent, placement);
    const auto X = x_data.template const_view<"x", 3>();
    const auto G = g_data.template view<"g", 3>();
    const auto D = where(X > 0, G, 0);
    const auto B = b_data.template view<"b", 3>();
    target.eval(d_data.template view<"d", 3>() = D, B = sum(D, axes_of<Mask>, keepdims));
    check_equal(d_data.read(), slope);
    check_equal(b_data.read(), bias);
    CHECK(d_data.gaps_intact());
    target.eval(B = 2 * sum(D, axes_of<Mask>, keepdims), G = D);
    check_equal(g_data.read(), slope);
    check_equal(b_data.read(), map_reference([](double b) { return 2 * b; }, bias));
    CHECK(g_data.gaps_intact());
    CHECK(b_data.gaps_intact());
}

/// The gradients of x * w + b: three outputs, two folds, and an operand that is the same along the folds.
template <std::uint32_t Mask, class T, class Target>
void check_gradients_of_scale(const Target& target, const Extent& extent, Placement placement) {
    INFO("shape " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
    const NdArray x = random_integers(extent, -2, 2, 63), g = random_integers(extent, -3, 3, 64);
    const NdArray w = random_integers(reduced_extent(extent, Mask, true), -4, 4, 65);
    Tensor<Target, T> x_data(x, placement), g_data(g, placement), w_data(w), d_data(extent, placement);
    Tensor<Target, float> dw_data(w.extent), db_data(w.extent);
    const auto X = x_data.template const_view<"x", 3>();
    const auto G = g_data.template const_view<"g", 3>();
    target.eval(d_data.template view<"d", 3>() = G * w_data.template const_view<"w", 3>(),
                dw_data.template view<"dw", 3>() = sum(G * X, axes_of<Mask>, keepdims),
                db_data.template view<"db", 3>() = sum(G, axes_of<Mask>, keepdims));
    check_equal(d_data.read(), map_reference(std::multiplies<>{}, g, w));
    check_equal(dw_data.read(), reduce_reference(sum_reference, map_reference(std::multiplies<>{}, g, x), Mask, true));
    check_equal(db_data.read(), reduce_reference(sum_reference, g, Mask, true));
    CHECK(d_data.gaps_intact());
}

/// Two phases: an output that waits for the first alone, one that waits for none and takes the place of the operand of both,
/// and a fold whose accumulator has several words.
template <std::uint32_t Mask, class Target>
void check_early_of_two_phases(const Target& target, const Extent& extent, Placement placement) {
    INFO("shape " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
    const NdArray x = random_reals(extent, -1, 3, 66);
    const NdArray most = reduce_reference(max_reference, x, Mask, true);
    const NdArray below = map_reference(std::minus<>{}, x, most);
    Tensor<Target, double> x_data(x, placement), y_data(extent, placement), s_data(most.extent), v_data(most.extent);
    const auto X = x_data.template view<"x", 3>();
    const auto centred = X - max(X, axes_of<Mask>, keepdims);
    target.eval(y_data.template view<"y", 3>() = centred, X = 3 * X,
                s_data.template view<"s", 3>() = sum(square(centred), axes_of<Mask>, keepdims),
                v_data.template view<"v", 3>() = var(X, axes_of<Mask>, keepdims));
    check_close(y_data.read(), below, 1e-14, 1e-14);
    check_close(x_data.read(), map_reference([](double a) { return 3 * a; }, x), 1e-14);
    check_close(s_data.read(),
                reduce_reference(sum_reference, map_reference([](double a) { return a * a; }, below), Mask, true),
                1e-12);
    check_close(v_data.read(), reduce_reference(variance_reference, x, Mask, true), 1e-12, 1e-14);
    CHECK(x_data.gaps_intact());
    CHECK(y_data.gaps_intact());
}

/// Outputs in place of each other's operands.
template <std::uint32_t Mask, class T, class Target>
void check_exchange_beside_folds(const Target& target, const Extent& extent, Placement placement) {
    INFO("shape " << to_text(extent) << ", axes " << Mask << ", placement " << static_cast<int>(placement));
    const NdArray a = random_integers(extent, -3, 3, 67), b = random_integers(extent, -3, 3, 68);
    Tensor<Target, T> a_data(a, placement), b_data(b, placement);
    const NdArray products = reduce_reference(sum_reference, map_reference(std::multiplies<>{}, a, b), Mask, true);
    Tensor<Target, float> s_data(products.extent);
    const auto A = a_data.template view<"a", 3>();
    const auto B = b_data.template view<"b", 3>();
    target.eval(A = B, s_data.template view<"s", 3>() = sum(A * B, axes_of<Mask>, keepdims), B = A);
    check_equal(a_data.read(), b);
    check_equal(b_data.read(), a);
    check_equal(s_data.read(), products);
}

/// An operand that others stretch at run time: its elements count once in its own fold.
template <std::uint32_t Mask, class Target>
void check_stretched_beside_folds(const Target& target, const Extent& extent) {
    INFO("shape " << to_text(extent) << ", axes " << Mask);
    const NdArray x = random_reals(reduced_extent(extent, Mask, true), -1, 1, 69);
    const NdArray w = random_reals(extent, -1, 1, 70);
    Tensor<Target, double> x_data(x), w_data(w), y_data(extent), s_data(x.extent);
    const auto X = x_data.template const_view<"x", 3>();
    const auto W = w_data.template const_view<"w", 3>();
    target.eval(s_data.template view<"s", 3>() = sum(X, axes_of<Mask>, keepdims) + 2 * sum(W, axes_of<Mask>, keepdims),
                y_data.template view<"y", 3>() = X * W);
    check_close(
        s_data.read(),
        map_reference([](double a, double b) { return a + 2 * b; }, x, reduce_reference(sum_reference, w, Mask, true)),
        1e-12, 1e-12);
    check_close(y_data.read(), map_reference(std::multiplies<>{}, w, x), 1e-14);
}

template <std::uint32_t Mask, class Target>
void check_early_folds_along(const Target& target, const std::vector<Extent>& extents) {
    for (const Extent& extent : extents) {
        for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::padded}) {
            check_gradient_beside_bias<Mask, float>(target, extent, placement);
            check_gradient_beside_bias<Mask, bfloat16>(target, extent, placement);
            check_gradients_of_scale<Mask, float>(target, extent, placement);
            check_exchange_beside_folds<Mask, bfloat16>(target, extent, placement);
            if (size_of(extent) > 0) {
                check_early_of_two_phases<Mask>(target, extent, placement);
            }
        }
        check_gradients_of_scale<Mask, bfloat16>(target, extent, Placement::row_major);
        check_stretched_beside_folds<Mask>(target, extent);
    }
}

/// Columns, columns of everything, rows and rows along two axes.
template <class Target>
void check_early_folds(const Target& target, const std::vector<Extent>& extents) {
    check_early_folds_along<0b010>(target, extents);
    check_early_folds_along<0b011>(target, extents);
    check_early_folds_along<0b100>(target, extents);
    check_early_folds_along<0b101>(target, extents);
}

}  // namespace fuse::testing
