// SPDX-License-Identifier: Apache-2.0
//
// Rows that are long and so few that several blocks share each: read once or again by each phase, with a mean of all rows or
// without, along one axis or along several beside numbers of the outer one; and columns that are scanned in pieces.
#pragma once

#include <fuse/nn.hpp>

#include "lang/deviation_cases.hpp"
#include "lang/loss_cases.hpp"
#include "lang/online_cases.hpp"
#include "lang/scan_cases.hpp"
#include "lang/staged_row_cases.hpp"

namespace fuse::testing {

/// rows x n elements: softmax, layer norm and losses, and of two operands, which are not staged.
template <class Target>
void check_few_rows(const Target& target, index_t rows, index_t n, Placement placement) {
    check_softmax<0b100, float>(target, {{1, rows, n}}, placement, 1e-5);
    check_softmax_of_sum<float>(target, {1, rows, n}, placement, 1e-5);
    check_softmax_of_sum<double>(target, {1, rows, n}, placement, 1e-13);
    check_layer_norm<0b100, double>(target, {{1, rows, n}}, placement, 1e-12);
    check_cross_entropy(target, {{rows, n}}, placement);
    check_item_epilogue(target, {{rows, n}});
    check_online<float>(target, n, placement, 1e-5);
}

/// Variances of them: each sweep reads them again, so that they are folded together with the mean.
template <class Target>
void check_few_variances(const Target& target, index_t n) {
    for (index_t kind = 0; kind < deviation_kinds; ++kind) {
        check_deviations<0b100, float>(target, {1, 1, n}, 1e-5, kind);
        check_deviations<0b100, bfloat16>(target, {1, 1, n}, 1e-5, kind);
    }
    check_deviations<0b100, double>(target, {1, 1, n}, 1e-12, 0);
}

/// Groups of channels, each with its scale and shift, against loops.
template <class Target>
void check_few_groups(const Target& target, const Extent& extent, int groups, double tolerance) {
    INFO("shape " << to_text(extent) << ", groups " << groups);
    Tensor<Target, float> x_data(random_reals(extent, -2, 5, 41));
    Tensor<Target, float> w_data(random_reals({extent[1]}, -1, 2, 42));
    Tensor<Target, float> b_data(random_reals({extent[1]}, -1, 2, 43));
    Tensor<Target, float> y_data(extent);
    const NdArray x = x_data.read();
    const NdArray w = w_data.read();
    const NdArray b = b_data.read();
    const index_t of_group = extent[1] / groups;
    NdArray expected(extent);
    for (index_t i = 0; i < extent[0]; ++i) {
        for (index_t g = 0; g < groups; ++g) {
            const auto each = [&](auto&& f) {
                for (index_t c = g * of_group; c < (g + 1) * of_group; ++c) {
                    for (index_t h = 0; h < extent[2]; ++h) {
                        for (index_t k = 0; k < extent[3]; ++k) {
                            f(Coordinate{i, c, h, k}, c);
                        }
                    }
                }
            };
            const auto n = static_cast<double>(of_group * extent[2] * extent[3]);
            double mean = 0;
            double squares = 0;
            each([&](const Coordinate& at, index_t) { mean += x(at) / n; });
            each([&](const Coordinate& at, index_t) { squares += (x(at) - mean) * (x(at) - mean) / n; });
            each([&](const Coordinate& at, index_t c) {
                expected(at) = (x(at) - mean) / std::sqrt(squares + 1e-5) * w({c}) + b({c});
            });
        }
    }
    const auto y = group_norm(x_data.template const_view<"x", 4>(), groups, w_data.template const_view<"w", 1>(),
                              b_data.template const_view<"b", 1>());
    target.eval(unflatten<1>(y_data.template view<"y", 4>(), groups, -1) = y);
    check_close(y_data.read(), expected, tolerance, tolerance);
    CHECK(y_data.gaps_intact());
}

/// Columns along axis 1 of three, of sums, products and an op that does not commute, forwards and back.
template <class Target>
void check_few_columns(const Target& target, const Extent& extent, Placement placement) {
    INFO("shape " << to_text(extent) << ", placement " << static_cast<int>(placement));
    Tensor<Target, float> x_data(random_integers(extent, -3, 3, 44), placement);
    Tensor<Target, float> factor_data(factors(extent), placement);
    Tensor<Target, float> sum_data(extent, placement);
    Tensor<Target, float> back_data(extent, placement);
    Tensor<Target, float> decayed_data(extent, placement);
    const NdArray x = x_data.read();
    const NdArray a = factor_data.read();
    const auto v = x_data.template const_view<"x", 3>();
    target.eval(sum_data.template view<"sum", 3>() = cumsum(v, axes<1>));
    target.eval(back_data.template view<"back", 3>() = cumsum(v, axes<1>, reverse));
    target.eval(decayed_data.template view<"decayed", 3>() =
                    discounted_cumsum(v, factor_data.template const_view<"a", 3>(), axes<1>));
    const NdArray sums = cumsum_reference(x, 1);
    check_equal(sum_data.read(), sums);
    NdArray back(extent);
    for_each_coordinate(extent, [&](const Coordinate& at) {
        back(at) = sums({at[0], extent[1] - 1, at[2]}) - sums(at) + x(at);
    });
    check_equal(back_data.read(), back);
    const NdArray decayed = scan_reference(
        extent, 1, 0.0, [&](double& state, std::size_t at, index_t) { state = state * a.value[at] + x.value[at]; });
    check_close(decayed_data.read(), decayed, 1e-5, 1e-3);
    CHECK(sum_data.gaps_intact());
    CHECK(back_data.gaps_intact());
    CHECK(decayed_data.gaps_intact());
}

}  // namespace fuse::testing
