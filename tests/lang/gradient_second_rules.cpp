// SPDX-License-Identifier: Apache-2.0
//
// Second derivatives of functors with a rule of their own, of numbers with a slope, of norms, scans and products in other
// types, and the first of cross-entropy with respect to probabilities of 0. Against formulae in double.
#include <cmath>
#include <vector>

#include "fuse/gradient.hpp"
#include "fuse/nn.hpp"
#include "support/catch.hpp"

using fuse::axes;
using fuse::host;
using fuse::view;

namespace {

using Numbers = std::vector<double>;

struct Cube {
    double operator()(double x) const { return x * x * x; }
    template <int I, class T>
    T partial(T x) const {
        return 3 * x * x;
    }
};
struct SquareTimes {
    double operator()(double x, double y) const { return x * x * y; }
    template <int I, class T>
    T partial(T x, T y) const {
        if constexpr (I == 0) {
            return 2 * x * y;
        } else {
            return x * x;
        }
    }
};

template <class Loss>
Numbers second(Loss loss, const Numbers& data) {
    Numbers got(data.size(), 77);
    const auto x = view<"x">(data);
    eval(host, view<"xx">(got) = gradient(sum(gradient(loss(x), x)), x));
    return got;
}

void check_near(const Numbers& got, const Numbers& expected) {
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        INFO("element " << i);
        CHECK(got[i] == Approx(expected[i]).epsilon(1e-9).margin(1e-12));
    }
}

}  // namespace

TEST_CASE("a functor's own derivative is not that of its derivative") {
    check_near(second([](const auto& x) { return sum(map(Cube{}, x)); }, {2, -1}), {12, -6});
    const Numbers a = {1, 2}, b = {5, 7};
    Numbers xx(2), xy(2);
    const auto x = view<"x">(a);
    const auto y = view<"y">(b);
    const auto slope = gradient(sum(map(SquareTimes{}, x, y)), x);
    eval(host, view<"xx">(xx) = gradient(sum(slope), x), view<"xy">(xy) = gradient(sum(slope), y));
    check_near(xx, {10, 14});
    check_near(xy, {2, 4});
    const Numbers half = {0.5};
    check_near(second([&](const auto& p) { return fuse::binary_cross_entropy(p, view<"half">(half)); }, {0.3}),
               {0.5 / 0.09 + 0.5 / 0.49});
    check_near(second([](const auto& v) { return sum(square(broadcast_to(v, fuse::extents<3, 2>{}))); }, {1.5, -2}),
               {6, 6});
}

TEST_CASE("second derivatives through numbers with a slope") {
    const auto of = [](auto f) { return [f](const auto& x) { return sum(map(f, x)); }; };
    check_near(second(of([](auto v) { return pow(1 + v * v, 1.5); }), {0, 1}),
               {3, 3 * std::sqrt(2.0) + 3 / std::sqrt(2.0)});
    const double l = std::log(2.0);
    check_near(second(of([](auto v) { return pow(2.0, 1 + v * v); }), {0}), {4 * l});
    check_near(second(of([](auto v) { return v * fabs(v); }), {0, 3, -3}), {0, 2, -2});
    check_near(second(of([](auto v) { return v * fmax(v, 0.0); }), {0, 2, -2}), {1, 2, 0});
    check_near(second(of([](auto v) { return v * fmin(0.0, v); }), {0, 2, -2}), {1, 0, 2});
    const Numbers base = {0, 0, 2}, exponent = {2, 0, 3};
    Numbers by_exponent(3);
    const auto p = view<"p">(exponent);
    const auto power = map([](auto v, auto w) { return pow(v, w); }, view<"base">(base), p);
    eval(host, view<"dp">(by_exponent) = gradient(sum(power), p));
    check_near(by_exponent, {0, 0, 8 * l});
}

TEST_CASE("losses that are squares near the target have their second derivative there, too") {
    const Numbers near = {0, 0.2, -0.2, 3, -3}, none = {0, 0, 0, 0, 0};
    const auto target = view<"t">(none);
    const auto how = fuse::reduction::sum;
    check_near(second([&](const auto& x) { return fuse::huber_loss(x, target, how, 0.5); }, near), {1, 1, 1, 0, 0});
    check_near(second([&](const auto& t) { return fuse::huber_loss(target, t, how, 0.5); }, near), {1, 1, 1, 0, 0});
    check_near(second([&](const auto& x) { return fuse::smooth_l1_loss(x, target, how, 0.5); }, near), {2, 2, 2, 0, 0});
    check_near(second([&](const auto& x) { return fuse::smooth_l1_loss(x, target, how, 0.0); }, near), none);
    // What is not finite, and a limit that is not.
    Numbers value(4);
    const Numbers far = {INFINITY, -INFINITY, 1e300, 2};
    eval(host, view<"l">(value) = fuse::huber_loss(view<"x">(far), 0.0, fuse::reduction::none, 0.5));
    CHECK(value == Numbers{INFINITY, INFINITY, 5e299, 0.875});
    eval(host, view<"l">(value) = fuse::smooth_l1_loss(view<"x">(far), 0.0, fuse::reduction::none, 0.5));
    CHECK(value == Numbers{INFINITY, INFINITY, 1e300, 1.75});
}

TEST_CASE("what stands beside a norm of zeros has a second derivative") {
    const Numbers data = {0, 0, 3, 4}, weights = {2, 3};
    Numbers mixed(2), slopes(4);
    const auto x = view<"x">(data.data(), 2, 2);
    const auto w = view<"w">(weights);
    eval(host, view<"xw">(mixed) = gradient(sum(gradient(sum(fuse::norm<2>(x, axes<1>) * w), x)), w));
    check_near(mixed, {0, 1.4});
    eval(host, view<"xx">(slopes.data(), 2, 2) =
                   gradient(sum(gradient(sum(fuse::norm<2>(x, axes<1>) * sum(x, axes<1>)), x)), x));
    check_near({slopes[0], slopes[1]}, {0, 0});
    const Numbers equal = {5, 5, 1, 3};
    eval(host, view<"dd">(mixed) = gradient(
                   sum(vjp(stddev(view<"e">(equal.data(), 2, 2), axes<1>), view<"e">(equal.data(), 2, 2), w)), w));
    check_near(mixed, {0, 0});
}

TEST_CASE("a scan of exponentials that begins with minus infinity has a second derivative") {
    const Numbers data = {-INFINITY, -INFINITY, 1, 2}, v = {1, 2, 3, 5};
    Numbers got(4);
    const auto x = view<"x">(data);
    eval(host, view<"xx">(got) = gradient(sum(gradient(sum(logcumsumexp(x)), x) * view<"v">(v)), x));
    // Of log(e^1 + e^2), the only one of the results that is not linear.
    const double share = 1 / (1 + std::exp(1.0));
    const double curvature = share * (1 - share) * (3 - 5);
    check_near(got, {0, 0, curvature, -curvature});
}

TEST_CASE("products that are accumulated in another type have derivatives") {
    const std::vector<float> data = {0, 2, 3};
    std::vector<float> slope(3), curvature(3);
    const auto x = view<"x">(data);
    const auto product = prod(x, fuse::accumulate<double>);
    eval(host, view<"dx">(slope) = gradient(product, x),
         view<"xx">(curvature) = gradient(sum(gradient(product, x)), x));
    CHECK(slope == std::vector<float>{6, 0, 0});
    CHECK(curvature == std::vector<float>{5, 3, 2});
}

TEST_CASE("cross-entropy has a derivative with respect to probabilities of 0") {
    const Numbers logits = {1, 2, 0.5, -INFINITY}, one_hot = {1, 0, 0, 0};
    Numbers by_target(4), by_logit(4);
    const auto x = view<"x">(logits.data(), 1, 4);
    const auto p = view<"p">(one_hot.data(), 1, 4);
    const auto loss = fuse::cross_entropy(x, p, fuse::reduction::sum);
    double value = 0;
    eval(host, view<"l">(&value, fuse::shape()) = loss, view<"dp">(by_target.data(), 1, 4) = gradient(loss, p),
         view<"dx">(by_logit.data(), 1, 4) = gradient(loss, x));
    const double total = std::log(std::exp(1.0) + std::exp(2.0) + std::exp(0.5));
    CHECK(value == Approx(total - 1));
    check_near({by_target[0], by_target[1], by_target[2]}, {total - 1, total - 2, total - 0.5});
    check_near(by_logit, {std::exp(1 - total) - 1, std::exp(2 - total), std::exp(0.5 - total), 0});
}
