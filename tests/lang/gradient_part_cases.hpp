// SPDX-License-Identifier: Apache-2.0
//
// Derivatives through parts of the variable, slices, rows, transposes, differences of neighbours, and through roll and
// pad, against central differences of plain loops in double.
#pragma once

#include <numeric>

#include "lang/gradient_cases.hpp"

namespace fuse::testing {

/// f: of a view of x. formula: the same of an array.
template <int Rank, class Target, class F, class Formula>
void check_part_gradient(const Target& target, const NdArray& x, Placement placement, F f, Formula formula) {
    INFO(to_text(x.extent) << " " << static_cast<int>(placement));
    Tensor<Target, double> data(x, placement);
    Tensor<Target, double> slope(x.extent, placement);
    const auto u = data.template const_view<"x", Rank>();
    target.eval(slope.template view<"dx", Rank>() = gradient(f(u), u));
    check_close(slope.read(), numeric_gradient(formula, x), 1e-7, 1e-7);
    CHECK(slope.gaps_intact());
}

/// Of a line of n elements, with f(i) added for i < count.
template <class F>
double added_up(index_t count, F f) {
    double total = 0;
    for (index_t i = 0; i < count; ++i) {
        total += f(i);
    }
    return total;
}
template <class F>
NdArray filled_with(const Extent& extent, F f) {
    NdArray result(extent);
    for (index_t i = 0; i < result.size(); ++i) {
        result.value[static_cast<std::size_t>(i)] = f(i);
    }
    return result;
}
inline index_t round_index(index_t i, index_t n) {
    return (i % n + n) % n;
}

/// Neighbours: finite differences, total variation, the next element from the one before, a ring and its ends.
template <class Target>
void check_neighbour_gradients(const Target& target) {
    for (const index_t n : {2, 3, 65}) {
        for (const Placement placement : {Placement::row_major, Placement::reversed, Placement::spaced}) {
            const NdArray x = random_reals({n}, -2, 2, 9);
            check_part_gradient<1>(
                target, x, placement,
                [n](const auto& v) {
                    return sum(abs(diff(v))) + mse_loss(slice<0>(v * v, 0, n - 1), slice<0>(v, 1, n));
                },
                [n](const NdArray& a) {
                    return added_up(n - 1, [&](index_t i) {
                        const double error = a({i}) * a({i}) - a({i + 1});
                        return std::fabs(a({i + 1}) - a({i})) + error * error / static_cast<double>(n - 1);
                    });
                });
            check_part_gradient<1>(
                target, x, placement,
                [](const auto& v) { return sum(square(roll(v, 1) - 2 * v + roll(sin(v), -2)) * roll(v, 67)); },
                [n](const NdArray& a) {
                    return added_up(n, [&](index_t i) {
                        const double d = a({round_index(i - 1, n)}) - 2 * a({i}) + std::sin(a({round_index(i + 2, n)}));
                        return d * d * a({round_index(i - 67, n)});
                    });
                });
        }
    }
}

/// Elements, slices with steps, one of another, backwards, rolled and padded.
template <class Target>
void check_slice_gradients(const Target& target) {
    const index_t n = 23;
    const NdArray x = random_reals({n}, -2, 2, 9);
    const auto check = [&](auto f, auto formula) {
        check_part_gradient<1>(target, x, Placement::row_major, f, formula);
        check_part_gradient<1>(target, x, Placement::spaced, f, formula);
    };
    check(
        [](const auto& v) {
            return v[3] * v[-1] + sum(exp(slice<0>(v, 1, 20, 3)) * slice<0>(v, 21, 0, -3) * flip(slice<0>(v, 2, 9)));
        },
        [](const NdArray& a) {
            return a({3}) * a({22}) +
                   added_up(7, [&](index_t i) { return std::exp(a({1 + 3 * i})) * a({21 - 3 * i}) * a({8 - i}); });
        });
    check(
        [](const auto& v) {
            return sum(square(slice<0>(roll(v, 5), 20, 1, -4) + roll(slice<0>(flip(v), 3, 23, 4), -2)));
        },
        [](const NdArray& a) {
            return added_up(5, [&](index_t i) {
                const double d = a({round_index(20 - 4 * i - 5, 23)}) + a({22 - (3 + 4 * round_index(i + 2, 5))});
                return d * d;
            });
        });
    check(
        [](const auto& v) {
            return sum(square(slice<0>(pad(v * v, 2, 3, axes<0>, 0.5), 1, 27, 2)) * slice<0>(v, 0, 13));
        },
        [](const NdArray& a) {
            return added_up(13, [&](index_t i) {
                const index_t at = 2 * i - 1;
                const double p = at >= 0 && at < 23 ? a({at}) * a({at}) : 0.5;
                return p * p * a({i});
            });
        });
    check([](const auto& v) { return sum(roll(pad(roll(v, 3), 1, 1), 2) * pad(slice<0>(v, 0, 21), 3, 1)); },
          [](const NdArray& a) {
              return added_up(25, [&](index_t i) {
                  const index_t r = round_index(i - 2, 25) - 1;
                  const double p = r >= 0 && r < 23 ? a({round_index(r - 3, 23)}) : 0;
                  return p * (i >= 3 && i < 24 ? a({i - 3}) : 0);
              });
          });
}

/// Rows, columns, transposes and slices of a matrix, folded and broadcast.
template <class Target>
void check_matrix_part_gradients(const Target& target) {
    for (const auto& [m, n] : {std::pair<index_t, index_t>{4, 5}, {3, 66}, {2, 3}}) {
        for (const Placement placement : {Placement::row_major, Placement::transposed, Placement::padded}) {
            const index_t rows = m, columns = n;
            const NdArray x = random_reals({m, n}, -1, 1, 9);
            const auto each_of = [](index_t k, index_t l, auto f) {
                return added_up(k, [&](index_t i) { return added_up(l, [&](index_t j) { return f(i, j); }); });
            };
            check_part_gradient<2>(
                target, x, placement,
                [](const auto& v) {
                    return sum(square(diff(v, axes<0>))) + sum(square(v[1] * row(v, 0)) * column(v, 2)[1]);
                },
                [=](const NdArray& a) {
                    return each_of(rows - 1, columns,
                                   [&](index_t i, index_t j) {
                                       return std::pow(a({i + 1, j}) - a({i, j}), 2);
                                   }) +
                           added_up(columns, [&](index_t j) {
                               return std::pow(a({1, j}) * a({0, j}), 2) * a({1, 2});
                           });
                });
            // The next row from the one before: a loss over the columns, which are whole.
            check_part_gradient<2>(
                target, x, placement,
                [=](const auto& v) { return -sum(log_softmax(slice<0>(v, 0, rows - 1)) * slice<0>(v, 1, rows)); },
                [=](const NdArray& a) {
                    return -each_of(rows - 1, columns, [&](index_t i, index_t j) {
                        const double total = added_up(columns, [&](index_t k) { return std::exp(a({i, k})); });
                        return (a({i, j}) - std::log(total)) * a({i + 1, j});
                    });
                });
            check_part_gradient<2>(
                target, x, placement,
                [=](const auto& v) {
                    const auto t = transpose(v);
                    return sum(square(slice<1>(t, 1, rows) - slice<1>(t, 0, rows - 1))) + 3 * flip<0>(t)[0][1];
                },
                [=](const NdArray& a) {
                    return each_of(rows - 1, columns,
                                   [&](index_t i, index_t j) {
                                       return std::pow(a({i + 1, j}) - a({i, j}), 2);
                                   }) +
                           3 * a({1, columns - 1});
                });
        }
    }
}

/// What is folded and scanned along one axis, of parts that are turned round or shifted along the others.
template <class Target>
void check_folds_beside_turned_axes(const Target& target) {
    for (const auto& [m, n] : {std::pair<index_t, index_t>{3, 7}, {1, 70}, {4, 1}}) {
        const index_t rows = m, columns = n;
        const NdArray x = random_reals({m, n}, -1, 1, 9);
        // Row i of `running` is weighted with another row of the elements themselves.
        const auto of_rows = [=](index_t shift, index_t direction, auto running) {
            return [=](const NdArray& a) {
                return added_up(rows, [&](index_t i) {
                    const index_t from = round_index(direction * i + shift, rows);
                    Numbers row;
                    for (index_t j = 0; j < columns; ++j) {
                        row.push_back(a({from, j}));
                    }
                    const Numbers result = running(row);
                    return added_up(columns, [&](index_t j) {
                        return result[static_cast<std::size_t>(j)] * a({i, j});
                    });
                });
            };
        };
        const auto products = [](Numbers row) {
            std::partial_sum(row.begin(), row.end(), row.begin(), std::multiplies<>{});
            return row;
        };
        const Placement placement = Placement::padded;
        check_part_gradient<2>(
            target, x, placement, [](const auto& v) { return sum(cumprod(roll(v, 1, axes<0>), axes<1>) * v); },
            of_rows(rows - 1, 1, products));
        check_part_gradient<2>(
            target, x, placement, [](const auto& v) { return sum(softmax(flip<0>(v), axes<1>) * v); },
            of_rows(rows - 1, -1, softmax_numbers));
        check_part_gradient<2>(
            target, x, placement,
            [](const auto& v) {
                return sum(softmax(roll(roll(v, 1, axes<0>), 2, axes<1>), axes<1>) * roll(v, 2, axes<1>));
            },
            of_rows(rows - 1, 1, softmax_numbers));
    }
}

/// Padded to the extent of the variable, a loss of differences and its gradient are one kernel, whatever the loss makes of
/// its sum.
template <class Target>
void check_padded_loss(const Target& target) {
    const index_t n = 65;
    const NdArray x = random_reals({n}, -2, 2, 9);
    Tensor<Target, double> data(x), slope({n}), loss{Extent{}};
    const auto u = data.template const_view<"x", 1>();
    const auto l = sqrt(sum(square(pad(diff(u), 0, 1))));
    target.eval(loss.template view<"l", 0>() = l, slope.template view<"dx", 1>() = gradient(l, u));
    const auto norm = [](const NdArray& a) {
        return std::sqrt(added_up(64, [&](index_t i) { return std::pow(a({i + 1}) - a({i}), 2); }));
    };
    check_close(loss.read(), NdArray(Extent{}, norm(x)), 1e-12, 1e-12);
    check_close(slope.read(), numeric_gradient(norm, x), 1e-7, 1e-7);
}

/// A product with a vector, and the derivative of a derivative, that of sum(x[i]^2 x[i - 1]).
template <class Target>
void check_ring_derivatives(const Target& target) {
    const index_t n = 65;
    const NdArray x = random_reals({n}, -2, 2, 9);
    Tensor<Target, double> data(x), product({n}), curvature({n});
    const auto u = data.template const_view<"x", 1>();
    target.eval(product.template view<"p", 1>() = vjp(roll(u * u, 3), u, sin(u)));
    check_close(product.read(),
                filled_with({n}, [&](index_t i) { return 2 * x({i}) * std::sin(x({round_index(i + 3, n)})); }), 1e-12,
                1e-12);

    target.eval(curvature.template view<"ddx", 1>() = gradient(sum(square(gradient(sum(u * u * roll(u, 1)), u))), u));
    const auto squares = [](const NdArray& a) {
        return added_up(65, [&](index_t i) {
            const double after = a({round_index(i + 1, 65)});
            return std::pow(2 * a({i}) * a({round_index(i - 1, 65)}) + after * after, 2);
        });
    };
    check_close(curvature.read(), numeric_gradient(squares, x), 1e-6, 1e-6);
}

}  // namespace fuse::testing
