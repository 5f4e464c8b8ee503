// SPDX-License-Identifier: Apache-2.0
//
// Derivatives with respect to one array that stands along two axes: distances of pairs, Gram matrices, similarities.
// Against central differences of plain loops in double.
#include <functional>

#include "lang/gradient_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;
using fuse::axes;
using fuse::expand_dims;
using fuse::index_t;

namespace {

constexpr index_t count = 5;
constexpr index_t features = 3;

using Pair = std::function<double(index_t i, index_t j)>;

double over_pairs(index_t n, const Pair& f) {
    double total = 0;
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < n; ++j) {
            total += f(i, j);
        }
    }
    return total;
}

/// loss(x, w): of x with this extent and of weights of pairs, n x n. Beside: the loss and its gradient in one kernel.
template <int Rank, bool Beside, class Target, class Loss, class Formula>
void check_pairs(const Target& target, const char* name, const Extent& extent, index_t n, Loss loss, Formula formula) {
    INFO(name);
    const NdArray x = random_reals(extent, -1, 1, 71);
    const NdArray w = random_reals({n, n}, 0.5, 1.5, 72);
    Tensor<Target, double> x_data(x);
    Tensor<Target, double> w_data(w);
    Tensor<Target, double> value{Extent{}};
    Tensor<Target, double> slope(extent);
    const auto u = x_data.template const_view<"x", Rank>();
    const auto l = loss(u, w_data.template const_view<"w", 2>());
    if constexpr (Beside) {
        target.eval(value.template view<"l", 0>() = l, slope.template view<"dx", Rank>() = gradient(l, u));
    } else {
        target.eval(value.template view<"l", 0>() = l);
        target.eval(slope.template view<"dx", Rank>() = gradient(l, u));
    }
    check_close(value.read(), NdArray(Extent{}, formula(x, w)), 1e-12, 1e-12);
    const NdArray wanted = numeric_gradient([&](const NdArray& a) { return formula(a, w); }, x);
    check_close(slope.read(), wanted, 1e-7, 1e-8);
}

double row_product(const NdArray& a, index_t i, index_t j) {
    double total = 0;
    for (index_t k = 0; k < features; ++k) {
        total += a({i, k}) * a({j, k});
    }
    return total;
}
double column_product(const NdArray& a, index_t i, index_t j) {
    double total = 0;
    for (index_t k = 0; k < count; ++k) {
        total += a({k, i}) * a({k, j});
    }
    return total;
}
double distance(const NdArray& a, index_t i, index_t j) {
    return row_product(a, i, i) - 2 * row_product(a, i, j) + row_product(a, j, j);
}

template <class X>
auto row_products(const X& x) {
    return sum(expand_dims<1>(x) * expand_dims<0>(x), axes<2>);
}

template <class Target>
void check_lines(const Target& target) {
    check_pairs<1, true>(
        target, "sum(w * square(x[:, None] - 2 * x))", {count}, count,
        [](const auto& x, const auto& w) { return sum(w * square(expand_dims<1>(x) - 2 * expand_dims<0>(x))); },
        [](const NdArray& a, const NdArray& w) {
            return over_pairs(count, [&](index_t i, index_t j) {
                return w({i, j}) * std::pow(a({i}) - 2 * a({j}), 2);
            });
        });
    check_pairs<1, false>(
        target, "x of no new axis", {count}, count,
        [](const auto& x, const auto& w) { return sum(w * exp(expand_dims<1>(x) * x)) + sum(x * x * x); },
        [](const NdArray& a, const NdArray& w) {
            double total = 0;
            for (index_t i = 0; i < count; ++i) {
                total += std::pow(a({i}), 3);
            }
            return total + over_pairs(count, [&](index_t i, index_t j) {
                       return w({i, j}) * std::exp(a({i}) * a({j}));
                   });
        });
}

template <class Target>
void check_rows(const Target& target) {
    const Extent extent = {count, features};
    check_pairs<2, false>(
        target, "a kernel of distances", extent, count,
        [](const auto& x, const auto& w) {
            return sum(w * exp(-sum(square(expand_dims<1>(x) - expand_dims<0>(x)), axes<2>)));
        },
        [](const NdArray& a, const NdArray& w) {
            return over_pairs(count, [&](index_t i, index_t j) { return w({i, j}) * std::exp(-distance(a, i, j)); });
        });
    check_pairs<2, true>(
        target, "logsumexp of similarities", extent, count,
        [](const auto& x, const auto& w) { return sum(logsumexp(row_products(tanh(x)) * w, axes<1>)); },
        [](const NdArray& a, const NdArray& w) {
            NdArray t = a;
            for (double& v : t.value) {
                v = std::tanh(v);
            }
            double total = 0;
            for (index_t i = 0; i < count; ++i) {
                double sum = 0;
                for (index_t j = 0; j < count; ++j) {
                    sum += std::exp(row_product(t, i, j) * w({i, j}));
                }
                total += std::log(sum);
            }
            return total;
        });
    check_pairs<2, true>(
        target, "a Gram matrix of columns", extent, features,
        [](const auto& x, const auto& w) {
            return sum(square(sum(expand_dims<2>(x) * expand_dims<1>(x), axes<0>) - w));
        },
        [](const NdArray& a, const NdArray& w) {
            return over_pairs(features, [&](index_t i, index_t j) {
                return std::pow(column_product(a, i, j) - w({i, j}), 2);
            });
        });
    check_pairs<2, false>(
        target, "a Gram matrix of columns and sums of them", extent, features,
        [](const auto& x, const auto& w) {
            return sum(square(sum(expand_dims<2>(x) * expand_dims<1>(x), axes<0>) * w)) + sum(exp(sum(x, axes<0>)));
        },
        [](const NdArray& a, const NdArray& w) {
            double total = 0;
            for (index_t j = 0; j < features; ++j) {
                double column = 0;
                for (index_t i = 0; i < count; ++i) {
                    column += a({i, j});
                }
                total += std::exp(column);
            }
            return total + over_pairs(features, [&](index_t i, index_t j) {
                       return std::pow(column_product(a, i, j) * w({i, j}), 2);
                   });
        });
}

}  // namespace

TEST_CASE("gradients of pairs of elements") {
    check_lines(HostTarget());
}
TEST_CASE("gradients of pairs of rows and columns") {
    check_rows(HostTarget());
}
TEST_CASE("gradients of pairs on the emulated device") {
    check_lines(EmulatedTarget());
}

TEST_CASE("the plan of pairs: one walk, and one before it where distances are folded first") {
    double numbers[8] = {}, slopes[8] = {}, value = 0;
    const auto l = fuse::view<"l">(&value, fuse::shape());
    const auto line = fuse::view<"x">(numbers, 8);
    const auto squares = sum(square(expand_dims<1>(line) - 2 * expand_dims<0>(line)));
    const auto both = fuse::view<"dx">(slopes, 8) = gradient(squares, line);
    STATIC_REQUIRE(fuse::plan<decltype(l = squares), decltype(both)>::steps == 1);
    const auto rows = fuse::view<"x">(numbers, 4, 2);
    const auto energy = sum(exp(-sum(square(expand_dims<1>(rows) - expand_dims<0>(rows)), axes<2>)));
    STATIC_REQUIRE(fuse::plan<decltype(fuse::view<"dx">(slopes, 4, 2) = gradient(energy, rows))>::steps == 2);
}

TEST_CASE("lines of one element, of none, of static extents") {
    const std::vector<double> x = {1, 2, -3};
    std::vector<double> slope(3);
    const auto check = [&](const auto& u, const auto& du, std::size_t n) {
        fuse::eval(fuse::host, du = gradient(sum(square(expand_dims<1>(u) - 2 * expand_dims<0>(u))), u));
        for (std::size_t i = 0; i < n; ++i) {
            double wanted = 0;
            for (std::size_t j = 0; j < n; ++j) {
                wanted += 2 * (x[i] - 2 * x[j]) - 4 * (x[j] - 2 * x[i]);
            }
            CHECK(slope[i] == wanted);
        }
    };
    for (const std::size_t n : {0U, 1U, 3U}) {
        const auto extent = static_cast<index_t>(n);
        check(fuse::view<"x">(x.data(), extent), fuse::view<"dx">(slope.data(), extent), n);
    }
    check(fuse::view<"x">(x.data(), fuse::extents<1>{}), fuse::view<"dx">(slope.data(), fuse::extents<1>{}), 1);
    check(fuse::view<"x">(x.data(), fuse::extents<3>{}), fuse::view<"dx">(slope.data(), fuse::extents<3>{}), 3);
}

TEST_CASE("an array along three axes, and a vector-Jacobian product of pairs") {
    const NdArray x = random_reals({count}, -1, 1, 73);
    const NdArray w = random_reals({count, count}, 0.5, 1.5, 74);
    NdArray slope({count});
    const auto u = fuse::view<"x">(x.value);
    const auto v = fuse::view<"w">(w.value.data(), count, count);
    const auto dx = fuse::view<"dx">(slope.value);

    const auto triple = expand_dims<1>(expand_dims<1>(u)) * expand_dims<1>(sin(u)) * exp(u);
    fuse::eval(fuse::host, dx = gradient(sum(triple * expand_dims<0>(v)), u));
    const auto triples = [&](const NdArray& a) {
        double total = 0;
        for (index_t i = 0; i < count; ++i) {
            total += over_pairs(count, [&](index_t j, index_t k) {
                return a({i}) * std::sin(a({j})) * std::exp(a({k})) * w({j, k});
            });
        }
        return total;
    };
    check_close(slope, numeric_gradient(triples, x), 1e-7, 1e-8);

    fuse::eval(fuse::host, dx = vjp(expand_dims<1>(u) * expand_dims<0>(u * u), u, v));
    const auto product = [&](const NdArray& a) {
        return over_pairs(count, [&](index_t i, index_t j) { return a({i}) * a({j}) * a({j}) * w({i, j}); });
    };
    check_close(slope, numeric_gradient(product, x), 1e-7, 1e-8);
}

TEST_CASE("gradients of transposed losses, and of pairs in transposed and counted arrays") {
    const Extent extent = {count, features};
    const NdArray x = random_reals(extent, -1, 1, 75);
    NdArray slope(extent);
    const auto u = fuse::view<"x">(x.value.data(), count, features);
    const auto check = [&](const char* name, const auto& loss, const auto& formula) {
        INFO(name);
        fuse::eval(fuse::host, fuse::view<"dx">(slope.value.data(), count, features) = gradient(loss, u));
        check_close(slope, numeric_gradient(formula, x), 1e-7, 1e-8);
    };
    const NdArray w = random_reals({features, count}, -1, 1, 76);
    const auto e = exp(u);
    check("a transposed softmax",
          sum(transpose(e / expand_dims<1>(sum(e, axes<1>))) * fuse::view<"w">(w.value.data(), features, count)),
          [&](const NdArray& a) {
              double total = 0;
              for (index_t i = 0; i < count; ++i) {
                  double weights = 0;
                  for (index_t k = 0; k < features; ++k) {
                      weights += std::exp(a({i, k}));
                  }
                  for (index_t k = 0; k < features; ++k) {
                      total += std::exp(a({i, k})) / weights * w({k, i});
                  }
              }
              return total;
          });
    const auto t = transpose(u);
    check("products of the rows of a transpose", sum(square(sum(expand_dims<1>(t) * expand_dims<0>(t), axes<2>))),
          [](const NdArray& a) {
              return over_pairs(features, [&](index_t i, index_t j) { return std::pow(column_product(a, i, j), 2); });
          });
    check("pairs below a diagonal",
          sum(where(fuse::index<0>() < fuse::index<1>(), exp(expand_dims<1>(u) - expand_dims<0>(u)), 0.0)),
          [](const NdArray& a) {
              return over_pairs(count, [&](index_t i, index_t j) {
                  double total = 0;
                  for (index_t k = 0; k < features && i < j; ++k) {
                      total += std::exp(a({i, k}) - a({j, k}));
                  }
                  return total;
              });
          });
}
