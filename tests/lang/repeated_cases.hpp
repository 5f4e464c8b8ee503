// SPDX-License-Identifier: Apache-2.0
//
// Rows beside operands of which each has one element, as keepdims leaves them and as numbers of channels of shape (c, 1) are:
// in what is folded, in what is written alone, and beside others that move along the rows.
#pragma once

#include <algorithm>

#include "fuse/fuse.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

template <class T, class Target>
void check_repeated(const Target& target, const Extent& extent) {
    const Extent of_rows{extent[0], extent[1], 1};
    const Extent of_channels{extent[1], 1};
    const NdArray plain = random_integers(extent, -4, 4, 1);
    const NdArray residual = random_integers(extent, -3, 3, 2);
    const NdArray rows = random_integers(of_rows, 1, 3, 3);
    const NdArray scale = random_integers(of_channels, 1, 3, 4);
    const NdArray shift = random_integers(of_channels, -3, 3, 5);
    Tensor<Target, T> x_data(plain), r_data(residual), w_data(scale), c_data(shift);
    Tensor<Target, float> k_data(rows);
    Tensor<Target, T> late(extent), early(extent), beside(extent);
    const auto x = x_data.template const_view<"x", 3>();
    const auto r = r_data.template const_view<"r", 3>();
    const auto k = k_data.template const_view<"k", 3>();
    const auto w = w_data.template const_view<"w", 2>();
    const auto c = c_data.template const_view<"c", 2>();
    target.eval(late.template view<"late", 3>() = (x - max(x, axes<2>, keepdims)) * w + c);
    target.eval(early.template view<"early", 3>() = x * k - max(x * k, axes<2>, keepdims));
    target.eval(beside.template view<"beside", 3>() = (x - max(x, axes<2>, keepdims)) * k + r * w);

    NdArray expected_late(extent), expected_early(extent), expected_beside(extent);
    for_each_coordinate(of_rows, [&](const Coordinate& row) {
        const index_t n = extent[2];
        double largest = -1e9;
        for (index_t i = 0; i < n; ++i) {
            largest = std::max(largest, plain({row[0], row[1], i}));
        }
        const double of_row = rows(row);
        const double of_channel = scale({row[1], 0});
        for (index_t i = 0; i < n; ++i) {
            const Coordinate at{row[0], row[1], i};
            expected_late(at) = (plain(at) - largest) * of_channel + shift({row[1], 0});
            expected_early(at) = (plain(at) - largest) * of_row;
            expected_beside(at) = (plain(at) - largest) * of_row + residual(at) * of_channel;
        }
    });
    check_equal(late.read(), expected_late);
    check_equal(early.read(), expected_early);
    check_equal(beside.read(), expected_beside);
}

template <class Target>
void sweep_repeated(const Target& target) {
    for (const index_t n : {1, 2, 4, 5, 8, 24, 64, 100, 257, 1000, 1024, 3136, 4096, 9000}) {
        INFO("columns " << n);
        check_repeated<float>(target, {2, 3, n});
        check_repeated<fuse::bfloat16>(target, {3, 2, n});
    }
    check_repeated<double>(target, {1, 5, 512});
    check_repeated<std::int32_t>(target, {4, 1, 96});
    check_repeated<float>(target, {1, 1, 2048});
}

}  // namespace fuse::testing
