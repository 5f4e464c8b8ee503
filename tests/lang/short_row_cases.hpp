// SPDX-License-Identifier: Apache-2.0
//
// Rows of 1 to 17 elements, which a thread each takes: all lengths, more rows than a block has, rows that lie one
// behind the other and rows that do not, operands of several types, an op that does not commute, losses.
#pragma once

#include "lang/loss_cases.hpp"
#include "lang/user_op_cases.hpp"

namespace fuse::testing {

/// Of rank 3: the last axis is the row.
inline std::vector<Extent> short_row_shapes() {
    std::vector<Extent> shapes{{1, 1, 5}, {7, 31, 5}, {1, 1000, 3}, {3, 129, 15}};
    for (index_t n = 1; n <= 17; ++n) {
        shapes.push_back({2, 75, n});
    }
    return shapes;
}

/// Sums of 8-bit and 64-bit operands together.
template <class Target>
void check_mixed_rows(const Target& target, Placement placement) {
    for (const Extent& extent : short_row_shapes()) {
        INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
        Tensor<Target, std::int8_t> x_data(random_integers(extent, -100, 100, 21), placement);
        Tensor<Target, double> w_data(random_reals(extent, -1, 1, 22), placement);
        const NdArray x = x_data.read();
        const NdArray w = w_data.read();
        const NdArray product = map_reference([](double a, double b) { return a * b; }, x, w);
        const NdArray dots = reduce_reference(sum_reference, product, 0b100);
        Tensor<Target, double> dot_data(dots.extent);
        Tensor<Target, double> rest_data(extent, placement);
        const auto a = x_data.template const_view<"x", 3>();
        const auto dot = sum(a * w_data.template const_view<"w", 3>(), axes<2>, keepdims);
        target.eval(dot_data.template view<"dot", 2>() = sum(a * w_data.template const_view<"w", 3>(), axes<2>),
                    rest_data.template view<"rest", 3>() = a - dot);
        check_close(dot_data.read(), dots, 1e-14, 1e-12);
        const NdArray kept = reduce_reference(sum_reference, product, 0b100, true);
        check_close(rest_data.read(), map_reference([](double p, double q) { return p - q; }, x, kept), 1e-14, 1e-12);
        CHECK(rest_data.gaps_intact());
    }
}

template <class Target>
void check_short_rows(const Target& target) {
    for (const Placement placement : {Placement::row_major, Placement::padded, Placement::transposed}) {
        check_softmax<0b100, float>(target, short_row_shapes(), placement, 2e-6);
        check_layer_norm<0b100, double>(target, {{2, 75, 5}, {1, 300, 15}}, placement, 1e-14);
        check_mixed_rows(target, placement);
    }
    check_order<0b100>(target, short_row_shapes());
    check_softmax<0b100, bfloat16>(target, {{2, 75, 3}, {2, 75, 8}, {1, 300, 15}}, Placement::row_major, 1e-2);
    check_cross_entropy(target, {{1, 1}, {1000, 10}, {333, 3}, {40, 16}, {129, 15}});
    check_item_epilogue(target, {{1, 1}, {1000, 10}, {333, 7}});
}

}  // namespace fuse::testing
