// SPDX-License-Identifier: Apache-2.0
//
// Losses of nothing but parts of the variable, transposed, sliced, single rows and columns, beside their gradients with
// respect to all of it, which have other extents. Against plain loops in double.
#pragma once

#include "lang/gradient_cases.hpp"

namespace fuse::testing {

/// f: of a view of rank N. formula: the same of an array.
template <int N, class Target, class F, class Formula>
void check_part_loss(const Target& target, const char* name, const Extent& extent, F f, Formula formula) {
    INFO(name << " of " << to_text(extent));
    const NdArray x = random_reals(extent, 0.2, 1, 41);
    Tensor<Target, double> x_data(x), value{Extent{}}, slope(extent);
    const auto v = x_data.template const_view<"x", N>();
    target.eval(value.template view<"value", 0>() = f(v), slope.template view<"dx", N>() = gradient(f(v), v));
    check_close(value.read(), NdArray(Extent{}, formula(x)), 1e-12, 1e-12);
    check_close(slope.read(), numeric_gradient(formula, x), 1e-7, 1e-8);
}

inline double squares(const NdArray& x) {
    double total = 0;
    for (const double v : x.value) {
        total += v * v;
    }
    return total;
}
/// The mean of logsumexp of the columns from row `first` to row `last`.
inline double columns_logsumexp(const NdArray& x, index_t first, index_t last) {
    double total = 0;
    for (index_t c = 0; c < x.extent[1]; ++c) {
        double sum = 0;
        for (index_t r = first; r < last; ++r) {
            sum += std::exp(x({r, c}));
        }
        total += std::log(sum);
    }
    return total / static_cast<double>(x.extent[1]);
}

template <class Target>
void check_matrix_part_losses(const Target& target, index_t n, index_t m) {
    const Extent extent{n, m};
    check_part_loss<2>(
        target, "logsumexp of transposed rows", extent,
        [](const auto& x) { return mean(logsumexp(transpose(x), axes<1>)); },
        [n](const NdArray& x) { return columns_logsumexp(x, 0, n); });
    check_part_loss<2>(
        target, "steps between rows", extent,
        [n](const auto& x) { return sum(square(slice<0>(x, 1, n) - slice<0>(x, 0, n - 1))); },
        [n, m](const NdArray& x) {
            double total = 0;
            for (index_t r = 1; r < n; ++r) {
                for (index_t c = 0; c < m; ++c) {
                    total += (x({r, c}) - x({r - 1, c})) * (x({r, c}) - x({r - 1, c}));
                }
            }
            return total;
        });
    check_part_loss<2>(
        target, "logsumexp of some columns", extent,
        [m](const auto& x) { return mean(logsumexp(slice<1>(x, 0, m - 1), axes<0>)); },
        [n, m](const NdArray& x) {
            NdArray some({n, m - 1});
            for_each_coordinate(some.extent, [&](const Coordinate& at) { some(at) = x(at); });
            return columns_logsumexp(some, 0, n);
        });
    check_part_loss<2>(
        target, "a row and a column", extent,
        [](const auto& x) { return sum(exp(x[0])) * sum(square(transpose(x)[1])); },
        [n, m](const NdArray& x) {
            double row = 0;
            double column = 0;
            for (index_t c = 0; c < m; ++c) {
                row += std::exp(x({0, c}));
            }
            for (index_t r = 0; r < n; ++r) {
                column += x({r, 1}) * x({r, 1});
            }
            return row * column;
        });
}

template <class Target>
void check_part_losses(const Target& target) {
    check_matrix_part_losses(target, 4, 5);
    check_matrix_part_losses(target, 5, 3);
    check_matrix_part_losses(target, 3, 3);
    check_matrix_part_losses(target, 2, 7);
    check_matrix_part_losses(target, 33, 70);
    for (const Extent& extent : {Extent{2, 3, 4}, Extent{4, 3, 2}, Extent{3, 1, 5}, Extent{3, 3, 3}}) {
        check_part_loss<3>(
            target, "squares of three axes", extent, [](const auto& x) { return sum(square(transpose<2, 0, 1>(x))); },
            squares);
        check_part_loss<3>(
            target, "a norm of every second slice", extent,
            [](const auto& x) { return sqrt(sum(square(slice<0>(x, 0, x.extent(0), 2)))); },
            [](const NdArray& x) {
                double total = 0;
                for_each_coordinate(x.extent,
                                    [&](const Coordinate& at) { total += at[0] % 2 == 0 ? x(at) * x(at) : 0; });
                return std::sqrt(total);
            });
    }
}

}  // namespace fuse::testing
