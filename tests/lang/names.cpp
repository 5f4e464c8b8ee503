// SPDX-License-Identifier: Apache-2.0
//
// Every elementwise function of the language, by the name that a user writes, found by its arguments alone, of an
// operand that is itself a map; against the standard library.
#include <cmath>
#include <limits>
#include <vector>

#include "support/host_target.hpp"

namespace {

using fuse::testing::HostTarget;

/// Elements of h = x + x lie in [-1.5, 1.5], those of p = y + y in [0.2, 1.5].
struct Numbers {
    std::vector<double> x, y;
    Numbers() {
        for (int i = 0; i < 60; ++i) {
            x.push_back((i - 30) / 40.0);
            y.push_back(0.1 + i / 92.0);
        }
    }
};

template <class Statement, class F>
void check(const char* name, const Numbers& n, std::vector<double>& out, const Statement& statement, F expected) {
    INFO(name);
    fuse::eval(HostTarget{}.executor, statement);
    for (std::size_t i = 0; i < out.size(); ++i) {
        CHECK(out[i] == Catch::Approx(expected(2 * n.x[i], 2 * n.y[i])).margin(1e-14));
    }
}

}  // namespace

// NAME of one operand, of h or of p; and an expression of both.
#define CHECK_OF_H(name, reference) check(#name, n, out, z = name(x + x), [](double h, double) { return reference; })
#define CHECK_OF_P(name, reference) check(#name, n, out, z = name(y + y), [](double, double p) { return reference; })
#define CHECK_OF(expression, reference)                                                                                \
    check(#expression, n, out, z = expression,                                                                         \
          [](double h, double p) { return static_cast<void>(h), static_cast<void>(p), reference; })

TEST_CASE("elementwise functions by name") {
    const Numbers n;
    std::vector<double> out(n.x.size());
    // Of one type, so that a helper of two operands of one type would be found.
    const auto x = fuse::view(n.x);
    const auto y = fuse::view(n.y);
    const auto z = fuse::view<"z">(out);
    const double pi = std::acos(-1.0);

    CHECK_OF_H(abs, std::fabs(h));
    CHECK_OF_H(square, h * h);
    CHECK_OF_P(reciprocal, 1 / p);
    CHECK_OF_H(sign, (h > 0) - (h < 0));
    CHECK_OF_P(sqrt, std::sqrt(p));
    CHECK_OF_P(rsqrt, 1 / std::sqrt(p));
    CHECK_OF_H(cbrt, std::cbrt(h));
    CHECK_OF_H(exp, std::exp(h));
    CHECK_OF_H(exp2, std::exp2(h));
    CHECK_OF_H(expm1, std::expm1(h));
    CHECK_OF_P(log, std::log(p));
    CHECK_OF_P(log2, std::log2(p));
    CHECK_OF_P(log10, std::log10(p));
    CHECK_OF_P(log1p, std::log1p(p));
    CHECK_OF_H(sin, std::sin(h));
    CHECK_OF_H(cos, std::cos(h));
    CHECK_OF_H(tan, std::tan(h));
    CHECK_OF(asin((x + x) / 2), std::asin(h / 2));
    CHECK_OF(acos((x + x) / 2), std::acos(h / 2));
    CHECK_OF_H(atan, std::atan(h));
    CHECK_OF_H(sinh, std::sinh(h));
    CHECK_OF_H(cosh, std::cosh(h));
    CHECK_OF_H(tanh, std::tanh(h));
    CHECK_OF_H(asinh, std::asinh(h));
    CHECK_OF(acosh((y + y) + 1), std::acosh(p + 1));
    CHECK_OF(atanh((x + x) / 2), std::atanh(h / 2));
    CHECK_OF(floor((x + x) * 3), std::floor(h * 3));
    CHECK_OF(ceil((x + x) * 3), std::ceil(h * 3));
    CHECK_OF(round((x + x) * 3), std::nearbyint(h * 3));
    CHECK_OF(trunc((x + x) * 3), std::trunc(h * 3));
    CHECK_OF_H(sigmoid, 1 / (1 + std::exp(-h)));
    CHECK_OF_H(relu, h > 0 ? h : 0);
    CHECK_OF_H(silu, h / (1 + std::exp(-h)));
    CHECK_OF_H(softplus, std::log1p(std::exp(h)));
    CHECK_OF_H(erf, std::erf(h));
    CHECK_OF_H(erfc, std::erfc(h));
    CHECK_OF_H(gelu, h / 2 * (1 + std::erf(h / std::sqrt(2.0))));
    check("gelu_tanh", n, out, z = gelu_tanh(x + x),
          [pi](double h, double) { return h / 2 * (1 + std::tanh(std::sqrt(2 / pi) * (h + 0.044715 * h * h * h))); });
    CHECK_OF_H(leaky_relu, h > 0 ? h : h / 100);
    CHECK_OF(leaky_relu(x + x, 0.25), h > 0 ? h : h / 4);
    CHECK_OF_H(elu, h > 0 ? h : std::exp(h) - 1);
    CHECK_OF(elu(x + x, y + y), h > 0 ? h : p * (std::exp(h) - 1));
    CHECK_OF_H(celu, h > 0 ? h : std::exp(h) - 1);
    CHECK_OF(celu(x + x, 2), h > 0 ? h : 2 * (std::exp(h / 2) - 1));
    CHECK_OF_H(selu, 1.0507009873554805 * (h > 0 ? h : 1.6732632423543772 * (std::exp(h) - 1)));
    CHECK_OF_H(mish, h * std::tanh(std::log(1 + std::exp(h))));
    CHECK_OF(hardswish((x + x) * 3), h * 3 * std::fmin(std::fmax(h * 3 + 3, 0), 6) / 6);
    CHECK_OF(hardsigmoid((x + x) * 3), std::fmin(std::fmax(h * 3 + 3, 0), 6) / 6);
    CHECK_OF_H(logsigmoid, -std::log(1 + std::exp(-h)));
    CHECK_OF_H(tanhshrink, h - std::tanh(h));
    CHECK_OF(cast<int>((x + x) * 3), std::trunc(h * 3));

    CHECK_OF(min(x + x, y + y), std::fmin(h, p));
    CHECK_OF(max(x + x, y + y), std::fmax(h, p));
    CHECK_OF(minimum(x + x, y + y), std::fmin(h, p));
    CHECK_OF(maximum(x + x, 0.25), std::fmax(h, 0.25));
    CHECK_OF(fmod(x + x, y + y), std::fmod(h, p));
    CHECK_OF(copysign(y + y, x + x), std::copysign(p, h));
    CHECK_OF(logaddexp(x + x, y + y), std::log(std::exp(h) + std::exp(p)));
    CHECK_OF(xlogy(x + x, y + y), h * std::log(p));
    CHECK_OF(lerp(x + x, y + y, 0.75), h + 0.75 * (p - h));
    CHECK_OF(lerp(1.0, x + x, y + y), 1 + p * (h - 1));
    CHECK_OF(nan_to_num(x + x), h);
    CHECK_OF(nan_to_num(log(x + x), 7), h < 0 ? 7 : h == 0 ? std::numeric_limits<double>::lowest() : std::log(h));
    CHECK_OF(nan_to_num(1 / (x + x), 7, 8, 9), h == 0 ? 8 : 1 / h);
    CHECK_OF(isclose(x + x, y + y, 0.5, 0.25), std::fabs(h - p) <= 0.25 + 0.5 * std::fabs(p));
    CHECK_OF(isclose(x + x, (x + x) * 1.000001 + 1e-9), 1);
    CHECK_OF(pow(y + y, x + x), std::pow(p, h));
    CHECK_OF(hypot(x + x, y + y), std::hypot(h, p));
    CHECK_OF(atan2(x + x, y + y), std::atan2(h, p));
    CHECK_OF(floor_divide(x + x, y + y), std::floor(h / p));
    CHECK_OF(fma(x + x, y + y, x + x), std::fma(h, p, h));
    CHECK_OF(clamp(x + x, -0.5, 0.25), std::fmin(std::fmax(h, -0.5), 0.25));
    CHECK_OF(where(x + x > 0, y + y, x + x), h > 0 ? p : h);
    CHECK_OF(where(isnan(x + x) || isinf(x + x) || !isfinite(x + x), y + y, x + x), h);
    CHECK_OF(square(x + x, y + y), (h - p) * (h - p));
}
