// SPDX-License-Identifier: Apache-2.0
//
// Derivatives with respect to operands of fewer axes or of extent 1 that stand beside what counts positions:
// coordinates, masks of them, random numbers. What such an operand is combined with first has fewer axes, too, and yet
// another value at each place. Against central differences of plain loops in double.
#include "lang/gradient_cases.hpp"

#include <functional>

#include "support/host_target.hpp"

using namespace fuse::testing;
using fuse::index_t;

namespace {

constexpr index_t rows = 5;
constexpr index_t columns = 7;

/// The elements of a row or column of one value per place.
using Place = std::function<double(index_t r, index_t c)>;

NdArray random_numbers() {
    NdArray numbers({rows, columns});
    fuse::eval(fuse::host, fuse::view<"u">(numbers.value.data(), rows, columns) = fuse::uniform<7>());
    return numbers;
}

double over_all(index_t from_row, index_t to_row, const Place& f) {
    double total = 0;
    for (index_t r = from_row; r < to_row; ++r) {
        for (index_t c = 0; c < columns; ++c) {
            total += f(r, c);
        }
    }
    return total;
}
double over_all(const Place& f) {
    return over_all(0, rows, f);
}

/// A loss of x, rows x columns, and v, which broadcasts to it; the same of functions of the place.
template <class F>
struct Way {
    const char* name;
    F expression;
    std::function<double(const Place& x, const Place& v)> formula;
};
template <class F>
Way(const char*, F, std::function<double(const Place&, const Place&)>) -> Way<F>;

double number(index_t i) {
    return static_cast<double>(i);
}

/// f of each: ways whose loss is one fold of a map.
template <class F>
void for_ways_of_maps(F f) {
    f(Way{"sum(x * (v * index<0>()))",
          [](const auto& x, const auto& v) { return sum(x * (v * fuse::cast<double>(fuse::index<0>()))); },
          [](const Place& x, const Place& v) {
              return over_all([&](index_t r, index_t c) { return x(r, c) * v(r, c) * number(r); });
          }});
    f(Way{"sum(sin(x + v * index<1>()))",
          [](const auto& x, const auto& v) { return sum(sin(x + v * fuse::index<1>())); },
          [](const Place& x, const Place& v) {
              return over_all([&](index_t r, index_t c) { return std::sin(x(r, c) + v(r, c) * number(c)); });
          }});
    f(Way{"sum(square(x + v * uniform<7>()) * v)",
          [](const auto& x, const auto& v) { return sum(square(x + v * fuse::uniform<7>()) * v); },
          [numbers = random_numbers()](const Place& x, const Place& v) {
              return over_all([&](index_t r, index_t c) {
                  return std::pow(x(r, c) + v(r, c) * numbers({r, c}), 2) * v(r, c);
              });
          }});
    f(Way{"sum(square(x - where(index<0>() == 2, 2 * v, v * v) / (1 + index<1>())))",
          [](const auto& x, const auto& v) {
              return sum(square(x - where(fuse::index<0>() == 2, 2 * v, v * v) / (1 + fuse::index<1>())));
          },
          [](const Place& x, const Place& v) {
              return over_all([&](index_t r, index_t c) {
                  const double a = v(r, c);
                  return std::pow(x(r, c) - (r == 2 ? 2 * a : a * a) / (1 + number(c)), 2);
              });
          }});
}
/// Of masks, of all positions, and what is folded along one axis.
template <class F>
void for_ways_of_folds(F f) {
    f(Way{
        "sum(where(index<1>() <= index<0>(), v * v, 0) * x)",
        [](const auto& x, const auto& v) { return sum(where(fuse::index<-1>() <= fuse::index<0>(), v * v, 0.0) * x); },
        [](const Place& x, const Place& v) {
            return over_all([&](index_t r, index_t c) { return c <= r ? v(r, c) * v(r, c) * x(r, c) : 0; });
        }});
    f(Way{"sum(square(sum(x * (v * index<0>()), axes<1>)))",
          [](const auto& x, const auto& v) { return sum(square(sum(x * (v * fuse::index<0>()), fuse::axes<1>))); },
          [](const Place& x, const Place& v) {
              double total = 0;
              for (index_t i = 0; i < rows; ++i) {
                  total += std::pow(
                      over_all(i, i + 1, [&](index_t r, index_t c) { return x(r, c) * v(r, c) * number(r); }), 2);
              }
              return total;
          }});
    f(Way{"sum(x * exp(v * flat_index() / 40))",
          [](const auto& x, const auto& v) { return sum(x * exp(v * fuse::flat_index() / 40)); },
          [](const Place& x, const Place& v) {
              return over_all(
                  [&](index_t r, index_t c) { return x(r, c) * std::exp(v(r, c) * number(r * columns + c) / 40); });
          }});
    f(Way{"sum(x * (v * index<0>())) + sum(square(mean(exp(x) * (v * index<0>()), axes<0>)))",
          [](const auto& x, const auto& v) {
              const auto scaled = v * fuse::index<0>();
              return sum(x * scaled) + sum(square(mean(exp(x) * scaled, fuse::axes<0>)));
          },
          [](const Place& x, const Place& v) {
              double total = over_all([&](index_t r, index_t c) { return x(r, c) * v(r, c) * number(r); });
              for (index_t c = 0; c < columns; ++c) {
                  double column = 0;
                  for (index_t r = 0; r < rows; ++r) {
                      column += std::exp(x(r, c)) * v(r, c) * number(r) / number(rows);
                  }
                  total += column * column;
              }
              return total;
          }});
}

/// What takes the compiler longest.
template <class F>
void for_ways_of_rows_and_scans(F f) {
    f(Way{"sum(logsumexp(where(index<1>() <= index<0>(), v, -3) + x, axes<1>))",
          [](const auto& x, const auto& v) {
              return sum(logsumexp(where(fuse::index<1>() <= fuse::index<0>(), v, -3.0) + x, fuse::axes<1>));
          },
          [](const Place& x, const Place& v) {
              double total = 0;
              for (index_t i = 0; i < rows; ++i) {
                  total += std::log(over_all(
                      i, i + 1, [&](index_t r, index_t c) { return std::exp((c <= r ? v(r, c) : -3) + x(r, c)); }));
              }
              return total;
          }});
    f(Way{"sum(square(cumsum(x * (v - index<1>()), axes<0>)))",
          [](const auto& x, const auto& v) { return sum(square(cumsum(x * (v - fuse::index<1>()), fuse::axes<0>))); },
          [](const Place& x, const Place& v) {
              double total = 0;
              for (index_t c = 0; c < columns; ++c) {
                  double running = 0;
                  for (index_t r = 0; r < rows; ++r) {
                      running += x(r, c) * (v(r, c) - number(c));
                      total += running * running;
                  }
              }
              return total;
          }});
}

/// The value of `a` at a place; where it has no axis there, or an extent of 1, the same along it.
Place place_of(const NdArray& a) {
    return [&a](index_t r, index_t c) {
        Coordinate at;
        for (std::size_t i = 0; i < a.extent.size(); ++i) {
            at.push_back(a.extent[i] == 1 ? 0 : i + 2 == a.extent.size() ? r : c);
        }
        return a(at);
    };
}

/// view_of: the view of v, which has this extent, of a pointer.
template <bool ValueBeside, class View, class Way>
void check_way(const Way& way, const Extent& extent, View view_of) {
    INFO(way.name << ", v " << to_text(extent));
    const HostTarget target;
    const NdArray x = random_reals({rows, columns}, -1, 1, 3);
    const NdArray v = random_reals(extent, 0.5, 1.5, 4);
    Tensor<HostTarget, double> x_data(x);
    Tensor<HostTarget, double> v_data(v);
    Tensor<HostTarget, double> value{Extent{}};
    Tensor<HostTarget, double> slope(extent);
    const auto u = x_data.const_view<"x", 2>();
    const auto w = view_of.template operator()<"v">(static_cast<const double*>(v_data.origin()));
    const auto dw = view_of.template operator()<"dv">(slope.origin());
    const auto loss = way.expression(u, w);
    const auto formula = [&](const NdArray& a) { return way.formula(place_of(x), place_of(a)); };
    if constexpr (ValueBeside) {
        target.eval(value.view<"value", 0>() = loss, dw = gradient(loss, w));
    } else {
        target.eval(value.view<"value", 0>() = loss);
        target.eval(dw = gradient(loss, w));
    }
    check_close(value.read(), NdArray(Extent{}, formula(v)), 1e-12, 1e-12);
    check_close(slope.read(), numeric_gradient(formula, v), 1e-7, 1e-7);
}

/// Each way with respect to a line. Of a column of extent 1 and of a single value there are four ways each.
void check_operands() {
    using fuse::dynamic, fuse::extents, fuse::fixed_name, fuse::view;
    const auto line = []<fixed_name N>(auto* p) { return view<N>(p, columns); };
    for_ways_of_maps([&](const auto& way) {
        check_way<true>(way, {columns}, line);
        check_way<false>(way, {}, []<fixed_name N>(auto* p) { return view<N>(p, fuse::shape()); });
    });
    for_ways_of_folds([&](const auto& way) {
        check_way<false>(way, {columns}, line);
        check_way<false>(way, {rows, 1}, []<fixed_name N>(auto* p) { return view<N>(p, extents<dynamic, 1>{rows}); });
    });
    for_ways_of_rows_and_scans([&](const auto& way) { check_way<false>(way, {columns}, line); });
}

}  // namespace

TEST_CASE("gradients of what is broadcast beside coordinates") {
    check_operands();
}

namespace {

/// gradient(loss(v, x), v) of a line v and a matrix x.
template <class F, class Formula>
void check_line(const char* name, index_t n, F loss, Formula formula) {
    INFO(name);
    NdArray x = random_reals({rows, columns}, -1, 1, 5);
    NdArray v = random_reals({n}, 0.5, 1.5, 6);
    NdArray slope({n});
    const auto u = fuse::view<"x">(x.value.data(), rows, columns);
    const auto w = fuse::view<"v">(v.value);
    fuse::eval(fuse::host, fuse::view<"dv">(slope.value) = gradient(loss(w, u), w));
    check_close(slope, numeric_gradient([&](const NdArray& a) { return formula(a, x); }, v), 1e-7, 1e-7);
}

}  // namespace

TEST_CASE("expanded operands, functors with state and let values count in what they stand in") {
    const auto each = [](auto f) {
        return [f](const NdArray& v, const NdArray& x) {
            return over_all([&](index_t r, index_t c) { return x({r, c}) * f(v, r, c); });
        };
    };
    check_line(
        "expand_dims<1>(v * index<0>() + index<1>() * v)", rows,
        [](const auto& v, const auto& x) {
            return sum(x * fuse::expand_dims<1>(exp(v * fuse::index<0>() + fuse::index<1>() * v)));
        },
        each([](const NdArray& v, index_t r, index_t c) {
            return std::exp(v({r}) * static_cast<double>(r) + static_cast<double>(c) * v({r}));
        }));
    const double power = 1.5;
    check_line(
        "map(a functor with state, v * index<0>())", columns,
        [power](const auto& v, const auto& x) {
            return sum(x * map([power](auto a) { return pow(a, power); }, v * (1 + fuse::index<0>())));
        },
        each([power](const NdArray& v, index_t r, index_t c) {
            return std::pow(v({c}) * static_cast<double>(1 + r), power);
        }));
    check_line(
        "let(x * (v * index<0>()), square)", columns,
        [](const auto& v, const auto& x) {
            return sum(fuse::let(x * (v * fuse::index<0>()), [](const auto& e) { return e * e + e; }));
        },
        [](const NdArray& v, const NdArray& x) {
            return over_all([&](index_t r, index_t c) {
                const double e = x({r, c}) * v({c}) * static_cast<double>(r);
                return e * e + e;
            });
        });
    check_line(
        "what is named beside coordinates", columns,
        [](const auto& v, const auto& x) { return sum(x * (fuse::named<"h">(v * v) * fuse::index<0>())); },
        each([](const NdArray& v, index_t r, index_t c) { return v({c}) * v({c}) * static_cast<double>(r); }));
}

TEST_CASE("a vector-Jacobian product and the derivative of a derivative beside coordinates") {
    const NdArray x = random_reals({rows, columns}, -1, 1, 5);
    const NdArray v = random_reals({columns}, 0.5, 1.5, 6);
    const auto at = [&](const NdArray& a, index_t r, index_t c) {
        return std::exp(a({c}) * static_cast<double>(r) / 4);
    };
    NdArray slope({columns}), second({columns});
    const auto u = fuse::view<"x">(x.value.data(), rows, columns);
    const auto w = fuse::view<"v">(v.value);
    const auto y = exp(w * fuse::index<0>() / 4.0) + 0 * u;
    fuse::eval(fuse::host, fuse::view<"dv">(slope.value) = vjp(y, w, u));
    const auto product = [&](const NdArray& a) {
        return over_all([&](index_t r, index_t c) { return x({r, c}) * at(a, r, c); });
    };
    check_close(slope, numeric_gradient(product, v), 1e-7, 1e-7);

    fuse::eval(fuse::host, fuse::view<"d2v">(second.value) = gradient(sum(gradient(sum(u * y), w) * w), w));
    const auto along = [&](const NdArray& a) {
        return over_all([&](index_t r, index_t c) {
            return x({r, c}) * at(a, r, c) * a({c}) * static_cast<double>(r) / 4;
        });
    };
    check_close(second, numeric_gradient(along, v), 1e-7, 1e-7);
}

TEST_CASE("a derivative with coordinates is the same beside what has more axes") {
    const NdArray v = random_reals({columns}, 0.5, 1.5, 6);
    NdArray z = random_reals({rows, columns}, -1, 1, 5);
    NdArray sum_of({rows, columns});
    const auto w = fuse::view<"v">(v.value);
    const auto u = fuse::view<"z">(z.value.data(), rows, columns);
    fuse::eval(fuse::host,
               fuse::view<"y">(sum_of.value.data(), rows, columns) = u + gradient(sum(w * w * fuse::index<0>()), w));
    for_each_coordinate(z.extent, [&](const Coordinate& at) { z(at) += 2 * v({at[1]}) * static_cast<double>(at[1]); });
    check_close(sum_of, z, 1e-12, 1e-12);
}
