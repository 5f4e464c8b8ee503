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

/// Of each f(x), which are outputs of one eval.
template <class... F>
std::vector<std::vector<double>> derivatives(const std::vector<double>& points, const F&... f) {
    std::vector<std::vector<double>> got(sizeof...(F), std::vector<double>(points.size()));
    const auto x = fuse::view<"x">(points);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        eval(fuse::host, (fuse::view(got[I]) = gradient(sum(f(x)), x))...);
    }
    (std::index_sequence_for<F...>{});
    return got;
}

const std::vector<double> everywhere = {-4.3, -2.5, -1.2, -0.4, -1e-3, 1e-3, 0.3, 0.9, 1.7, 3.4, 5.1};
const std::vector<double> positive = {1e-2, 0.3, 0.9, 1.7, 3.4, 50};
const std::vector<double> inside_one = {-0.95, -0.5, -1e-3, 1e-3, 0.4, 0.9};
const std::vector<double> above_one = {1.05, 1.5, 3, 20};

template <class F, class Formula>
struct Function {
    const char* name;
    F f;
    Formula formula;
};
template <class F, class Formula>
Function(const char*, F, Formula) -> Function<F, Formula>;

template <class... F>
void check_unary(const std::vector<double>& points, const F&... functions) {
    const auto got = derivatives(points, functions.f...);
    const auto check = [&](const auto& function, const std::vector<double>& slopes) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            INFO(function.name << " at " << points[i]);
            check_near(slopes[i], slope(function.formula, points[i]));
        }
    };
    std::size_t n = 0;
    (check(functions, got[n++]), ...);
}

#define UNARY(FUNCTION, FORMULA)                                                                                       \
    Function {                                                                                                         \
#FUNCTION, [](const auto& x) { return FUNCTION(x); }, +[](double x) -> double { return FORMULA; }              \
    }

double sigmoid_of(double x) {
    return 1 / (1 + std::exp(-x));
}
double softplus_of(double x) {
    return std::log1p(std::exp(x));
}

}  // namespace

TEST_CASE("derivatives of functions of one operand") {
    check_unary(everywhere, UNARY(-, -x), UNARY(abs, std::fabs(x)), UNARY(square, x * x), UNARY(exp, std::exp(x)),
                UNARY(exp2, std::exp2(x)));
    check_unary(everywhere, UNARY(expm1, std::expm1(x)), UNARY(sin, std::sin(x)), UNARY(cos, std::cos(x)),
                UNARY(atan, std::atan(x)), UNARY(sinh, std::sinh(x)));
    check_unary(everywhere, UNARY(cosh, std::cosh(x)), UNARY(tanh, std::tanh(x)), UNARY(asinh, std::asinh(x)),
                UNARY(erf, std::erf(x)), UNARY(erfc, std::erfc(x)));
    check_unary(everywhere, UNARY(floor, 0 * x), UNARY(ceil, 0 * x), UNARY(round, 0 * x), UNARY(trunc, 0 * x),
                UNARY(sign, 0 * x), UNARY(nan_to_num, x));
    check_unary(positive, UNARY(reciprocal, 1 / x), UNARY(sqrt, std::sqrt(x)), UNARY(rsqrt, 1 / std::sqrt(x)),
                UNARY(cbrt, std::cbrt(x)));
    check_unary(positive, UNARY(log, std::log(x)), UNARY(log2, std::log2(x)), UNARY(log10, std::log10(x)),
                UNARY(log1p, std::log1p(x)));
    check_unary(inside_one, UNARY(tan, std::tan(x)), UNARY(asin, std::asin(x)), UNARY(acos, std::acos(x)),
                UNARY(atanh, std::atanh(x)));
    check_unary(above_one, UNARY(acosh, std::acosh(x)));
}

TEST_CASE("derivatives of activations") {
    check_unary(
        everywhere, UNARY(relu, x > 0 ? x : 0), UNARY(sigmoid, sigmoid_of(x)),
        UNARY(gelu, x / 2 * std::erfc(-x / std::sqrt(2))),
        UNARY(gelu_tanh, x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)))),
        UNARY(silu, x * sigmoid_of(x)));
    check_unary(everywhere, UNARY(softplus, softplus_of(x)), UNARY(logsigmoid, -softplus_of(-x)),
                UNARY(selu, 1.0507009873554804934 * (x > 0 ? x : 1.6732632423543772848 * std::expm1(x))),
                UNARY(mish, x * std::tanh(softplus_of(x))), UNARY(hardsigmoid, std::fmin(std::fmax(x + 3, 0), 6) / 6));
    check_unary(everywhere, UNARY(hardswish, x * std::fmin(std::fmax(x + 3, 0), 6) / 6),
                UNARY(tanhshrink, x - std::tanh(x)),
                Function{"leaky_relu", [](const auto& x) { return leaky_relu(x, 0.1); },
                         +[](double x) { return x > 0 ? x : 0.1 * x; }},
                Function{"elu", [](const auto& x) { return elu(x, 1.5); },
                         +[](double x) { return x > 0 ? x : 1.5 * std::expm1(x); }},
                Function{"celu", [](const auto& x) { return celu(x, 1.5); },
                         +[](double x) { return x > 0 ? x : 1.5 * std::expm1(x / 1.5); }});
}

namespace {

/// The derivatives of each of them with respect to both operands, which are outputs of one eval.
template <class... F>
void check_binary(const std::vector<double>& left, const std::vector<double>& right, const F&... functions) {
    std::vector<double> a, b;
    for (const double l : left) {
        for (const double r : right) {
            a.push_back(l);
            b.push_back(r);
        }
    }
    std::vector<double> da[sizeof...(F)], db[sizeof...(F)];
    const auto x = fuse::view<"x">(a);
    const auto y = fuse::view<"y">(b);
    const auto output = [&](std::vector<double>& values) {
        values.resize(a.size());
        return fuse::view(values);
    };
    const auto check = [&](const auto& function, const std::vector<double>& dx, const std::vector<double>& dy) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            INFO(function.name << " at " << a[i] << ", " << b[i]);
            check_near(dx[i], slope(function.formula, 0, a[i], b[i]));
            check_near(dy[i], slope(function.formula, 1, a[i], b[i]));
        }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        eval(fuse::host, (output(da[I]) = gradient(sum(functions.f(x, y)), x))...,
             (output(db[I]) = gradient(sum(functions.f(x, y)), y))...);
        (check(functions, da[I], db[I]), ...);
    }
    (std::index_sequence_for<F...>{});
}
#define BINARY(NAME, CALL, FORMULA)                                                                                    \
    Function {                                                                                                         \
        NAME, [](const auto& x, const auto& y) { return CALL; }, +[](double x, double y) -> double { return FORMULA; } \
    }

}  // namespace

TEST_CASE("derivatives of functions of two operands") {
    const std::vector<double> some = {-2.3, -0.7, 0.4, 1.9};
    const std::vector<double> other = {-1.6, -0.9, 0.33, 2.6};
    const std::vector<double> above = {0.2, 0.8, 2.4};
    check_binary(some, other, BINARY("+", x + y, x + y), BINARY("-", x - y, x - y));
    check_binary(some, other, BINARY("*", x * y, x * y), BINARY("/", x / y, x / y),
                 BINARY("square", square(x, y), (x - y) * (x - y)));
    check_binary(some, other, BINARY("%", x % y, x - std::floor(x / y) * y),
                 BINARY("fmod", fmod(x, y), std::fmod(x, y)), BINARY("atan2", atan2(x, y), std::atan2(x, y)));
    check_binary(some, other, BINARY("hypot", hypot(x, y), std::hypot(x, y)),
                 BINARY("logaddexp", logaddexp(x, y), std::log(std::exp(x) + std::exp(y))),
                 BINARY("maximum", maximum(x, y), x > y ? x : y));
    check_binary(some, other, BINARY("minimum", minimum(x, y), x < y ? x : y),
                 BINARY("where", where(x > y, square(x), x * y), x > y ? x * x : x * y),
                 BINARY("clamp", clamp(x, y, y + 2.1),
                        x < y         ? y
                        : x > y + 2.1 ? y + 2.1
                                      : x));
    check_binary(some, other, BINARY("lerp", lerp(x, y, 0.3), x + 0.3 * (y - x)),
                 BINARY("lerp, the weight", lerp(x, 2.0, y), x + y * (2 - x)), BINARY("fma", fma(x, y, x), x * y + x));
    check_binary(some, other, BINARY("copysign", copysign(x, y) * y, std::copysign(x, y) * y),
                 BINARY("floor_divide", floor_divide(x, y) + x, std::floor(x / y) + x),
                 BINARY("leaky_relu", leaky_relu(x, y), x > 0 ? x : x * y));
    check_binary(above, other, BINARY("pow", pow(x, y), std::pow(x, y)));
    check_binary(some, above, BINARY("xlogy", xlogy(x, y), x * std::log(y)),
                 BINARY("elu", elu(x, y), x > 0 ? x : y * std::expm1(x)),
                 BINARY("celu", celu(x, y), x > 0 ? x : y * std::expm1(x / y)));
}

TEST_CASE("derivatives where there is none are PyTorch's choice") {
    const auto at_zero = [](const auto&... f) {
        std::vector<double> each;
        for (const auto& slopes : derivatives({0}, f...)) {
            each.push_back(slopes[0]);
        }
        return each;
    };
    CHECK(at_zero([](const auto& x) { return relu(x); }, [](const auto& x) { return abs(x); },
                  [](const auto& x) { return maximum(x, 0); }, [](const auto& x) { return minimum(0, x); },
                  [](const auto& x) { return clamp(x, 0, 1); },
                  [](const auto& x) { return clamp(x, -1, 0); }) == std::vector<double>{0, 0, 0.5, 0.5, 1, 1});
    CHECK(at_zero([](const auto& x) { return sqrt(x); }, [](const auto& x) { return log(x); },
                  [](const auto& x) { return pow(x, 0); }, [](const auto& x) { return pow(x, fuse::constant<1>); },
                  [](const auto& x) { return pow(x, 2); },
                  [](const auto& x) { return where(x > 0, square(x), x * 3); }) ==
          std::vector<double>{infinity, infinity, 0, 1, 0, 3});
    const auto special = derivatives(
        {not_a_number, infinity}, [](const auto& x) { return x * x; }, [](const auto& x) { return nan_to_num(x); });
    CHECK(std::isnan(special[0][0]));
    CHECK(special[1] == std::vector<double>{0, 0});
    const auto large = derivatives(
        {-1000, 1000}, [](const auto& x) { return sigmoid(x); }, [](const auto& x) { return softplus(x); });
    CHECK(large[0] == std::vector<double>{0, 0});
    CHECK(large[1] == std::vector<double>{0, 1});
}

namespace {

/// The second derivatives of each, whose formula is that of them.
template <class... F>
void check_second(const F&... functions) {
    const std::vector<double> points = {-1.4, -0.3, 0.2, 0.8, 1.9};
    const auto got = derivatives(points, [&](const auto& x) { return gradient(sum(functions.f(x)), x); }...);
    const auto check = [&](const auto& function, const std::vector<double>& slopes) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            INFO(function.name << " at " << points[i]);
            check_near(slopes[i], function.formula(points[i]), 1e-12);
        }
    };
    std::size_t n = 0;
    (check(functions, got[n++]), ...);
}
#define SECOND(NAME, CALL, FORMULA)                                                                                    \
    Function {                                                                                                         \
        NAME, [](const auto& x) { return CALL; }, [](double x) -> double { return FORMULA; }                           \
    }

}  // namespace

TEST_CASE("second derivatives") {
    check_second(SECOND("cube", x * x * x, 6 * x), SECOND("exp", exp(x), std::exp(x)),
                 SECOND("sin", sin(x), -std::sin(x)), SECOND("reciprocal", 1 / x, 2 / (x * x * x)));
    check_second(SECOND("tanh", tanh(x), -2 * std::tanh(x) * (1 - std::tanh(x) * std::tanh(x))),
                 SECOND("sigmoid", sigmoid(x), sigmoid_of(x) * (1 - sigmoid_of(x)) * (1 - 2 * sigmoid_of(x))),
                 SECOND("softplus", softplus(x), sigmoid_of(x) * (1 - sigmoid_of(x))),
                 SECOND("log1p", log1p(x * x), 2 * (1 - x * x) / ((1 + x * x) * (1 + x * x))));
    check_second(SECOND("pow", pow(x, fuse::constant<4>), 12 * x * x),
                 SECOND("atan", atan(x), -2 * x / ((1 + x * x) * (1 + x * x))),
                 SECOND("number", 0.5 * x * x, 1.0 + 0 * x));
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
    check_binary(everywhere, inside_one,
                 BINARY("generic lambda",
                        map([](auto u, auto v) { return u * u * sin(v) + pow(u, 3) / (v + 4.0) - exp(-v); }, x, y),
                        x * x * std::sin(y) + std::pow(x, 3) / (y + 4) - std::exp(-y)));
    const auto piecewise = [](const auto& x) {
        return map([](auto v) { return v > 0 ? sqrt(v) + log(v) : v * tanh(v) + fabs(v) - fmax(v, -1.0); }, x);
    };
    check_unary(everywhere, Function{"generic lambda of one", piecewise, +[](double x) {
                                         return x > 0 ? std::sqrt(x) + std::log(x)
                                                      : x * std::tanh(x) + std::fabs(x) - std::fmax(x, -1.0);
                                     }});

    // With a state, which stands in value and derivative alike; dual numbers of dual numbers.
    const double level = 1.7;
    const std::vector<double> points = {-1.5, 0.4, 2.1};
    const auto got = derivatives(
        points, [level](const auto& x) { return map([level](auto v) { return v * v * level; }, x); },
        [](const auto& x) { return map(Cubic{0.5}, x); },
        [](const auto& x) { return gradient(sum(map([](auto v) { return v * v * v + sin(v); }, x)), x); });
    for (std::size_t i = 0; i < points.size(); ++i) {
        check_near(got[0][i], 2 * level * points[i], 1e-14);
        check_near(got[1][i], 1.5 * points[i] * points[i], 1e-14);
        check_near(got[2][i], 6 * points[i] - std::sin(points[i]), 1e-14);
    }
}
