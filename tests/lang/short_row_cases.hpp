// SPDX-License-Identifier: Apache-2.0
//
// Rows of 1 to 70 elements, which a thread or a few each take: all short lengths, more rows than a block has, rows that lie one
// behind the other, from an aligned address on or not, and rows that do not; operands of several types, an op that does
// not commute, losses. Types are what costs compile time here; shapes and placements cost next to nothing.
#pragma once

#include "lang/loss_cases.hpp"
#include "lang/user_op_cases.hpp"

namespace fuse::testing {

/// Of rank 3: the last axis is the row. Some are smaller than what lies between a misaligned address and the next word.
inline std::vector<Extent> short_row_shapes() {
    std::vector<Extent> shapes{{1, 1, 5}, {1, 3, 5}, {1, 1, 16}, {7, 31, 5}, {1, 1000, 3}, {3, 129, 15}};
    for (index_t n = 1; n <= 17; ++n) {
        shapes.push_back({2, 75, n});
    }
    for (const index_t n : {19, 24, 31, 36, 47, 49, 70}) {
        shapes.push_back({1, 69, n});
    }
    return shapes;
}

/// The few that tell a placement from another: whole vectors or not, one block or more.
inline std::vector<Extent> few_short_row_shapes() {
    return {{1, 1, 5}, {1, 3, 5}, {2, 75, 8}, {1, 129, 11}, {2, 75, 15}, {2, 75, 16}};
}

/// Sums of 8-bit and 64-bit operands together, and per element outputs of both: each begins elsewhere in a word.
template <class Target>
void check_mixed_rows(const Target& target, const std::vector<Extent>& shapes, Placement bytes, Placement doubles) {
    for (const Extent& extent : shapes) {
        INFO("shape " << to_text(extent) << ", placements " << static_cast<int>(bytes) << ' '
                      << static_cast<int>(doubles));
        Tensor<Target, std::int8_t> x_data(random_integers(extent, -100, 100, 21), bytes);
        Tensor<Target, double> w_data(random_reals(extent, -1, 1, 22), doubles);
        const NdArray x = x_data.read();
        const NdArray w = w_data.read();
        const NdArray product = map_reference([](double a, double b) { return a * b; }, x, w);
        const NdArray dots = reduce_reference(sum_reference, product, 0b100);
        Tensor<Target, double> dot_data(dots.extent);
        Tensor<Target, double> rest_data(extent, doubles);
        Tensor<Target, std::int8_t> minus_data(extent, bytes);
        const auto a = x_data.template const_view<"x", 3>();
        const auto dot = sum(a * w_data.template const_view<"w", 3>(), axes<2>, keepdims);
        target.eval(dot_data.template view<"dot", 2>() = sum(a * w_data.template const_view<"w", 3>(), axes<2>),
                    rest_data.template view<"rest", 3>() = a - dot, minus_data.template view<"minus", 3>() = -a);
        check_close(dot_data.read(), dots, 1e-14, 1e-12);
        const NdArray kept = reduce_reference(sum_reference, product, 0b100, true);
        check_close(rest_data.read(), map_reference([](double p, double q) { return p - q; }, x, kept), 1e-14, 1e-12);
        check_equal(minus_data.read(), map_reference([](double p) { return -p; }, x));
        CHECK(rest_data.gaps_intact());
        CHECK(minus_data.gaps_intact());
    }
}

/// Operands that do not begin with a word of memory: float, bfloat16 and 8 bits, alone and beside aligned ones.
template <class Target>
void check_misaligned_rows(const Target& target, const std::vector<Extent>& shapes) {
    constexpr Placement aligned = Placement::row_major;
    constexpr Placement misaligned = Placement::misaligned;
    check_softmax<0b100, float>(target, shapes, misaligned, 2e-6);
    check_softmax<0b100, bfloat16>(target, shapes, misaligned, 1e-2);
    check_layer_norm<0b100, double>(target, shapes, misaligned, 1e-14);
    check_mixed_rows(target, shapes, misaligned, misaligned);
    check_mixed_rows(target, shapes, misaligned, aligned);
    check_mixed_rows(target, shapes, aligned, misaligned);
}

template <class Target>
void check_placed_rows(const Target& target, const std::vector<Extent>& shapes, Placement placement) {
    check_softmax<0b100, float>(target, shapes, placement, 2e-6);
    check_softmax<0b100, bfloat16>(target, few_short_row_shapes(), placement, 1e-2);
    check_layer_norm<0b100, double>(target, {{2, 75, 5}, {1, 300, 15}}, placement, 1e-14);
    check_mixed_rows(target, shapes, placement, placement);
    // A part of the tile that is copied row by row beside one that is copied as one piece.
    check_mixed_rows(target, few_short_row_shapes(), placement, Placement::misaligned);
}

/// Softmaxes of what a mask or the position leaves of each row: several axes are kept, of which the mask has one and others
/// none, and the rows of x lie one behind the other over all of them, or not.
template <class T, class Target>
void check_masked_rows(const Target& target, const Extent& extent, Placement placement, double tolerance) {
    INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
    Tensor<Target, T> x_data(random_reals(extent, -3, 3, 23), placement);
    Tensor<Target, float> mask_data(random_reals({extent[0], 1, extent[2]}, -3, 3, 24), placement);
    Tensor<Target, T> masked_data(extent, placement);
    Tensor<Target, T> causal_data(extent, placement);
    const NdArray x = x_data.read();
    const NdArray mask = mask_data.read();
    NdArray masked(extent);
    NdArray causal(extent);
    for (index_t a = 0; a < extent[0]; ++a) {
        for (index_t b = 0; b < extent[1]; ++b) {
            double masked_sum = 0;
            double causal_sum = 0;
            for (index_t i = 0; i < extent[2]; ++i) {
                masked({a, b, i}) = std::exp(x({a, b, i}) / 8 + mask({a, 0, i}));
                causal({a, b, i}) = b >= i ? std::exp(x({a, b, i})) : 0;
                masked_sum += masked({a, b, i});
                causal_sum += causal({a, b, i});
            }
            for (index_t i = 0; i < extent[2]; ++i) {
                masked({a, b, i}) /= masked_sum;
                causal({a, b, i}) /= causal_sum;
            }
        }
    }
    const auto v = x_data.template const_view<"x", 3>();
    target.eval(masked_data.template view<"masked", 3>() =
                    softmax(v * 0.125F + mask_data.template const_view<"mask", 3>()));
    target.eval(causal_data.template view<"causal", 3>() = softmax(where(index<1>() >= index<2>(), v, -1e30F)));
    check_close(masked_data.read(), masked, tolerance, 1e-30);
    check_close(causal_data.read(), causal, tolerance, 1e-30);
    CHECK(masked_data.gaps_intact());
    CHECK(causal_data.gaps_intact());
}

template <class Target>
void check_rows_under_masks(const Target& target) {
    for (const Placement placement :
         {Placement::row_major, Placement::misaligned, Placement::padded, Placement::transposed, Placement::spaced}) {
        for (const Extent& extent : {Extent{3, 34, 34}, {1, 70, 5}, {5, 13, 16}, {2, 50, 50}, {4, 9, 77}}) {
            check_masked_rows<float>(target, extent, placement, 4e-6);
            check_masked_rows<bfloat16>(target, extent, placement, 1e-2);
        }
    }
}

template <class Target>
void check_short_rows(const Target& target) {
    check_misaligned_rows(target, short_row_shapes());
    for (const Placement placement : {Placement::row_major, Placement::padded, Placement::transposed}) {
        check_placed_rows(target, short_row_shapes(), placement);
    }
    for (const Placement placement : {Placement::wide, Placement::reversed, Placement::spaced}) {
        check_placed_rows(target, few_short_row_shapes(), placement);
    }
    check_order<0b100>(target, short_row_shapes());
    for (const Placement placement : {Placement::row_major, Placement::misaligned}) {
        check_cross_entropy(target, {{1, 1}, {1000, 10}, {333, 3}, {40, 16}, {129, 15}}, placement);
    }
    check_item_epilogue(target, {{1, 1}, {1000, 10}, {333, 7}});
}

}  // namespace fuse::testing
