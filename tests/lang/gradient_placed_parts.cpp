// SPDX-License-Identifier: Apache-2.0
//
// Derivatives through parts of what is stretched, of differences and of what is padded, in which an axis is cut and another
// one is not, against central differences of plain loops in double.
#include "lang/gradient_part_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

namespace {

/// f(x, w) derived with respect to x, a row or a column by its type, which w of k x n or n x k stretches, against central
/// differences of formula(x, w) of the row and w of k x n.
template <bool Column, class F, class Formula>
void check_static_row(F f, Formula formula) {
    for (const auto& [k, n] : {std::pair<fuse::index_t, fuse::index_t>{3, 4}, {1, 5}, {2, 1}, {0, 3}, {2, 0}}) {
        INFO(k << " x " << n << (Column ? ", of a column" : ", of a row"));
        const NdArray row = random_reals({n}, -1, 1, 9);
        const NdArray w = random_reals({k, n}, 0.5, 2, 9);
        Numbers data = row.value, weights = w.value, slope(row.value.size(), 77);
        const auto matrix = fuse::view<"w">(weights.data(), k, n);
        if constexpr (Column) {
            const auto x = fuse::view<"x">(data.data(), fuse::extents<fuse::dynamic, 1>{n});
            fuse::eval(fuse::host,
                       fuse::view<"dx">(slope.data(), n, 1) = gradient(f(x, fuse::view<"wt">(transpose(matrix))), x));
        } else {
            const auto x = fuse::view<"x">(data.data(), fuse::extents<1, fuse::dynamic>{n});
            fuse::eval(fuse::host, fuse::view<"dx">(slope.data(), 1, n) = gradient(f(x, matrix), x));
        }
        const auto wanted = numeric_gradient([&](const NdArray& a) { return formula(a, w); }, row);
        check_close(filled_with({n}, [&](fuse::index_t i) { return slope[static_cast<std::size_t>(i)]; }), wanted, 1e-7,
                    1e-7);
    }
}

}  // namespace

TEST_CASE("gradients through parts along an axis where the variable has one element by its type") {
    const auto of_rows = [](auto f) {
        return [f](const NdArray& x, const NdArray& w) {
            const fuse::index_t k = w.extent[0];
            return added_up(w.extent[1], [&](fuse::index_t j) {
                return added_up(k, [&](fuse::index_t i) { return f(x({j}), w, i, j); });
            });
        };
    };
    // Of what it is multiplied with all but the first row, twice; rows in the other order; differences of rows.
    check_static_row<false>([](const auto& x, const auto& w) { return sum(square(slice<0>(w * x, 1, {}))); },
                            of_rows([](double x, const NdArray& w, fuse::index_t i, fuse::index_t j) {
                                return i > 0 ? std::pow(x * w({i, j}), 2) : 0;
                            }));
    check_static_row<true>([](const auto& x, const auto& w) { return sum(exp(flip(x * w)) * w); },
                           of_rows([](double x, const NdArray& w, fuse::index_t i, fuse::index_t j) {
                               const fuse::index_t k = w.extent[0], n = w.extent[1];
                               return std::exp(x * w({i, j})) * w({k - 1 - i, n - 1 - j});
                           }));
    check_static_row<false>(
        [](const auto& x, const auto& w) { return sum(flip<0>(x) * w * roll(x, 3, fuse::axes<0>)); },
        of_rows([](double x, const NdArray& w, fuse::index_t i, fuse::index_t j) {
            return x * x * w({i, j});
        }));
    check_static_row<true>(
        [](const auto& x, const auto& w) { return sum(square(diff(w * sin(x), fuse::axes<1>)) * slice<1>(w, 1, {})); },
        of_rows([](double x, const NdArray& w, fuse::index_t i, fuse::index_t j) {
            return i > 0 ? std::pow((w({i, j}) - w({i - 1, j})) * std::sin(x), 2) * w({i, j}) : 0;
        }));
    // Padded by a row of 0.5 and one of w, of it alone and of a product.
    check_static_row<false>(
        [](const auto& x, const auto& w) {
            const auto around = pad(x * w, 1, 0, fuse::axes<0>, 0.5);
            return sum(square(around)) + sum(slice<0>(pad(x * x, 0, 1, fuse::axes<0>), 0, 1));
        },
        [](const NdArray& x, const NdArray& w) {
            return added_up(w.extent[1], [&](fuse::index_t j) {
                return x({j}) * x({j}) + 0.25 + added_up(w.extent[0], [&](fuse::index_t i) {
                           return std::pow(x({j}) * w({i, j}), 2);
                       });
            });
        });
    // Without another operand along the axis it is one element, or none.
    check_static_row<false>(
        [](const auto& x, const auto&) {
            return sum(square(slice<0>(sin(x), 0, 1))) + sum(slice<0>(x, 1, 1)) + sum(diff(exp(x), fuse::axes<0>));
        },
        [](const NdArray& x, const NdArray& w) {
            return added_up(w.extent[1], [&](fuse::index_t j) { return std::pow(std::sin(x({j})), 2); });
        });
}

TEST_CASE("gradients through parts of differences, and differences of parts") {
    using fuse::axes;
    for (const Extent& extent : {Extent{4, 5}, {3, 3}, {1, 3}, {3, 2}, {2, 1}, {0, 4}}) {
        const fuse::index_t m = extent[0], n = extent[1];
        const NdArray x = random_reals({m, n}, -1, 1, 9);
        const auto check = [&](auto f, auto formula) {
            check_part_gradient<2>(HostTarget(), x, Placement::padded, f, formula);
        };
        const auto each_of = [](fuse::index_t k, fuse::index_t l, auto f) {
            return added_up(k, [&](fuse::index_t i) { return added_up(l, [&](fuse::index_t j) { return f(i, j); }); });
        };
        // Curvature along an axis, and along both of them.
        check([](const auto& v) { return sum(exp(diff(diff(v, axes<1>), axes<1>))); },
              [=](const NdArray& a) {
                  return each_of(m, n - 2, [&](fuse::index_t i, fuse::index_t j) {
                      return std::exp(a({i, j + 2}) - 2 * a({i, j + 1}) + a({i, j}));
                  });
              });
        check(
            [](const auto& v) {
                return sum(diff(diff(v, axes<1>), axes<0>) * slice<0>(slice<1>(v * v, 1, {}), 1, {}));
            },
            [=](const NdArray& a) {
                return each_of(m - 1, n - 1, [&](fuse::index_t i, fuse::index_t j) {
                    const double twist = a({i + 1, j + 1}) - a({i + 1, j}) - a({i, j + 1}) + a({i, j});
                    return twist * a({i + 1, j + 1}) * a({i + 1, j + 1});
                });
            });
        // Every second difference, backwards; of what is shifted round.
        check([](const auto& v) { return sum(exp(flip(slice<1>(diff(v, axes<1>), 0, {}, 2)))); },
              [=](const NdArray& a) {
                  return each_of(m, n / 2, [&](fuse::index_t i, fuse::index_t j) {
                      return std::exp(a({i, 2 * j + 1}) - a({i, 2 * j}));
                  });
              });
        check([](const auto& v) { return sum(square(diff(slice<1>(roll(v, 1, axes<0>), {}, {}, -2), axes<1>))); },
              [=](const NdArray& a) {
                  return each_of(m, (n - 1) / 2, [&](fuse::index_t i, fuse::index_t j) {
                      return std::pow(a({i, n - 3 - 2 * j}) - a({i, n - 1 - 2 * j}), 2);
                  });
              });
        // Differences of parts: of a transpose, of every second column backwards.
        check(
            [](const auto& v) {
                return sum(exp(diff(transpose(v)))) + sum(square(diff(slice<1>(v, {}, {}, -2), axes<1>)));
            },
            [=](const NdArray& a) {
                return each_of(m - 1, n,
                               [&](fuse::index_t i, fuse::index_t j) {
                                   return std::exp(a({i + 1, j}) - a({i, j}));
                               }) +
                       each_of(m, (n - 1) / 2, [&](fuse::index_t i, fuse::index_t j) {
                           return std::pow(a({i, n - 3 - 2 * j}) - a({i, n - 1 - 2 * j}), 2);
                       });
            });
        if (m > 0 && n > 1) {
            check([](const auto& v) { return sum(square(diff(diff(v[-1])))) + exp(diff(v, axes<1>)[0][0]); },
                  [=](const NdArray& a) {
                      return std::exp(a({0, 1}) - a({0, 0})) + added_up(n - 2, [&](fuse::index_t j) {
                                 return std::pow(a({m - 1, j + 2}) - 2 * a({m - 1, j + 1}) + a({m - 1, j}), 2);
                             });
                  });
        }
    }
}

TEST_CASE("gradients of what folds and scans along the axes that pad leaves as they are") {
    using fuse::axes;
    for (const Extent& extent : {Extent{4, 5}, {1, 3}, {3, 1}, {2, 0}}) {
        const fuse::index_t m = extent[0], n = extent[1];
        const NdArray x = random_reals(extent, -1, 1, 9);
        const auto check = [&](auto f, auto formula) {
            check_part_gradient<2>(HostTarget(), x, Placement::padded, f, formula);
        };
        // Element i of column j, with a column of fills before and two behind it.
        const auto at = [n](const NdArray& a, fuse::index_t i, fuse::index_t j, double fill) {
            return j < 1 || j > n ? fill : a({i, j - 1});
        };
        check([](const auto& v) { return sum(square(softmax(pad(v, 1, 2, axes<1>), axes<0>))); },
              [=](const NdArray& a) {
                  return added_up(n + 3, [&](fuse::index_t j) {
                      const double all = added_up(m, [&](fuse::index_t i) { return std::exp(at(a, i, j, 0)); });
                      return added_up(m, [&](fuse::index_t i) { return std::pow(std::exp(at(a, i, j, 0)) / all, 2); });
                  });
              });
        // Of neighbouring columns of a ring, the products of their rows from the first on.
        check(
            [](const auto& v) {
                const auto around = pad(roll(v, 1, axes<1>), 1, 2, axes<1>, 0.5);
                return sum(cumprod(slice<1>(around, 0, -2) * slice<1>(around, 1, -1), axes<0>));
            },
            [=](const NdArray& a) {
                return added_up(n + 1, [&](fuse::index_t j) {
                    double product = 1;
                    return added_up(m, [&](fuse::index_t i) {
                        const auto turned_round = [&](fuse::index_t k) {
                            return k < 1 || k > n ? 0.5 : a({i, round_index(k - 2, n)});
                        };
                        product *= turned_round(j) * turned_round(j + 1);
                        return product;
                    });
                });
            });
        // Rows before and behind, of a transpose.
        check([](const auto& v) { return sum(exp(max(pad(transpose(v), 0, 1, axes<0>, 0.25), axes<1>))); },
              [=](const NdArray& a) {
                  return std::exp(0.25) + added_up(n, [&](fuse::index_t j) {
                             double most = a({0, j});
                             for (fuse::index_t i = 1; i < m; ++i) {
                                 most = std::max(most, a({i, j}));
                             }
                             return std::exp(most);
                         });
              });
    }
}

TEST_CASE("a loss of a Laplacian on a ring beside its gradient") {
    constexpr fuse::index_t rows = 6, columns = 5;
    const NdArray x = random_reals({rows, columns}, -1, 1, 10);
    const auto laplacian = [](const NdArray& a) {
        NdArray result(a.extent);
        for_each_coordinate(a.extent, [&](const Coordinate& at) {
            const fuse::index_t i = at[0], j = at[1];
            result(at) = a({(i + 1) % rows, j}) + a({(i + rows - 1) % rows, j}) + a({i, (j + 1) % columns}) +
                         a({i, (j + columns - 1) % columns}) - 4 * a(at);
        });
        return result;
    };
    Numbers data = x.value, slope(data.size());
    double loss = 0;
    const auto u = fuse::view<"u">(data.data(), rows, columns);
    const auto around = [&u](fuse::index_t shift) {
        return roll(u, shift, fuse::axes<0>) + roll(u, shift, fuse::axes<1>);
    };
    const auto squares = sum(square(around(1) + around(-1) - 4 * u));
    fuse::eval(fuse::host, fuse::view<"loss">(&loss, fuse::shape()) = squares,
               fuse::view<"du">(slope.data(), rows, columns) = gradient(squares, u));
    const NdArray residual = laplacian(x);
    double wanted = 0;
    for (const double r : residual.value) {
        wanted += r * r;
    }
    CHECK(loss == Catch::Approx(wanted).epsilon(1e-13));
    NdArray derived = laplacian(residual);  // its own adjoint
    for (double& d : derived.value) {
        d *= 2;
    }
    NdArray found({rows, columns});
    found.value = slope;
    check_close(found, derived, 1e-13, 1e-13);
}
