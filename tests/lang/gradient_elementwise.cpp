// SPDX-License-Identifier: Apache-2.0
//
// The derivative of every elementwise function against central differences of its formula in double, and its choices
// where there is none.
#include <cmath>
#include <limits>
#include <vector>

#include "fuse/gradient.hpp"
#include "support/catch.hpp"

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Central differences of fourth order.
template <class F>
double slope_of(F f, double x) {
    const double h = 1e-4 * std::fmax(0.1, std::fabs(x));
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}
double slope(double (*f)(double), double x) {
    return slope_of(f, x);
}
double slope(double (*f)(double, double), int of, double x, double y) {
    return of == 0 ? slope_of([=](double v) { return f(v, y); }, x) : slope_of([=](double v) { return f(x, v); }, y);
}
void check_near(double got, double expected, double tolerance = 2e-8) {
    INFO("got " << got << ", expected " << expected);
    CHECK(std::fabs(got - expected) <= tolerance * std::fmax(1, std::fabs(expected)));
}

template <class F>
std::vector<double> derivatives(F f, const std::vector<double>& points) {
    std::vector<double> got(points.size());
    const auto x = fuse::view<"x">(points);
    eval(fuse::host, fuse::view<"dx">(got) = gradient(sum(f(x)), x));
    return got;
}

const std::vector<double> everywhere = {-4.3, -2.5, -1.2, -0.4, -1e-3, 1e-3, 0.3, 0.9, 1.7, 3.4, 5.1};
const std::vector<double> positive = {1e-2, 0.3, 0.9, 1.7, 3.4, 50};
const std::vector<double> inside_one = {-0.95, -0.5, -1e-3, 1e-3, 0.4, 0.9};
const std::vector<double> above_one = {1.05, 1.5, 3, 20};

template <class F>
void check_unary(const char* name, F f, double (*formula)(double), const std::vector<double>& points) {
    const std::vector<double> got = derivatives(f, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        INFO(name << " at " << points[i]);
        check_near(got[i], slope(formula, points[i]));
    }
}

#define CHECK_UNARY(FUNCTION, FORMULA, POINTS)                                                                         \
    check_unary(                                                                                                       \
        #FUNCTION, [](const auto& x) { return FUNCTION(x); }, [](double x) -> double { return FORMULA; }, POINTS)

double sigmoid_of(double x) {
    return 1 / (1 + std::exp(-x));
}
double softplus_of(double x) {
    return std::log1p(std::exp(x));
}

}  // namespace

TEST_CASE("derivatives of functions of one operand") {
    CHECK_UNARY(-, -x, everywhere);
    CHECK_UNARY(abs, std::fabs(x), everywhere);
    CHECK_UNARY(square, x * x, everywhere);
    CHECK_UNARY(reciprocal, 1 / x, positive);
    CHECK_UNARY(sqrt, std::sqrt(x), positive);
    CHECK_UNARY(rsqrt, 1 / std::sqrt(x), positive);
    CHECK_UNARY(cbrt, std::cbrt(x), positive);
    CHECK_UNARY(exp, std::exp(x), everywhere);
    CHECK_UNARY(exp2, std::exp2(x), everywhere);
    CHECK_UNARY(expm1, std::expm1(x), everywhere);
    CHECK_UNARY(log, std::log(x), positive);
    CHECK_UNARY(log2, std::log2(x), positive);
    CHECK_UNARY(log10, std::log10(x), positive);
    CHECK_UNARY(log1p, std::log1p(x), positive);
    CHECK_UNARY(sin, std::sin(x), everywhere);
    CHECK_UNARY(cos, std::cos(x), everywhere);
    CHECK_UNARY(tan, std::tan(x), inside_one);
    CHECK_UNARY(asin, std::asin(x), inside_one);
    CHECK_UNARY(acos, std::acos(x), inside_one);
    CHECK_UNARY(atan, std::atan(x), everywhere);
    CHECK_UNARY(sinh, std::sinh(x), everywhere);
    CHECK_UNARY(cosh, std::cosh(x), everywhere);
    CHECK_UNARY(tanh, std::tanh(x), everywhere);
    CHECK_UNARY(asinh, std::asinh(x), everywhere);
    CHECK_UNARY(acosh, std::acosh(x), above_one);
    CHECK_UNARY(atanh, std::atanh(x), inside_one);
    CHECK_UNARY(erf, std::erf(x), everywhere);
    CHECK_UNARY(erfc, std::erfc(x), everywhere);
    CHECK_UNARY(floor, 0 * x, everywhere);
    CHECK_UNARY(ceil, 0 * x, everywhere);
    CHECK_UNARY(round, 0 * x, everywhere);
    CHECK_UNARY(trunc, 0 * x, everywhere);
    CHECK_UNARY(sign, 0 * x, everywhere);
    CHECK_UNARY(nan_to_num, x, everywhere);
}

TEST_CASE("derivatives of activations") {
    CHECK_UNARY(relu, x > 0 ? x : 0, everywhere);
    CHECK_UNARY(sigmoid, sigmoid_of(x), everywhere);
    CHECK_UNARY(gelu, x / 2 * std::erfc(-x / std::sqrt(2)), everywhere);
    CHECK_UNARY(gelu_tanh, x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x))),
                everywhere);
    CHECK_UNARY(silu, x * sigmoid_of(x), everywhere);
    CHECK_UNARY(softplus, softplus_of(x), everywhere);
    CHECK_UNARY(logsigmoid, -softplus_of(-x), everywhere);
    CHECK_UNARY(selu, 1.0507009873554804934 * (x > 0 ? x : 1.6732632423543772848 * std::expm1(x)), everywhere);
    CHECK_UNARY(mish, x * std::tanh(softplus_of(x)), everywhere);
    CHECK_UNARY(hardsigmoid, std::fmin(std::fmax(x + 3, 0), 6) / 6, everywhere);
    CHECK_UNARY(hardswish, x * std::fmin(std::fmax(x + 3, 0), 6) / 6, everywhere);
    CHECK_UNARY(tanhshrink, x - std::tanh(x), everywhere);
    check_unary(
        "leaky_relu", [](const auto& x) { return leaky_relu(x, 0.1); }, [](double x) { return x > 0 ? x : 0.1 * x; },
        everywhere);
    check_unary(
        "elu", [](const auto& x) { return elu(x, 1.5); }, [](double x) { return x > 0 ? x : 1.5 * std::expm1(x); },
        everywhere);
    check_unary(
        "celu", [](const auto& x) { return celu(x, 1.5); },
        [](double x) { return x > 0 ? x : 1.5 * std::expm1(x / 1.5); }, everywhere);
    // Of a number, with respect to the slope or alpha.
    check_unary(
        "leaky_relu and where of numbers", [](const auto& x) { return leaky_relu(-2, x) + where(true, x * x, 0); },
        [](double x) { return x * x - 2 * x; }, everywhere);
    check_unary(
        "elu of a number", [](const auto& x) { return elu(-0.5, x) * elu(0.5, x); },
        [](double x) { return 0.5 * x * std::expm1(-0.5); }, everywhere);
    check_unary(
        "celu of a number", [](const auto& x) { return celu(-0.5, x); },
        [](double x) { return x * std::expm1(-0.5 / x); }, positive);
}

namespace {

template <class F>
void check_binary(const char* name, F f, double (*formula)(double, double), const std::vector<double>& left,
                  const std::vector<double>& right) {
    std::vector<double> a, b;
    for (const double l : left) {
        for (const double r : right) {
            a.push_back(l);
            b.push_back(r);
        }
    }
    std::vector<double> da(a.size()), db(a.size());
    const auto x = fuse::view<"x">(a);
    const auto y = fuse::view<"y">(b);
    eval(fuse::host, fuse::view<"da">(da) = gradient(sum(f(x, y)), x),
         fuse::view<"db">(db) = gradient(sum(f(x, y)), y));
    for (std::size_t i = 0; i < a.size(); ++i) {
        INFO(name << " at " << a[i] << ", " << b[i]);
        check_near(da[i], slope(formula, 0, a[i], b[i]));
        check_near(db[i], slope(formula, 1, a[i], b[i]));
    }
}
#define CHECK_BINARY(NAME, CALL, FORMULA, LEFT, RIGHT)                                                                 \
    check_binary(                                                                                                      \
        NAME, [](const auto& x, const auto& y) { return CALL; }, [](double x, double y) -> double { return FORMULA; }, \
        LEFT, RIGHT)

}  // namespace

TEST_CASE("derivatives of functions of two operands") {
    const std::vector<double> some = {-2.3, -0.7, 0.4, 1.9};
    const std::vector<double> other = {-1.6, -0.9, 0.33, 2.6};
    const std::vector<double> above = {0.2, 0.8, 2.4};
    CHECK_BINARY("+", x + y, x + y, some, other);
    CHECK_BINARY("-", x - y, x - y, some, other);
    CHECK_BINARY("*", x * y, x * y, some, other);
    CHECK_BINARY("/", x / y, x / y, some, other);
    CHECK_BINARY("square", square(x, y), (x - y) * (x - y), some, other);
    CHECK_BINARY("%", x % y, x - std::floor(x / y) * y, some, other);
    CHECK_BINARY("fmod", fmod(x, y), std::fmod(x, y), some, other);
    CHECK_BINARY("pow", pow(x, y), std::pow(x, y), above, other);
    CHECK_BINARY("atan2", atan2(x, y), std::atan2(x, y), some, other);
    CHECK_BINARY("hypot", hypot(x, y), std::hypot(x, y), some, other);
    CHECK_BINARY("logaddexp", logaddexp(x, y), std::log(std::exp(x) + std::exp(y)), some, other);
    CHECK_BINARY("xlogy", xlogy(x, y), x * std::log(y), some, above);
    CHECK_BINARY("maximum", maximum(x, y), x > y ? x : y, some, other);
    CHECK_BINARY("minimum", minimum(x, y), x < y ? x : y, some, other);
    CHECK_BINARY("where", where(x > y, square(x), x * y), x > y ? x * x : x * y, some, other);
    CHECK_BINARY("clamp", clamp(x, y, y + 2.1), x < y ? y : x > y + 2.1 ? y + 2.1 : x, some, other);
    CHECK_BINARY("lerp", lerp(x, y, 0.3), x + 0.3 * (y - x), some, other);
    CHECK_BINARY("lerp, the weight", lerp(x, 2.0, y), x + y * (2 - x), some, other);
    CHECK_BINARY("fma", fma(x, y, x), x * y + x, some, other);
    CHECK_BINARY("copysign", copysign(x, y) * y, std::copysign(x, y) * y, some, other);
    CHECK_BINARY("floor_divide", floor_divide(x, y) + x, std::floor(x / y) + x, some, other);
    CHECK_BINARY("leaky_relu", leaky_relu(x, y), x > 0 ? x : x * y, some, other);
    CHECK_BINARY("elu", elu(x, y), x > 0 ? x : y * std::expm1(x), some, above);
    CHECK_BINARY("celu", celu(x, y), x > 0 ? x : y * std::expm1(x / y), some, above);
}

TEST_CASE("derivatives where there is none are PyTorch's choice") {
    const std::vector<double> zero = {0};
    CHECK(derivatives([](const auto& x) { return relu(x); }, zero)[0] == 0);
    CHECK(derivatives([](const auto& x) { return abs(x); }, zero)[0] == 0);
    CHECK(derivatives([](const auto& x) { return sqrt(x); }, zero)[0] == infinity);
    CHECK(derivatives([](const auto& x) { return log(x); }, zero)[0] == infinity);
    CHECK(derivatives([](const auto& x) { return maximum(x, 0); }, zero)[0] == 0.5);
    CHECK(derivatives([](const auto& x) { return minimum(0, x); }, zero)[0] == 0.5);
    CHECK(derivatives([](const auto& x) { return clamp(x, 0, 1); }, zero)[0] == 1);
    CHECK(derivatives([](const auto& x) { return clamp(x, -1, 0); }, zero)[0] == 1);
    CHECK(derivatives([](const auto& x) { return pow(x, 0); }, zero)[0] == 0);
    CHECK(derivatives([](const auto& x) { return pow(x, fuse::constant<1>); }, zero)[0] == 1);
    CHECK(derivatives([](const auto& x) { return pow(x, 2); }, zero)[0] == 0);
    CHECK(derivatives([](const auto& x) { return where(x > 0, square(x), x * 3); }, zero)[0] == 3);
    CHECK(std::isnan(derivatives([](const auto& x) { return x * x; }, {not_a_number})[0]));
    CHECK(derivatives([](const auto& x) { return nan_to_num(x); }, {not_a_number})[0] == 0);
    CHECK(derivatives([](const auto& x) { return nan_to_num(x); }, {infinity})[0] == 0);
    CHECK(derivatives([](const auto& x) { return sigmoid(x); }, {-1000})[0] == 0);
    CHECK(derivatives([](const auto& x) { return softplus(x); }, {1000})[0] == 1);
}

TEST_CASE("second derivatives") {
    const auto check = [](const char* name, auto f, double (*expected)(double)) {
        const std::vector<double> points = {-1.4, -0.3, 0.2, 0.8, 1.9};
        const std::vector<double> got = derivatives([f](const auto& x) { return gradient(sum(f(x)), x); }, points);
        for (std::size_t i = 0; i < points.size(); ++i) {
            INFO(name << " at " << points[i]);
            check_near(got[i], expected(points[i]), 1e-12);
        }
    };
    check(
        "cube", [](const auto& x) { return x * x * x; }, [](double x) { return 6 * x; });
    check(
        "exp", [](const auto& x) { return exp(x); }, [](double x) { return std::exp(x); });
    check(
        "sin", [](const auto& x) { return sin(x); }, [](double x) { return -std::sin(x); });
    check(
        "reciprocal", [](const auto& x) { return 1 / x; }, [](double x) { return 2 / (x * x * x); });
    check(
        "tanh", [](const auto& x) { return tanh(x); },
        [](double x) { return -2 * std::tanh(x) * (1 - std::tanh(x) * std::tanh(x)); });
    check(
        "sigmoid", [](const auto& x) { return sigmoid(x); },
        [](double x) { return sigmoid_of(x) * (1 - sigmoid_of(x)) * (1 - 2 * sigmoid_of(x)); });
    check(
        "softplus", [](const auto& x) { return softplus(x); },
        [](double x) { return sigmoid_of(x) * (1 - sigmoid_of(x)); });
    check(
        "log1p", [](const auto& x) { return log1p(x * x); },
        [](double x) { return 2 * (1 - x * x) / ((1 + x * x) * (1 + x * x)); });
    check(
        "pow", [](const auto& x) { return pow(x, fuse::constant<4>); }, [](double x) { return 12 * x * x; });
    check(
        "atan", [](const auto& x) { return atan(x); }, [](double x) { return -2 * x / ((1 + x * x) * (1 + x * x)); });
    check(
        "number", [](const auto& x) { return 0.5 * x * x; }, [](double) { return 1.0; });
}

namespace {

/// A functor with its derivative.
struct Cubic {
    double factor;
    double operator()(double x) const { return factor * x * x * x; }
    template <int I>
    double partial(double x) const {
        return 3 * factor * x * x;
    }
};

}  // namespace

TEST_CASE("functors of the user") {
    CHECK_BINARY("generic lambda",
                 map([](auto u, auto v) { return u * u * sin(v) + pow(u, 3) / (v + 4.0) - exp(-v); }, x, y),
                 x * x * std::sin(y) + std::pow(x, 3) / (y + 4) - std::exp(-y), everywhere, inside_one);
    CHECK_UNARY(
        [](const auto& u) {
            return map([](auto v) { return v > 0 ? sqrt(v) + log(v) : v * tanh(v) + fabs(v) - fmax(v, -1.0); }, u);
        },
        (x > 0 ? std::sqrt(x) + std::log(x) : x * std::tanh(x) + std::fabs(x) - std::fmax(x, -1.0)), everywhere);

    // With a state, which stands in value and derivative alike.
    const double level = 1.7;
    const std::vector<double> points = {-1.5, 0.4, 2.1};
    const std::vector<double> by_duals =
        derivatives([level](const auto& x) { return map([level](auto v) { return v * v * level; }, x); }, points);
    const std::vector<double> by_partial = derivatives([](const auto& x) { return map(Cubic{0.5}, x); }, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        check_near(by_duals[i], 2 * level * points[i], 1e-14);
        check_near(by_partial[i], 1.5 * points[i] * points[i], 1e-14);
    }
    // Dual numbers of dual numbers.
    const std::vector<double> second = derivatives(
        [](const auto& x) { return gradient(sum(map([](auto v) { return v * v * v + sin(v); }, x)), x); }, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        check_near(second[i], 6 * points[i] - std::sin(points[i]), 1e-14);
    }
}
