// SPDX-License-Identifier: Apache-2.0
//
// Folds of everything of operands that do not all have the domain's axes: scales of channels, one of rows, a mask that all
// planes share; innermost axes from one element to many vectors, of contiguous arrays and of others. Numbers are small and
// whole, so that a missing one is far more than a sum's rounding.
#pragma once

#include <cmath>
#include <limits>

#include "support/tensor.hpp"

namespace fuse::testing {

/// sum((x c - t)^2) + ..., the largest x c + s with its position, and logsumexp(x c), where c has the rows, s the planes, t all
/// axes, b the columns. Few: the first sum and the position alone.
template <class T, bool Few = false, class Target>
void check_broadcast_fold(const Target& target, const Extent& extent, Placement in = Placement::row_major) {
    const index_t A = extent[0], B = extent[1], C = extent[2];
    INFO(A << "x" << B << "x" << C << ", placement " << static_cast<int>(in));
    unsigned seed = 0;
    const auto numbers = [&](const Extent& of) { return random_integers(of, 0, 3, ++seed); };
    Tensor<Target, T> x_data(numbers({A, B, C}), in), t_data(numbers({A, B, C}), in), b_data(numbers({C}));
    Tensor<Target, float> c_data(numbers({B})), s_data(numbers({A}));
    const NdArray x = x_data.read(), t = t_data.read(), b = b_data.read(), c = c_data.read(), s = s_data.read();

    const auto X = x_data.template const_view<"x", 3>();
    const auto W = t_data.template const_view<"t", 3>();
    const auto c_rows = expand_dims<1>(c_data.template const_view<"c", 1>());
    const auto s_planes = expand_dims<1>(expand_dims<1>(s_data.template const_view<"s", 1>()));
    const auto b_all = b_data.template const_view<"b", 1>();

    double error = 0, mixed = 0, most = -std::numeric_limits<double>::infinity(), exponentials = 0;
    index_t place = 0;
    for (index_t i = 0; i < A; ++i) {
        for (index_t j = 0; j < B; ++j) {
            for (index_t k = 0; k < C; ++k) {
                const double product = x({i, j, k}) * c({j});
                error += (product - t({i, j, k})) * (product - t({i, j, k}));
                mixed += product * s({i}) + b({k}) + static_cast<double>(k % 2);
                if (product + s({i}) > most) {
                    most = product + s({i});
                    place = (i * B + j) * C + k;
                }
                exponentials += std::exp(product);
            }
        }
    }
    Tensor<Target, float> error_data(Extent{}), mixed_data(Extent{}), most_data(Extent{}), log_data(Extent{});
    Tensor<Target, index_t> place_data(Extent{});
    const auto out = [](auto& data) { return data.template view<"out", 0>(); };
    target.eval(out(error_data) = sum(square(X * c_rows - W)));
    CHECK(std::abs(error_data.read().value[0] - error) <= 1e-6 * error);
    target.eval(out(place_data) = argmax(X * c_rows + s_planes));
    CHECK(static_cast<index_t>(place_data.read().value[0]) == place);
    if constexpr (!Few) {
        target.eval(out(mixed_data) = sum(X * c_rows * s_planes + b_all + cast<float>(index<2>() % 2)));
        CHECK(std::abs(mixed_data.read().value[0] - mixed) <= 1e-6 * mixed);
        target.eval(out(log_data) = logsumexp(X * c_rows));
        CHECK(std::abs(log_data.read().value[0] - std::log(exponentials)) <= 1e-5 * (1 + std::log(exponentials)));
    }
    if constexpr (std::is_same_v<T, float>) {
        target.eval(out(most_data) = max(X * c_rows + s_planes));
        CHECK(most_data.read().value[0] == most);
    }
}

template <class Target>
void check_broadcast_folds(const Target& target) {
    const Extent shapes[] = {{1, 1, 1},  {1, 1, 40}, {3, 1, 1},  {6, 5, 1},  {1, 7, 2},   {4, 9, 3},   {5, 2, 4},
                             {3, 5, 5},  {2, 6, 7},  {7, 3, 8},  {2, 11, 9}, {5, 4, 12},  {3, 3, 13},  {2, 5, 16},
                             {9, 2, 49}, {2, 3, 47}, {2, 3, 65}, {70, 1, 7}, {1, 2, 600}, {3, 7, 257}, {33, 5, 9}};
    for (const Extent& shape : shapes) {
        check_broadcast_fold<float>(target, shape);
        check_broadcast_fold<bfloat16>(target, shape);
    }
    for (const Placement in : all_placements) {
        check_broadcast_fold<float>(target, {3, 4, 21}, in);
        check_broadcast_fold<bfloat16>(target, {2, 5, 24}, in);
    }
    check_broadcast_fold<double, true>(target, {3, 5, 7});
    check_broadcast_fold<int, true>(target, {3, 5, 21});
}

}  // namespace fuse::testing
