// SPDX-License-Identifier: Apache-2.0
//
// Rows of matrices, folded beside arrays of more axes in which nothing is as long as these rows. Against plain loops in
// double.
#pragma once

#include "lang/gradient_cases.hpp"

namespace fuse::testing {

/// Rows of length r, one for each of the c in the middle of x, a x c x k.
template <class Target>
void check_rows_beside(const Target& target, index_t a, index_t c, index_t k, index_t r) {
    INFO(a << " x " << c << " x " << k << " beside rows of " << r);
    const NdArray x = random_reals({a, c, k}, -1, 1, 61);
    const NdArray w = random_reals({c, r}, -1, 1, 62);
    const NdArray t = turned(w);
    const NdArray v = random_reals({r, k}, -1, 1, 63);
    Tensor<Target, double> x_data(x), w_data(w), t_data(t), v_data(v), o_data(x.extent), s_data(Extent{c});
    const auto X = x_data.template const_view<"x", 3>();
    const auto W = w_data.template const_view<"w", 2>();
    const auto T = t_data.template const_view<"t", 2>();
    const auto V = v_data.template const_view<"v", 2>();
    const auto O = [&] { return o_data.template view<"o", 3>(); };
    const auto row_sum = [&](index_t row) {
        double total = 0;
        for (index_t i = 0; i < r; ++i) {
            total += w({row, i});
        }
        return total;
    };
    const auto column_max = [&](index_t column) {
        double most = v({0, column});
        for (index_t i = 1; i < r; ++i) {
            most = std::max(most, v({i, column}));
        }
        return most;
    };
    const auto wanted = [&](auto f) {
        NdArray o(x.extent);
        for_each_coordinate(o.extent, [&](const Coordinate& at) { o(at) = f(at); });
        return o;
    };
    const NdArray sums = wanted([&](const Coordinate& at) { return x(at) + row_sum(at[1]); });
    target.eval(O() = X + sum(W, axes<1>, keepdims));
    check_close(o_data.read(), sums, 1e-12, 1e-12);
    target.eval(O() = X + transpose(sum(T, axes<0>, keepdims)));
    check_close(o_data.read(), sums, 1e-12, 1e-12);
    target.eval(O() = X + expand_dims<1>(sum(W, axes<1>)), s_data.template view<"s", 1>() = sum(W, axes<1>));
    check_close(o_data.read(), sums, 1e-12, 1e-12);
    for (index_t row = 0; row < c; ++row) {
        CHECK(std::fabs(s_data.read()({row}) - row_sum(row)) < 1e-12);
    }
    // Of two matrices, and behind a reduction and a scan of the array.
    target.eval(O() = X * max(V, axes<0>) + expand_dims<1>(sum(W, axes<1>)));
    check_close(o_data.read(), wanted([&](const Coordinate& at) { return x(at) * column_max(at[2]) + row_sum(at[1]); }),
                1e-12, 1e-12);
    const auto along = [&](const Coordinate& at, index_t until) {
        double total = 0;
        for (index_t i = 0; i < until; ++i) {
            total += x({at[0], at[1], i});
        }
        return total;
    };
    target.eval(O() = X - sum(X, axes<2>, keepdims) * expand_dims<1>(sum(W, axes<1>)));
    check_close(o_data.read(), wanted([&](const Coordinate& at) { return x(at) - along(at, k) * row_sum(at[1]); }),
                1e-12, 1e-12);
    target.eval(O() = cumsum(X, axes<2>) * max(V, axes<0>, keepdims));
    check_close(o_data.read(), wanted([&](const Coordinate& at) { return along(at, at[2] + 1) * column_max(at[2]); }),
                1e-12, 1e-12);
}

/// Centroids of n points, n x d, with weights n x k, divided by the transposed sums of these.
template <class Target>
void check_transposed_divisor(const Target& target, index_t n, index_t k, index_t d) {
    INFO("centroids of " << n << " points, " << k << " clusters, " << d << " features");
    const NdArray x = random_reals({n, d}, -1, 1, 64);
    const NdArray r = random_reals({n, k}, 0.5, 1.5, 65);
    NdArray wanted({k, d});
    for_each_coordinate(wanted.extent, [&](const Coordinate& at) {
        double total = 0;
        double weight = 0;
        for (index_t i = 0; i < n; ++i) {
            total += r({i, at[0]}) * x({i, at[1]});
            weight += r({i, at[0]});
        }
        wanted(at) = total / weight;
    });
    Tensor<Target, double> x_data(x), r_data(r), o_data(wanted.extent);
    const auto X = x_data.template const_view<"x", 2>();
    const auto R = r_data.template const_view<"r", 2>();
    target.eval(o_data.template view<"o", 2>() =
                    sum(expand_dims<2>(R) * expand_dims<1>(X), axes<0>) / transpose(sum(R, axes<0>, keepdims)));
    check_close(o_data.read(), wanted, 1e-12, 1e-12);
}

/// The squares of x, a x c x k, less the means of the rows of w, c x r, beside the gradient with respect to w.
template <class Target>
void check_gradient_of_rows(const Target& target, index_t a, index_t c, index_t k, index_t r) {
    INFO("gradient of rows of " << r << " beside " << a << " x " << c << " x " << k);
    const NdArray x = random_reals({a, c, k}, -1, 1, 66);
    const NdArray w = random_reals({c, r}, -1, 1, 67);
    const auto formula = [&](const NdArray& rows) {
        double total = 0;
        for_each_coordinate(x.extent, [&](const Coordinate& at) {
            double mean = 0;
            for (index_t i = 0; i < r; ++i) {
                mean += rows({at[1], i}) / static_cast<double>(r);
            }
            total += (x(at) - mean) * (x(at) - mean);
        });
        return total;
    };
    Tensor<Target, double> x_data(x), w_data(w), l(Extent{}), slope(w.extent);
    const auto W = w_data.template const_view<"w", 2>();
    const auto loss = sum(square(x_data.template const_view<"x", 3>() - mean(W, axes<1>, keepdims)));
    target.eval(l.template view<"l", 0>() = loss, slope.template view<"dw", 2>() = gradient(loss, W));
    check_close(l.read(), NdArray(Extent{}, formula(w)), 1e-12, 1e-12);
    check_close(slope.read(), numeric_gradient(formula, w), 1e-7, 1e-8);
}

template <class Target>
void check_rows_apart(const Target& target) {
    check_rows_beside(target, 2, 3, 4, 5);
    check_rows_beside(target, 4, 3, 5, 2);
    check_rows_beside(target, 3, 3, 3, 3);
    check_rows_beside(target, 2, 4, 3, 1);
    check_rows_beside(target, 1, 5, 1, 6);
    check_rows_beside(target, 3, 1, 2, 4);
    check_rows_beside(target, 5, 17, 33, 70);
    check_transposed_divisor(target, 5, 3, 4);
    check_transposed_divisor(target, 4, 4, 4);
    check_transposed_divisor(target, 1, 3, 2);
    check_transposed_divisor(target, 33, 1, 17);
    check_gradient_of_rows(target, 2, 3, 4, 5);
    check_gradient_of_rows(target, 3, 4, 2, 1);
    check_gradient_of_rows(target, 1, 9, 5, 33);
}

}  // namespace fuse::testing
