// SPDX-License-Identifier: Apache-2.0
//
// Dual numbers, with which functors of the user are differentiated: what C++ does with numbers in a generic lambda works
// with them, too. Values by plain C++ in double, derivatives by central differences of it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fuse/gradient.hpp"
#include "support/catch.hpp"

namespace {

using Numbers = std::vector<double>;

/// f at some points: its value and slope by dual numbers, against f itself and its central differences.
template <class F>
void check(const char* name, F f, const Numbers& points = {-2.3, -0.6, 0.4, 1.7}) {
    for (const double p : points) {
        INFO(name << " at " << p);
        const double h = 1e-4;
        const double slope = (8 * (f(p + h) - f(p - h)) - (f(p + 2 * h) - f(p - 2 * h))) / (12 * h);
        const fuse::Dual<double> got = f(fuse::Dual<double>(p, 1));
        CHECK(got.value == Approx(f(p)).epsilon(1e-14));
        CHECK(std::fabs(got.slope - slope) < 1e-9 * (1 + std::fabs(slope)));
        // The second derivative, by the first.
        const auto first = [&](double v) { return fuse::Dual<double>(f(fuse::Dual<double>(v, 1))).slope; };
        using Twice = fuse::Dual<fuse::Dual<double>>;
        const Twice twice = f(Twice({p, 1}, {1, 0}));
        const double second = (8 * (first(p + h) - first(p - h)) - (first(p + 2 * h) - first(p - 2 * h))) / (12 * h);
        CHECK(std::fabs(twice.slope.slope - second) < 1e-8 * (1 + std::fabs(second)));
    }
}

}  // namespace

#define CHECK_DUAL(BODY, ...)                                                                                          \
    check(                                                                                                             \
        #BODY, [](auto v) { return BODY; }, ##__VA_ARGS__)

TEST_CASE("dual numbers: the functions of cmath") {
    using namespace std;
    const Numbers positive = {0.3, 1.1, 4}, inside = {-0.7, -0.2, 0.4, 0.8}, above = {1.2, 3};
    CHECK_DUAL(sqrt(v) + cbrt(v) + log(v) * log2(v) - log10(v) + log1p(v), positive);
    CHECK_DUAL(exp(v) - exp2(v) * expm1(v));
    CHECK_DUAL(sin(v) * cos(v) + tan(v), inside);
    CHECK_DUAL(asin(v) * acos(v) - atan(v) + atanh(v), inside);
    CHECK_DUAL(sinh(v) - cosh(v) * tanh(v) + asinh(v));
    CHECK_DUAL(acosh(v), above);
    CHECK_DUAL(erf(v) * erfc(v));
    CHECK_DUAL(abs(v) + fabs(v) * v);
    CHECK_DUAL(pow(v, 3) + pow(v, 2.5) + pow(2, v) + pow(v, v), positive);
    CHECK_DUAL(hypot(v, 2) * hypot(1.5, v) + atan2(v, 2) - atan2(3, v) + hypot(v, v));
    CHECK_DUAL(fmax(v, 0.1) * v + fmin(-0.5, v) - fmax(v, v * v));
    CHECK_DUAL(floor(v) * v + ceil(v) * v * v - trunc(v) * v + round(v) * v + rint(v) * v);
    CHECK_DUAL(fmod(v, 0.7) * v + fmod(5, v) + fmod(v * v, v + 3));
    CHECK_DUAL(copysign(v, -1.0) * v + copysign(2.5, v) * v + copysign(v * v, v));
    CHECK_DUAL(fma(v, v, v) + fma(v, 2, 1.5) + fma(3, v, 1) * fma(2, 1.0, v));
    CHECK_DUAL(isnan(v) || isinf(v) || !isfinite(v) ? v : signbit(v) ? v * v : v * v * v);
}

TEST_CASE("dual numbers: operators") {
    CHECK_DUAL(-v + +v * 2 - 3 / v + v / 4 - 1.5F * v);
    CHECK_DUAL(v > 0 ? v * v : v < -1 ? v * 3 : v >= -1 && v <= 0 && v != 5 && !(v == 7) ? v * v * v : v);
    check("compound assignments", [](auto v) {
        auto sum = v;
        sum += 2;
        sum *= v;
        sum -= v / 3;
        sum /= v + 5;
        return sum;
    });
    check("a loop", [](auto v) {
        auto power = v * 0 + 1;
        for (int i = 0; i < 5; ++i) {
            power *= v;
        }
        return power;
    });
}

TEST_CASE("functors of operands of several types") {
    const std::vector<float> a = {0.5F, -1.25F, 2};
    const Numbers b = {1.5, 0.75, -2};
    const std::vector<int> n = {2, 3, 1};
    const auto x = fuse::view<"x">(a);
    const auto y = fuse::view<"y">(b);
    const auto k = fuse::view<"k">(n);
    const auto check_both = [&](const char* name, auto f, auto by_x, auto by_y) {
        std::vector<float> dx(3);
        Numbers dy(3);
        const auto loss = sum(map(f, x, y, k));
        eval(fuse::host, fuse::view<"dx">(dx) = gradient(loss, x), fuse::view<"dy">(dy) = gradient(loss, y));
        for (std::size_t i = 0; i < 3; ++i) {
            INFO(name << " at " << i);
            CHECK(dx[i] == Approx(by_x(a[i], b[i], n[i])));
            CHECK(dy[i] == Approx(by_y(a[i], b[i], n[i])));
        }
    };
    check_both(
        "arithmetic", [](auto u, auto v, auto m) { return u * v * static_cast<float>(m) + v / (u * u + 1); },
        [](double u, double v, int m) { return v * m - 2 * u * v / ((u * u + 1) * (u * u + 1)); },
        [](double u, double, int m) { return u * m + 1 / (u * u + 1); });
    check_both(
        "a choice", [](auto u, auto v, auto m) { return u > v ? u * u : v * v * m; },
        [](double u, double v, int m) { return u > v ? 2 * u : 0 * m; },
        [](double u, double v, int m) { return u > v ? 0.0 : 2 * v * m; });
    check_both(
        "functions", [](auto u, auto v, auto m) { return hypot(u, v) + fmax(v, u) + pow(u, m); },
        [](double u, double v, int m) { return u / std::hypot(u, v) + (u > v ? 1 : 0) + m * std::pow(u, m - 1); },
        [](double u, double v, int) { return v / std::hypot(u, v) + (v > u ? 1 : 0); });
    // Twice.
    Numbers dy(3);
    const auto first = gradient(sum(map([](auto u, auto v) { return u * u * v * v; }, x, y)), x);
    eval(fuse::host, fuse::view<"dy">(dy) = gradient(sum(first), y));
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(dy[i] == Approx(4 * static_cast<double>(a[i]) * b[i]));
    }
}

namespace {

/// factor u^2 v, with its derivatives.
struct Slanted {
    double factor;
    template <class T, class U>
    auto operator()(T u, U v) const {
        return factor * u * u * v;
    }
    template <int I, class T, class U>
    auto partial(T u, U v) const {
        if constexpr (I == 0) {
            return 2 * factor * u * v;
        } else {
            return factor * u * u;
        }
    }
};

}  // namespace

TEST_CASE("functors with a state over reductions of other axes") {
    // What they fold is carried from one step to the next, out of the functor, an unnamed view in a norm, a named one.
    const Numbers data = {0.5, -1, 2, 1.5, 0.75, -0.25}, ones = {1, 1, 1, 1, 1, 1};
    const auto x = fuse::view<"x">(data.data(), 2, 3);
    const auto dy = fuse::view<"dy">(ones.data(), 2, 3);
    const Numbers columns = {2, -0.25, 1.75};  // sums over the rows
    Numbers got(6), expected(6);
    const auto check_slopes = [&](const char* what, const auto& y) {
        INFO(what);
        std::fill(got.begin(), got.end(), 77);
        eval(fuse::host, fuse::view<"dx">(got.data(), 2, 3) = vjp(y, x, dy));
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(got[i] == Approx(expected[i]));
        }
    };
    // y_ij = 1.5 x_ij^2 s_j with s the sums over the rows.
    for (std::size_t i = 0; i < 6; ++i) {
        const std::size_t j = i % 3;
        expected[i] = 3 * data[i] * columns[j] + 1.5 * (data[j] * data[j] + data[j + 3] * data[j + 3]);
    }
    check_slopes("partial", map(Slanted{1.5}, x, sum(x, fuse::axes<0>)));
    const double factor = 1.5;
    const auto lambda = [factor](auto u, auto v) { return factor * u * u * v; };
    check_slopes("dual numbers", map(lambda, x, sum(x, fuse::axes<0>)));
    check_slopes("named", fuse::named<"h">(map(lambda, x, sum(x, fuse::axes<0>))));

    // z_i = sum_j y_ij / t_i with t the sums over the columns of y: rows and columns fold one after the other.
    const auto y = map(Slanted{1.5}, x, sum(x, fuse::axes<0>));
    const auto z = map(Slanted{0.5}, sum(y, fuse::axes<1>, fuse::keepdims), x);  // 0.5 t_i^2 x_ij
    for (std::size_t i = 0; i < 6; ++i) {
        const auto loss = [&](double by) {
            Numbers d = data;
            d[i] += by;
            double total = 0;
            for (std::size_t r = 0; r < 2; ++r) {
                double t = 0, row = 0;
                for (std::size_t j = 0; j < 3; ++j) {
                    t += 1.5 * d[3 * r + j] * d[3 * r + j] * (d[j] + d[j + 3]);
                    row += d[3 * r + j];
                }
                total += 0.5 * t * t * row;
            }
            return total;
        };
        const double h = 1e-3;
        expected[i] = (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h);
    }
    std::fill(got.begin(), got.end(), 77);
    eval(fuse::host, fuse::view<"dx">(got.data(), 2, 3) = gradient(sum(z), x));
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(got[i] == Approx(expected[i]).epsilon(1e-8));
    }
}

TEST_CASE("behind a step every rule hands on nothing") {
    const Numbers data = {0.3, 1.6, 2.2}, other = {0.4, 0.5, 0.9};
    const auto x = fuse::view<"x">(data);
    const auto w = fuse::view<"w">(other);
    Numbers got(3);
    const auto of = [&](const auto& y) {
        std::fill(got.begin(), got.end(), 77);
        eval(fuse::host, fuse::view<"dx">(got) = gradient(sum(floor(y)) + sum(x), x));
        return got;
    };
    const Numbers ones = {1, 1, 1};
    CHECK(of(-x / w + w / x + reciprocal(x) + rsqrt(x) + cos(x) + erfc(x) + acos(x / 3.0)) == ones);
    CHECK(of(x % w + fmod(x, w) + atan2(x, w) + atan2(w, x) + pow(x, w) + hypot(x, w) + copysign(w, x)) == ones);
    CHECK(of(softmax(x) * sum(x) + prod(x) - max(x) + fuse::norm<2>(x) - mean(x) + logsumexp(x)) == ones);
    CHECK(of(map([](auto v) { return v * v; }, x) + fuse::expand_dims<0>(square(x))[0]) == ones);
}
