// SPDX-License-Identifier: Apache-2.0
//
// Derivatives at kinks, poles, ends of domains, NaN and infinities: where random programs (tests/fuzz) keep away. The
// expected numbers are PyTorch's.
#include <cmath>
#include <limits>
#include <vector>

#include "fuse/gradient.hpp"
#include "support/catch.hpp"

namespace {

using Numbers = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

template <class F>
void check(const char* name, F f, const Numbers& points, const Numbers& expected) {
    Numbers got(points.size(), 77);
    const auto x = fuse::view<"x">(points);
    eval(fuse::host, fuse::view<"dx">(got) = gradient(sum(f(x)), x));
    REQUIRE(points.size() == expected.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        INFO(name << " at " << points[i] << ": " << got[i] << ", expected " << expected[i]);
        CHECK((std::isnan(expected[i]) ? std::isnan(got[i]) : got[i] == Approx(expected[i]).epsilon(1e-12)));
    }
}

}  // namespace

#define CHECK_AT(CALL, ...)                                                                                            \
    check(                                                                                                             \
        #CALL, [](const auto& x) { return CALL; }, __VA_ARGS__)

TEST_CASE("derivatives of activations at their kinks") {
    CHECK_AT(leaky_relu(x, 0.2), {0, -0.0, 1, -1}, {0.2, 0.2, 1, 0.2});
    CHECK_AT(elu(x, 0.7), {0, -0.0, infinity, -infinity}, {0.7, 0.7, 1, 0});
    CHECK_AT(celu(x, 0.7), {0, infinity, -infinity}, {1, 1, 0});
    CHECK_AT(selu(x), {0, infinity, -infinity}, {1.0507009873554805 * 1.6732632423543772, 1.0507009873554805, 0});
    CHECK_AT(hardsigmoid(x), {-3, 3, 0, infinity}, {0, 0, 1.0 / 6, 0});
    CHECK_AT(hardswish(x), {-3, 3, 4, -4}, {-0.5, 1.5, 1, 0});
    CHECK_AT(softplus(x) + 2.0 * logsigmoid(x), {infinity, -infinity, 0}, {1, 2, 1.5});
    CHECK_AT(sigmoid(x) + tanh(x) + erf(x) + atan(x), {infinity, -infinity, none}, {0, 0, none});
    CHECK_AT(abs(x) * 3.0, {-0.0, infinity, -infinity, none}, {0, 3, -3, none});
}

TEST_CASE("derivatives at steps are 0") {
    CHECK_AT(floor(x) + ceil(x) + trunc(x) + x, {-1, 0, 2}, {1, 1, 1});
    CHECK_AT(round(x) + sign(x) + x, {-0.5, 0, 0.5, 1.5}, {1, 1, 1, 1});
    CHECK_AT(copysign(x, x + 1.0) + x % 1.0 + fmod(x, 1.0), {0, 2}, {2, 3});
    CHECK_AT(where(x > 0, x, 0) + where(x < 0, 0.0, x * 2.0), {0, 1, -1}, {2, 3, 0});
}

TEST_CASE("derivatives at poles and at the ends of domains") {
    CHECK_AT(sqrt(x), {0, -1, infinity}, {infinity, none, 0});
    CHECK_AT(rsqrt(x), {0, infinity}, {-infinity, 0});
    CHECK_AT(cbrt(x), {0, 8, -8}, {infinity, 1.0 / 12, 1.0 / 12});
    CHECK_AT(reciprocal(x) + 1 / x, {0, infinity}, {-infinity, 0});
    CHECK_AT(log(x) + log2(x) + log10(x), {0, infinity}, {infinity, 0});
    CHECK_AT(log1p(x), {-1, 0}, {infinity, 1});
    CHECK_AT(asin(x) - acos(x), {1, -1, 2}, {infinity, infinity, none});
    CHECK_AT(acosh(x), {1, 0}, {infinity, none});
    CHECK_AT(atanh(x), {1, 0}, {infinity, 1});
    CHECK_AT(exp(x) + expm1(x) + exp2(x), {-infinity, infinity, none}, {0, infinity, none});
    CHECK_AT(xlogy(x, x), {0, 1}, {none, 1});
    CHECK_AT(xlogy(x, fuse::stop_gradient(x)), {0, 1}, {0, 0});
    CHECK_AT(hypot(x, x), {0, 2}, {none, std::sqrt(2)});
}

TEST_CASE("derivatives of reductions where one element is special") {
    CHECK_AT(square(sum(x)), {none, 1, 2}, {none, none, none});
    CHECK_AT(max(x), {infinity, 1, -infinity}, {1, 0, 0});
    CHECK_AT(min(x), {infinity, 1, -infinity}, {0, 0, 1});
    CHECK_AT(logsumexp(x), {-infinity, -infinity, 0}, {0, 0, 1});
    CHECK_AT(nansum(x * 2.0), {none, 3}, {0, 2});
    CHECK_AT(nansum(square(x)), {none, 3}, {none, 6});  // 0 times the derivative of the square
    CHECK_AT(nanmean(x), {none, 3, 5}, {0, 0.5, 0.5});
    CHECK_AT(max(x, fuse::nan::ignore), {none, 3, 5}, {0, 0, 1});
    CHECK_AT(fuse::norm<1>(x) + fuse::norm<2>(x), {0, 0}, {0, 0});
    CHECK_AT(fuse::norm<3>(x), {0, 2}, {0, 1});
    CHECK_AT(fuse::norm<3>(x) + fuse::norm<4>(x * 3.0), {0, -0.0}, {0, 0});
    CHECK_AT(fuse::norm<3>(fuse::expand_dims<0>(x), fuse::axes<0>) + x, {0, -2}, {1, 0});
    CHECK_AT(fuse::norm<fuse::inf>(x), {-2, 2, 1}, {-0.5, 0.5, 0});
    CHECK_AT(prod(x), {0, infinity}, {infinity, 0});
    CHECK_AT(fuse::var<0>(x) + fuse::stddev<1>(x), {3, 3, 3}, {0, 0, 0});
}

namespace {

struct SumOfSquares {  // of the user: it says its derivative
    using accumulator = double;
    double init() const { return 0; }
    double leaf(double v, fuse::index_t) const { return v * v; }
    double combine(double a, double b) const { return a + b; }
    double adjoint(double element, double /*result*/) const { return 2 * element; }
};
struct WeightedSquares : SumOfSquares {  // with a state
    double weight = 1;
    double leaf(double v, fuse::index_t) const { return weight * v * v; }
    double adjoint(double element, double /*result*/) const { return 2 * weight * element; }
};

/// The derivative of f at a number.
template <class F>
void check_of_one(F f, double point, double expected) {
    INFO("at " << point << ", expected " << expected);
    double got = 77;
    const auto x = fuse::view<"x">(&point, fuse::shape());
    eval(fuse::host, fuse::view<"dx">(&got, fuse::shape()) = gradient(f(x), x));
    CHECK(got == Approx(expected).epsilon(1e-12));
}
/// And of f of the sum of three numbers of which it is the sum.
template <class F>
void check_of_one_and_sum(F f, double point, double expected) {
    check_of_one(f, point, expected);
    Numbers parts = {point - 3, 1, 2}, each(3, 77);
    const auto v = fuse::view<"v">(parts);
    eval(fuse::host, fuse::view<"dv">(each) = gradient(f(sum(v)), v));
    CHECK(each[0] == Approx(expected).epsilon(1e-12));
    CHECK(each[2] == Approx(expected).epsilon(1e-12));
}

}  // namespace

TEST_CASE("derivatives of reductions of one number") {
    check_of_one_and_sum([](const auto& x) { return sum(x) + mean(x) + prod(x) + max(x) - min(x); }, 1.5, 3);
    check_of_one([](const auto& x) { return sum(x, fuse::accumulate<float>) * max(x, fuse::nan::ignore); }, 1.5, 3);
    check_of_one([](const auto& x) { return nansum(x) + nanmean(x) + min(x, fuse::nan::ignore); }, 1.5, 3);
    check_of_one_and_sum([](const auto& x) { return ptp(x) + minmax(x).min * 2.0 + square(minmax(x).max); }, 1.5, 5);
    check_of_one([](const auto& x) { return ptp(x); }, 1.5, 0);
    check_of_one([](const auto& x) { return fuse::var(x) + fuse::stddev(x) + x; }, 1.5, 1);
    check_of_one_and_sum([](const auto& x) { return fuse::norm<1>(x) + fuse::norm<3>(x) + logsumexp(x); }, -1.5, -1);
    check_of_one([](const auto& x) { return fuse::norm<1>(x) + fuse::norm<2>(x) + fuse::norm<3>(x); }, 0, 0);
    check_of_one([](const auto& x) { return fuse::reduce(SumOfSquares{}, x); }, 1.5, 3);
    check_of_one_and_sum([](const auto& x) { return fuse::reduce(WeightedSquares{{}, 4}, x); }, 1.5, 12);
    check_of_one_and_sum([](const auto& x) { return count_nonzero(x) * x + cast<double>(argmax(x)) * x; }, 1.5, 1);
}

TEST_CASE("the derivative of the element at a position along an extent of 1") {
    const Numbers data = {2, 3, 5}, dy = {1, 2, 4};
    const std::vector<int> at = {0, 1, -1};  // of which only the first is inside
    Numbers got(3, 77);
    const auto x = fuse::view<"x">(data.data(), fuse::extents<3, 1>{});
    const auto y = square(take(x, fuse::view<"at">(at), fuse::axes<1>));
    eval(fuse::host, fuse::view<"dx">(got.data(), fuse::extents<3, 1>{}) = vjp(y, x, fuse::view<"dy">(dy)));
    CHECK(got == Numbers{4, 0, 0});
}
