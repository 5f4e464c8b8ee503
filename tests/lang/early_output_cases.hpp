// SPDX-License-Identifier: Apache-2.0
//
// Outputs per element beside full reductions that they do not wait for, a loss and its gradient say: written in the sweep
// that folds. With those that wait for some of the phases, or are stretched, which are not.
#pragma once

#include "fuse/gradient.hpp"
#include "support/tensor.hpp"

namespace fuse::testing {

/// sum((a - b)^2) and 2 (a - b), the latter also in place of a.
template <class T, class Target>
void check_loss_beside_gradient(const Target& target, const Extent& extent, Placement placement, double tolerance) {
    INFO("of " << to_text(extent) << ", placement " << static_cast<int>(placement));
    const NdArray a = random_reals(extent, -1, 1, 1), b = random_reals(extent, -1, 1, 2);
    Tensor<Target, T> a_data(a, placement), b_data(b, placement), d_data(extent, placement);
    Tensor<Target, float> loss_data(Extent{});
    const NdArray as = a_data.read(), bs = b_data.read();  // as they are stored
    const NdArray slope = map_reference([](double x, double y) { return 2 * (x - y); }, as, bs);
    const double loss =
        sum_reference(map_reference([](double x, double y) { return (x - y) * (x - y); }, as, bs).value);
    const auto A = a_data.template view<"a", 2>();
    const auto B = b_data.template const_view<"b", 2>();
    const auto L = loss_data.template view<"l", 0>();
    const auto squares = sum(square(A - B));
    const auto D = d_data.template view<"d", 2>() = gradient(squares, A);
    static_assert(plan<decltype(L = squares), decltype(D)>::template passes<"a"> == 1);
    target.eval(L = squares, D);
    CHECK(loss_data.read().value[0] == Catch::Approx(loss).epsilon(1e-5).margin(1e-30));
    check_close(d_data.read(), slope, tolerance);
    CHECK(d_data.gaps_intact());
    target.eval(A = gradient(squares, A), L = squares);
    CHECK(loss_data.read().value[0] == Catch::Approx(loss).epsilon(1e-5).margin(1e-30));
    check_close(a_data.read(), slope, tolerance);
    CHECK(a_data.gaps_intact());
}

/// Of two phases an output that waits for the first alone, one that waits for none, and one that waits for both.
template <class Target>
void check_outputs_of_phases(const Target& target, const Extent& extent) {
    INFO("of " << to_text(extent));
    const NdArray x = random_reals(extent, -1, 1, 3);
    Tensor<Target, double> x_data(x), y_data(extent), z_data(extent), s_data(Extent{});
    const auto X = x_data.template const_view<"x", 2>();
    const auto y = y_data.template view<"y", 2>();
    const auto z = z_data.template view<"z", 2>();
    const auto S = s_data.template view<"s", 0>();
    double largest = -INFINITY, exponentials = 0;
    for (const double v : x.value) {
        largest = std::max(largest, v);
    }
    for (const double v : x.value) {
        exponentials += std::exp(2 * (v - largest));
    }
    const auto centred = X - max(X);
    const auto total = sum(exp(2 * centred));
    const auto check = [&](const Tensor<Target, double>& got, auto of_element) {
        check_close(got.read(), map_reference(of_element, x), 1e-13);
        CHECK(s_data.read().value[0] == Catch::Approx(exponentials).epsilon(1e-12));
    };
    target.eval(S = total, y = centred, z = 3 * X);
    check(y_data, [&](double v) { return v - largest; });
    check(z_data, [&](double v) { return 3 * v; });
    target.eval(S = total, y = exp(2 * centred) / total, z = 3 * X);
    check(y_data, [&](double v) { return std::exp(2 * (v - largest)) / exponentials; });
    check(z_data, [&](double v) { return 3 * v; });
}

/// Outputs in place of each other's operands beside a reduction that they do not wait for: each reads what was there before.
template <class T, class Target>
void check_early_exchange(const Target& target, const Extent& extent, Placement placement) {
    INFO("of " << to_text(extent) << ", placement " << static_cast<int>(placement));
    const NdArray a = random_reals(extent, -1, 1, 7), b = random_reals(extent, -1, 1, 8);
    Tensor<Target, T> a_data(a, placement), b_data(b, placement);
    Tensor<Target, float> s_data(Extent{});
    const NdArray as = a_data.read(), bs = b_data.read();
    const auto A = a_data.template view<"a", 2>();
    const auto B = b_data.template view<"b", 2>();
    const auto S = s_data.template view<"s", 0>();
    const double products = sum_reference(map_reference([](double x, double y) { return x * y; }, as, bs).value);
    target.eval(A = B, B = A, S = sum(A * B));
    CHECK(a_data.read().value == bs.value);
    CHECK(b_data.read().value == as.value);
    CHECK(s_data.read().value[0] == Catch::Approx(products).epsilon(1e-5).margin(1e-4));
    // Now a is what b was; of two phases.
    target.eval(A = A - max(A), S = sum(A - max(A)), B = 2 * A);
    const double largest = *std::max_element(bs.value.begin(), bs.value.end());
    check_close(a_data.read(), map_reference([&](double x) { return x - largest; }, bs), 1e-2);
    CHECK(b_data.read().value == map_reference([](double x) { return 2 * x; }, bs).value);
    CHECK(a_data.gaps_intact());
    CHECK(b_data.gaps_intact());
}

/// An operand that others stretch at run time: its elements count once in its own reduction.
template <class Target>
void check_stretched_beside_sum(const Target& target, index_t rows, index_t columns) {
    const NdArray x = random_reals({1, columns}, -1, 1, 4), w = random_reals({rows, columns}, -1, 1, 5);
    Tensor<Target, double> x_data(x), w_data(w), y_data(w.extent), s_data(Extent{});
    const auto X = x_data.template const_view<"x", 2>();
    const auto W = w_data.template const_view<"w", 2>();
    target.eval(s_data.template view<"s", 0>() = sum(X) + 2 * sum(W), y_data.template view<"y", 2>() = X * W);
    CHECK(s_data.read().value[0] == Catch::Approx(sum_reference(x.value) + 2 * sum_reference(w.value)).epsilon(1e-12));
    NdArray product = w;
    for_each_coordinate(w.extent, [&](const Coordinate& at) { product(at) *= x(Coordinate{0, at[1]}); });
    check_close(y_data.read(), product, 1e-14);
}

/// Two sums that wait for a maximum: blocks that share a column leave twice as much for each other in the second sweep as in
/// the first, and none may write where another one still reads.
template <class Target>
void check_larger_second_sweep(const Target& target, index_t rows, index_t columns) {
    INFO("of " << rows << " x " << columns);
    const NdArray x = random_reals({rows, columns}, -1, 1, 6);
    Tensor<Target, double> x_data(x), y_data(x.extent), s_data(Extent{columns});
    const auto X = x_data.template const_view<"x", 2>();
    const auto centred = X - max(X, axes<0>, keepdims);
    target.eval(s_data.template view<"s", 1>() = sum(exp(3 * centred), axes<0>),
                y_data.template view<"y", 2>() = exp(2 * centred) / sum(exp(2 * centred), axes<0>, keepdims));
    NdArray squares = x, cubes(Extent{columns});
    for (index_t j = 0; j < columns; ++j) {
        double largest = -INFINITY, total = 0;
        for (index_t i = 0; i < rows; ++i) {
            largest = std::max(largest, x(Coordinate{i, j}));
        }
        for (index_t i = 0; i < rows; ++i) {
            const double v = x(Coordinate{i, j}) - largest;
            total += std::exp(2 * v);
            cubes(Coordinate{j}) += std::exp(3 * v);
        }
        for (index_t i = 0; i < rows; ++i) {
            squares(Coordinate{i, j}) = std::exp(2 * (x(Coordinate{i, j}) - largest)) / total;
        }
    }
    check_close(s_data.read(), cubes, 1e-12);
    check_close(y_data.read(), squares, 1e-12);
}

template <class Target>
void check_early_outputs(const Target& target, const std::vector<Extent>& extents) {
    for (const Extent& extent : extents) {
        for (const Placement placement : {Placement::row_major, Placement::padded, Placement::transposed}) {
            check_loss_beside_gradient<float>(target, extent, placement, 1e-6);
            check_loss_beside_gradient<bfloat16>(target, extent, placement, 4e-3);
        }
        check_loss_beside_gradient<double>(target, extent, Placement::row_major, 1e-14);
        if (extent[0] * extent[1] > 0) {
            check_outputs_of_phases(target, extent);
            for (const Placement placement : {Placement::row_major, Placement::padded}) {
                check_early_exchange<float>(target, extent, placement);
                check_early_exchange<bfloat16>(target, extent, placement);
            }
        }
    }
    check_stretched_beside_sum(target, 5, 70);
    check_stretched_beside_sum(target, 300, 33);
    check_larger_second_sweep(target, 3000, 12);
    check_larger_second_sweep(target, 900, 40);
}

}  // namespace fuse::testing
