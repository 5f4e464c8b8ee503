// SPDX-License-Identifier: Apache-2.0
//
// Derivatives where something is special: ties, zeros, NaN, no elements, names, constants, second derivatives, errors; and
// what derivatives cost, as plans.
#include <cmath>
#include <limits>
#include <vector>

#include "fuse/gradient.hpp"
#include "support/catch.hpp"

using Catch::Matchers::Contains;
using fuse::axes;
using fuse::dynamic;
using fuse::host;
using fuse::keepdims;
using fuse::value;
using fuse::view;

namespace {

using Numbers = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The gradient of f(x) for a vector x.
template <class F>
Numbers gradient_of(F f, const Numbers& values) {
    Numbers got(values.size(), 77);
    const auto x = view<"x">(values);
    eval(host, view<"dx">(got) = gradient(f(x), x));
    return got;
}

}  // namespace

TEST_CASE("derivatives of what is repeated without memory") {
    const Numbers data{1, 2, 3};
    Numbers got(3), column(3);
    const auto x = view<"x">(data);
    const auto weight = fuse::expand_dims<1>(fuse::arange(4)) * 10 + fuse::arange(3);
    eval(host, view<"dx">(got) = gradient(sum(square(broadcast_to(x, 4, 3)) * weight), x));
    CHECK(got == Numbers{120, 256, 408});  // 2 x[j] times the sum of 10 i + j
    const auto one = view<"one">(data.data(), fuse::extents<dynamic, 1>{3});
    eval(host, view<"d">(column.data(), 3, 1) = vjp(broadcast_to(one, 3, 5), one, fuse::broadcast_to(2.0, 3, 5)));
    CHECK(column == Numbers{10, 10, 10});

    const auto rate = fuse::scalar<"rate">(0.5);
    const auto t = fuse::linspace(0.0, 1.0, 11);
    double expected = 0;
    for (int i = 0; i <= 10; ++i) {
        expected -= 0.1 * i * std::exp(-0.05 * i);
    }
    CHECK(value(host, gradient(sum(exp(-rate * t)), rate)) == Catch::Approx(expected));
}

TEST_CASE("ties share, products know zeros, and norms are smooth enough at 0") {
    CHECK(gradient_of([](const auto& x) { return max(x); }, {3, 1, 3, 2}) == Numbers{0.5, 0, 0.5, 0});
    CHECK(gradient_of([](const auto& x) { return min(x); }, {1, 1, 1, 2}) == Numbers{1.0 / 3, 1.0 / 3, 1.0 / 3, 0});
    CHECK(gradient_of([](const auto& x) { return prod(x); }, {2, 3, 4}) == Numbers{12, 8, 6});
    CHECK(gradient_of([](const auto& x) { return prod(x); }, {2, 0, 4}) == Numbers{0, 8, 0});
    CHECK(gradient_of([](const auto& x) { return prod(x); }, {0, 0, 4}) == Numbers{0, 0, 0});
    CHECK(gradient_of([](const auto& x) { return norm<2>(x); }, {0, 0}) == Numbers{0, 0});
    CHECK(gradient_of([](const auto& x) { return stddev(x); }, {5, 5, 5}) == Numbers{0, 0, 0});
    CHECK(gradient_of([](const auto& x) { return norm<1>(x); }, {-2, 0, 3}) == Numbers{-1, 0, 1});
    CHECK(gradient_of([](const auto& x) { return logsumexp(x); }, {-infinity, 0, 0}) == Numbers{0, 0.5, 0.5});
    CHECK(gradient_of([](const auto& x) { return sum(softplus(x)); }, {-800, 800}) == Numbers{0, 1});
    CHECK(std::isnan(gradient_of([](const auto& x) { return sum(square(x)); }, {1, std::nan("")})[1]));
    CHECK(gradient_of([](const auto& x) { return var<1>(x); }, {1, 3}) == Numbers{-2, 2});
}

TEST_CASE("what does not depend on the variable has derivative 0") {
    const Numbers other = {1, 2};
    CHECK(gradient_of([&](const auto&) { return sum(view<"other">(other)); }, {3, 4, 5}) == Numbers{0, 0, 0});
    CHECK(gradient_of([](const auto& x) { return sum(fuse::floor(x)); }, {3.5, 4}) == Numbers{0, 0});
    CHECK(gradient_of([](const auto& x) { return sum(x * fuse::stop_gradient(x)); }, {3, 4}) == Numbers{3, 4});
    CHECK(gradient_of([](const auto& x) { return sum(x * fuse::cast<int>(x)); }, {3.5, 4.5}) == Numbers{3, 4});
    CHECK(gradient_of([](const auto& x) { return sum(where(x > 0, x, 0)); }, {-1, 2}) == Numbers{0, 1});
    CHECK(gradient_of([](const auto& x) { return sum(x); }, {}) == Numbers{});
    CHECK(gradient_of([](const auto& x) { return mean(x); }, {}) == Numbers{});
}

TEST_CASE("scalars and named expressions are variables") {
    const Numbers a = {1, 2, 3};
    const auto x = view<"x">(a);
    const auto s = fuse::scalar<"s">(2.0);
    CHECK(value(host, gradient(sum(s * s * x), s)) == 24);
    const auto h = fuse::named<"h">(x * 3);
    Numbers got(3);
    eval(host, view<"dh">(got) = gradient(sum(h * h), h));
    CHECK(got == Numbers{6, 12, 18});
    eval(host, view<"dx">(got) = gradient(sum(h * h), x));
    CHECK(got == Numbers{18, 36, 54});
    // Of everything that has the name.
    std::vector<double> data = {1, 2};
    const auto read = view<"y">(static_cast<const double*>(data.data()), 2);
    const auto written = view<"y">(data.data(), 2);
    Numbers both(2);
    eval(host, view<"d">(both) = gradient(sum(read * written), read));
    CHECK(both == Numbers{2, 4});
}

TEST_CASE("index and numbers in an expression stay what they are") {
    CHECK(gradient_of([](const auto& x) { return sum(x * fuse::index<0>()); }, {5, 5, 5}) == Numbers{0, 1, 2});
    CHECK(gradient_of([](const auto& x) { return sum(0.25 * x * x * 4.0); }, {1, 2}) == Numbers{2, 4});
    CHECK(gradient_of([](const auto& x) { return sum(layer_norm(x * 0.5, 1.0) * fuse::index<0>()); }, {1, 1}) ==
          Numbers{-0.25, 0.25});
    // index counts in its own operand, also of a reduction along the first axis.
    const Numbers m = {1, 2, 3, 4, 5, 6};
    Numbers got(6);
    const auto x = view<"x">(m.data(), 3, 2);
    eval(host, view<"dx">(got.data(), 3, 2) = gradient(sum(sum(x, axes<0>) * (fuse::index<0>() + 1)), x));
    CHECK(got == Numbers{1, 2, 1, 2, 1, 2});
    eval(host, view<"dx">(got.data(), 3, 2) = gradient(sum(sum(x, axes<1>) * (fuse::index<0>() + 1)), x));
    CHECK(got == Numbers{1, 1, 2, 2, 3, 3});
    eval(host, view<"dx">(got.data(), 3, 2) = gradient(sum(max(x, axes<0>) * (fuse::index<0>() + 1)), x));
    CHECK(got == Numbers{0, 0, 0, 0, 1, 2});
    const std::vector<int> at = {1, 0, 1};
    eval(host,
         view<"dx">(got.data(), 3, 2) = gradient(sum(take(x, view<"at">(at), axes<1>) * (fuse::index<0>() + 1)), x));
    CHECK(got == Numbers{0, 1, 2, 0, 0, 3});
    const std::vector<int> of_column = {2, 0};
    eval(host, view<"dx">(got.data(), 3, 2) = gradient(sum(square(take(x, view<"at">(of_column), axes<0>))), x));
    CHECK(got == Numbers{0, 4, 0, 0, 10, 0});
}

TEST_CASE("strided operands of three axes, and extents of 0 and 1") {
    // softmax over the middle axis of a transposed view, against central differences of plain loops.
    constexpr int a = 3, b = 5, c = 7;
    const auto at = [](int i, int j, int k) { return static_cast<std::size_t>((k * b + j) * a + i); };
    Numbers data(a * b * c), w(a * b * c), got(a * b * c);
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = std::sin(1.7 * static_cast<double>(i));
        w[i] = std::cos(0.9 * static_cast<double>(i));
    }
    const auto x = view<"x">(transpose(view(data.data(), c, b, a)));
    eval(host, view<"dx">(got.data(), a, b, c) = gradient(sum(view<"w">(w.data(), a, b, c) * softmax(x, axes<1>)), x));
    const auto loss = [&](const Numbers& d) {
        double total = 0;
        for (int i = 0; i < a; ++i) {
            for (int k = 0; k < c; ++k) {
                double all = 0, weighted = 0;
                for (int j = 0; j < b; ++j) {
                    const double e = std::exp(d[at(i, j, k)]);
                    all += e;
                    weighted += e * w[static_cast<std::size_t>((i * b + j) * c + k)];
                }
                total += weighted / all;
            }
        }
        return total;
    };
    for (int i = 0; i < a; ++i) {
        for (int j = 0; j < b; ++j) {
            for (int k = 0; k < c; ++k) {
                Numbers above = data, below = data;
                above[at(i, j, k)] += 1e-5;
                below[at(i, j, k)] -= 1e-5;
                const double expected = (loss(above) - loss(below)) / 2e-5;
                CHECK(std::fabs(got[static_cast<std::size_t>((i * b + j) * c + k)] - expected) < 1e-9);
            }
        }
    }
    for (const int n : {0, 1, 2}) {
        for (const int m : {0, 1, 3}) {
            INFO(n << " x " << m);
            Numbers ones(6, 1), twos(3, 2), dx(7, 77), dr(4, 77);
            const auto y = view<"x">(ones.data(), n, m);
            const auto r = view<"r">(twos.data(), m);
            const auto f = sum(square(y * r));
            eval(host, view<"dx">(dx.data(), n, m) = gradient(f, y), view<"dr">(dr.data(), m) = gradient(f, r));
            for (std::size_t i = 0; i < dx.size(); ++i) {
                CHECK(dx[i] == (i < static_cast<std::size_t>(n * m) ? 8 : 77));
            }
            for (std::size_t i = 0; i < dr.size(); ++i) {
                CHECK(dr[i] == (i < static_cast<std::size_t>(m) ? 4 * n : 77));
            }
        }
    }
}

TEST_CASE("derivatives have parts and transposes") {
    const Numbers m = {1, 2, 3, 4, 5, 6};
    const auto x = view<"x">(m.data(), 2, 3);
    const auto dx = gradient(sum(0.5 * x * x * x), x);  // 1.5 x^2
    CHECK(to_vector(fuse::tensor(host, dx[1])) == Numbers{24, 37.5, 54});
    CHECK(to_vector(fuse::tensor(host, column(dx, 2))) == Numbers{13.5, 54});
    CHECK(to_vector(fuse::tensor(host, transpose(dx))) == Numbers{1.5, 24, 6, 37.5, 13.5, 54});
    const Numbers row = to_vector(fuse::tensor(host, gradient(sum(square(softmax(x * 2.0))), x)[1]));
    Numbers p = {std::exp(-4), std::exp(-2), 1};
    const double total = p[0] + p[1] + p[2];
    const double squares = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / (total * total);
    for (std::size_t i = 0; i < 3; ++i) {
        p[i] /= total;
        CHECK(row[i] == Approx(4 * p[i] * (p[i] - squares)));
    }
    const Numbers shifted = to_vector(fuse::tensor(host, softmax(x)[1]));
    CHECK(shifted[0] == Approx(1 / (1 + std::exp(1) + std::exp(2))));
}

TEST_CASE("derivatives of derivatives with reductions between") {
    // f = (sum x^2)^2: the Hessian times v is 4 (x.x) v + 8 (x.v) x.
    const Numbers v = {0.5, -1, 2};
    const Numbers got = gradient_of(
        [&](const auto& x) {
            const auto f = square(sum(square(x)));
            return sum(gradient(f, x) * view<"v">(v));
        },
        {1, 2, 3});
    const double xx = 14, xv = 4.5;
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(got[i] == Approx(4 * xx * v[i] + 8 * xv * static_cast<double>(i + 1)));
    }
    // The gradient of the squared norm of a gradient, with a run-time number in it.
    const Numbers penalty =
        gradient_of([](const auto& x) { return sum(square(gradient(sum(0.5 * x * x * x), x))); }, {1, 2});
    CHECK(penalty == Numbers{9, 72});
}

TEST_CASE("float and 16-bit operands, and results of another type") {
    const std::vector<float> a = {1, 2};
    std::vector<float> got(2);
    const auto x = view<"x">(a);
    eval(host, view<"dx">(got) = gradient(sum(fuse::cast<double>(x) * 3.0), x));
    CHECK(got == std::vector<float>{3, 3});
    static_assert(std::is_same_v<fuse::value_t<decltype(gradient(sum(fuse::cast<double>(x)), x))>, float>);
    std::vector<fuse::bfloat16> half = {fuse::bfloat16(1.5F), fuse::bfloat16(-2.0F)};
    std::vector<fuse::bfloat16> slope(2);
    const auto h = view<"h">(half);
    eval(host, view<"dh">(slope) = gradient(sum(h * h), h));
    CHECK(static_cast<float>(slope[0]) == 3);
    CHECK(static_cast<float>(slope[1]) == -4);
}

TEST_CASE("what would be wrong throws, and nothing is written") {
    Numbers a = {1, 2, 3, 4, 5, 6};
    const Numbers b = {7, 8};
    Numbers got(6, 77);
    const auto x = view<"x">(a.data(), 2, 3);
    const auto column = view<"column">(b.data(), 2, 1);
    CHECK_THROWS_WITH(gradient(sum(x * column), column),
                      Contains("column(2, 1) is stretched to (2, 3)") && Contains("static extent of 1"));
    const auto known = view<"column">(b.data(), fuse::extents<2, 1>{});
    Numbers slope(2);
    eval(host, view<"d">(slope.data(), 2, 1) = gradient(sum(x * known), known));
    CHECK(slope == Numbers{6, 15});
    CHECK_THROWS_WITH(vjp(x * 2, x, view<"dy">(b.data(), 1, 2)), Contains("dy(1, 2)") && Contains("(2, 3)"));
    CHECK_THROWS_WITH(gradient(sum(x), view<"x">(a.data(), 3, 2)), Contains("another view"));
    CHECK(got == Numbers(6, 77));
}

namespace {

template <fuse::fixed_name N, class T = float>
fuse::View<T, fuse::name_t<N>, dynamic, dynamic> matrix();
template <fuse::fixed_name N, class T = float>
fuse::View<T, fuse::name_t<N>, dynamic> vector();
template <fuse::fixed_name N>
fuse::View<float, fuse::name_t<N>> number();

using X = decltype(matrix<"x">());
using T = decltype(matrix<"t">());
template <class E>
using gradient_plan = fuse::plan<decltype(matrix<"dx">() = gradient(std::declval<E>(), std::declval<X>()))>;
template <class P, int Phases>
constexpr bool costs =
    P::kernels == 1 && P::steps == 1 && P::temporaries == 0 && P::phases == Phases&& P::template passes<"x"> == 1;

static_assert(costs<gradient_plan<decltype(mse_loss(matrix<"x">(), matrix<"t">()))>, 0>);
static_assert(costs<gradient_plan<decltype(l1_loss(matrix<"x">(), matrix<"t">()))>, 0>);
static_assert(costs<gradient_plan<decltype(binary_cross_entropy_with_logits(matrix<"x">(), matrix<"t">()))>, 0>);
// The phases of softmax: maximum and sum; the gradient needs no third.
static_assert(
    costs<gradient_plan<decltype(cross_entropy(matrix<"x">(), vector<"class", int>(), fuse::reduction::sum))>, 2>);
// A mean over the rows that count has to know how many, first.
using MeanGradient = gradient_plan<decltype(cross_entropy(matrix<"x">(), vector<"class", int>()))>;
static_assert(MeanGradient::steps == 2 && MeanGradient::barriers == 1 && MeanGradient::temporaries == 1);
static_assert(MeanGradient::passes<"x"> == 1);

// Nor does the loss beside it take another pass: the number of rows, the rows, their mean.
using MeanLoss = decltype(cross_entropy(matrix<"x">(), vector<"class", int>()));
using LossAndGradient = fuse::plan<decltype(number<"l">() = std::declval<MeanLoss>()),
                                   decltype(matrix<"dx">() = gradient(std::declval<MeanLoss>(), matrix<"x">()))>;
static_assert(LossAndGradient::steps == 3 && LossAndGradient::barriers == 2 && LossAndGradient::passes<"x"> == 1);

// LayerNorm backwards: rows, the sum of dy beside them, and behind a barrier that of dy and the rows, all in one pass.
using Norm = decltype(layer_norm(matrix<"x">(), vector<"gamma">(), vector<"beta">()));
using NormBackwards =
    fuse::plan<decltype(matrix<"dx">() = vjp(std::declval<Norm>(), matrix<"x">(), matrix<"dy">())),
               decltype(vector<"dgamma">() = vjp(std::declval<Norm>(), vector<"gamma">(), matrix<"dy">())),
               decltype(vector<"dbeta">() = vjp(std::declval<Norm>(), vector<"beta">(), matrix<"dy">()))>;
static_assert(NormBackwards::steps == 3 && NormBackwards::barriers == 1 && NormBackwards::temporaries == 2);
static_assert(NormBackwards::passes<"x"> == 1 && NormBackwards::passes<"dy"> == 1);

template <class E>
using vjp_plan = fuse::plan<decltype(matrix<"dx">() = vjp(std::declval<E>(), std::declval<X>(), matrix<"dy">()))>;
static_assert(costs<vjp_plan<decltype(softmax(matrix<"x">()))>, 2>);
static_assert(costs<vjp_plan<decltype(log_softmax(matrix<"x">()))>, 2>);
// The statistics and both sums.
static_assert(costs<vjp_plan<decltype(layer_norm(matrix<"x">()))>, 2>);
static_assert(costs<vjp_plan<decltype(rms_norm(matrix<"x">()))>, 1>);

}  // namespace
