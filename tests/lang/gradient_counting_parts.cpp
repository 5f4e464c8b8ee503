// SPDX-License-Identifier: Apache-2.0
//
// Derivatives through parts of a view, transposed, cut, rolled or padded, that stand beside coordinates: those count in the
// part, and lie elsewhere in the view. Against central differences of plain loops in double.
#include "lang/gradient_cases.hpp"

#include <functional>

#include "fuse/nn.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;
using fuse::index_t;

namespace {

constexpr index_t rows = 6;
constexpr index_t columns = 7;

/// A part of rows x columns, and the same of an array.
template <class F>
struct PartOf {
    const char* name;
    F view;
    Extent extent;
    std::function<double(const NdArray& x, index_t i, index_t j)> element;  ///< j: 0 if it is a line

    NdArray of(const NdArray& x) const {
        NdArray part(extent);
        for_each_coordinate(extent,
                            [&](const Coordinate& at) { part(at) = element(x, at[0], at.size() > 1 ? at[1] : 0); });
        return part;
    }
};
template <class F, class Element>
PartOf(const char*, F, Extent, Element) -> PartOf<F>;

/// check_products or check_mask of each, in turn, and both of a transpose.
template <class CheckProducts, class CheckMask>
void for_each_matrix(CheckProducts check_products, CheckMask check_mask) {
    using fuse::axes;
    const PartOf turned_round{"transpose(x)",
                              [](const auto& x) { return transpose(x); },
                              {columns, rows},
                              [](const NdArray& x, index_t i, index_t j) {
                                  return x({j, i});
                              }};
    check_products(turned_round);
    check_mask(turned_round);
    check_mask(PartOf{"slice<1>(x, 1, 6)",
                      [](const auto& x) { return fuse::slice<1>(x, 1, 6); },
                      {rows, 5},
                      [](const NdArray& x, index_t i, index_t j) {
                          return x({i, j + 1});
                      }});
    check_products(PartOf{"slice<0>(x, 0, 6, 2)",
                          [](const auto& x) { return fuse::slice<0>(x, 0, 6, 2); },
                          {3, columns},
                          [](const NdArray& x, index_t i, index_t j) {
                              return x({2 * i, j});
                          }});
    check_mask(PartOf{"transpose(flip<0>(x))",
                      [](const auto& x) { return transpose(fuse::flip<0>(x)); },
                      {columns, rows},
                      [](const NdArray& x, index_t i, index_t j) {
                          return x({rows - 1 - j, i});
                      }});
    check_products(PartOf{"roll(x, 2, axes<1>)",
                          [](const auto& x) { return roll(x, 2, axes<1>); },
                          {rows, columns},
                          [](const NdArray& x, index_t i, index_t j) {
                              return x({i, (j + columns - 2) % columns});
                          }});
    check_mask(PartOf{"pad(x, 2, 1, axes<0>)",
                      [](const auto& x) { return pad(x, 2, 1, axes<0>); },
                      {rows + 3, columns},
                      [](const NdArray& x, index_t i, index_t j) {
                          return i < 2 || i >= rows + 2 ? 0.0 : x({i - 2, j});
                      }});
    check_products(PartOf{"diff(x, axes<1>)",
                          [](const auto& x) { return diff(x, axes<1>); },
                          {rows, columns - 1},
                          [](const NdArray& x, index_t i, index_t j) {
                              return x({i, j + 1}) - x({i, j});
                          }});
}
template <class Check>
void for_each_line(Check check) {
    check(PartOf{"x[2]",
                 [](const auto& x) { return x[2]; },
                 {columns},
                 [](const NdArray& x, index_t i, index_t) {
                     return x({2, i});
                 }});
    check(PartOf{"transpose(x)[3]",
                 [](const auto& x) { return transpose(x)[3]; },
                 {rows},
                 [](const NdArray& x, index_t i, index_t) {
                     return x({i, 3});
                 }});
    check(PartOf{"slice<0>(x[4], 5, 1, -2)",
                 [](const auto& x) { return fuse::slice<0>(x[4], 5, 1, -2); },
                 {2},
                 [](const NdArray& x, index_t i, index_t) {
                     return x({4, 5 - 2 * i});
                 }});
    check(PartOf{"roll(x[1], -1)",
                 [](const auto& x) { return roll(x[1], -1); },
                 {columns},
                 [](const NdArray& x, index_t i, index_t) {
                     return x({1, (i + 1) % columns});
                 }});
}

/// loss: of the part; formula: of the same array.
template <class Target, class Part, class Loss, class Formula>
void check_part(const Target& target, const Part& part, const char* name, Loss loss, Formula formula) {
    INFO(name << " of " << part.name);
    const NdArray x = random_reals({rows, columns}, 0.5, 1.5, 7);
    Tensor<Target, double> data(x);
    Tensor<Target, double> value{Extent{}};
    Tensor<Target, double> slope(x.extent);
    const auto u = data.template const_view<"x", 2>();
    const auto l = loss(part.view(u));
    target.eval(value.template view<"value", 0>() = l);
    target.eval(slope.template view<"dx", 2>() = gradient(l, u));
    const auto of_whole = [&](const NdArray& a) { return formula(part.of(a)); };
    check_close(value.read(), NdArray(Extent{}, of_whole(x)), 1e-12, 1e-12);
    check_close(slope.read(), numeric_gradient(of_whole, x), 1e-7, 1e-7);
}

/// f(element, its place), added.
template <class F>
auto over_elements(F f) {
    return [f](const NdArray& a) {
        double total = 0;
        for_each_coordinate(a.extent, [&](const Coordinate& at) {
            total += f(a(at), static_cast<double>(at[0]), static_cast<double>(at[at.size() - 1]));
        });
        return total;
    };
}

template <class Target>
void check_matrices(const Target& target) {
    for_each_matrix(
        [&](const auto& part) {
            check_part(
                target, part, "sum(u^2 * (index<0>() + 3 * index<1>()))",
                [](const auto& u) { return sum(square(u) * (fuse::index<0>() + 3 * fuse::index<1>())); },
                over_elements([](double v, double i, double j) { return v * v * (i + 3 * j); }));
        },
        [&](const auto& part) {
            check_part(
                target, part, "sum(where(index<0>() < index<1>(), exp(u), u))",
                [](const auto& u) { return sum(where(fuse::index<0>() < fuse::index<1>(), exp(u), u)); },
                over_elements([](double v, double i, double j) { return i < j ? std::exp(v) : v; }));
        });
}

/// The losses of rows that belong to the column of their number, both ways.
double contrastive(const NdArray& s) {
    double total = 0;
    for (index_t r = 0; r < s.extent[0]; ++r) {
        double row = 0;
        for (index_t c = 0; c < s.extent[1]; ++c) {
            row += std::exp(s({r, c}) / 0.5);
        }
        total += std::log(row) - s({r, r}) / 0.5;
    }
    return total / static_cast<double>(s.extent[0]);
}

template <class Target>
void check_contrastive(const Target& target) {
    const NdArray x = random_reals({rows, rows}, -1, 1, 8);
    Tensor<Target, double> data(x);
    Tensor<Target, double> value{Extent{}};
    Tensor<Target, double> slope(x.extent);
    const auto s = data.template const_view<"s", 2>();
    const auto loss = (fuse::info_nce(s, 0.5) + fuse::info_nce(transpose(s), 0.5)) / 2;
    target.eval(value.template view<"loss", 0>() = loss, slope.template view<"ds", 2>() = gradient(loss, s));
    const auto both = [](const NdArray& a) { return (contrastive(a) + contrastive(turned(a))) / 2; };
    check_close(value.read(), NdArray(Extent{}, both(x)), 1e-12, 1e-12);
    check_close(slope.read(), numeric_gradient(both, x), 1e-7, 1e-8);
}

}  // namespace

TEST_CASE("gradients of parts of a matrix beside coordinates") {
    check_matrices(HostTarget());
}
TEST_CASE("gradients of lines of a matrix beside coordinates") {
    for_each_line([](const auto& part) {
        check_part(
            HostTarget(), part, "sum(sin(u * index<0>()))",
            [](const auto& u) { return sum(sin(u * fuse::index<0>())); },
            over_elements([](double v, double i, double) { return std::sin(v * i); }));
    });
}
TEST_CASE("the gradient of a contrastive loss in both directions") {
    check_contrastive(HostTarget());
    check_contrastive(EmulatedTarget());
}
