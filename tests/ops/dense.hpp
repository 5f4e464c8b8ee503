// SPDX-License-Identifier: Apache-2.0
//
// The functions that the library computes by formulas of its own, over all of their range: numbers of every exponent and
// sign, both ends of every binade among them, and the places where the formulas change, against wider types by ulp.
#pragma once

#include "ops/check.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace fuse::testing {

inline std::vector<float> dense_floats() {
    std::mt19937 engine(9);
    std::vector<float> values;
    const auto add = [&](std::uint32_t bits) {
        values.push_back(std::bit_cast<float>(bits));
        values.push_back(std::bit_cast<float>(bits | 0x80000000U));
    };
    for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
        // From 2^-4 to 2^7 lies what matters.
        const int count = exponent >= 123 && exponent < 134 ? 2000 : 30;
        add(exponent << 23);
        add(exponent << 23 | 0x7fffffU);
        for (int i = 0; i < count; ++i) {
            add(exponent << 23 | (static_cast<std::uint32_t>(engine()) & 0x7fffffU));
        }
    }
    for (const float edge : {0.625F, 2.5F, 5.F, 9.1F, 13.F, 15.F, 73.F, 89.F, 104.F, 128.F, 151.F, 0x1p76F}) {
        for (std::uint32_t step = 0; step < 9; ++step) {
            add(std::bit_cast<std::uint32_t>(edge) - 4 + step);
        }
    }
    add(std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity()));
    add(std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN()));
    return values;
}

/// Fails unless got[i] is f(x[i]) within bound(x[i]) ulp, or lies as close to it as a subnormal number to 0, and has its
/// sign where it is 0.
template <class Results, class Bound>
void check_dense(const char* name, const std::vector<float>& x, const Results& got, double (*f)(double), Bound bound) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double wide = static_cast<double>(x[i]), expected = f(wide);
        const double error = std::fabs(static_cast<double>(got[i]) - expected);
        if (error >= static_cast<double>(std::numeric_limits<float>::min()) / 2 || std::isnan(error)) {
            check_value(name, got[i], expected, bound(wide), wide);
        }
        if (expected == 0 && std::signbit(got[i]) != std::signbit(expected)) {
            INFO(name << "(" << wide << ") is " << got[i]);
            CHECK(std::signbit(got[i]) == std::signbit(expected));
        }
    }
}

/// Results of `apply(functor, x)` for the functors with formulas of their own.
template <class Apply>
void check_dense_functors(Apply apply) {
    const auto x = dense_floats();
    REQUIRE(x.size() > 50000);
    // The rounding of the exponent, x^2 / 2, grows in the left tail.
    check_dense(
        "gelu", x, apply(Gelu<>{}, x), [](double v) { return 0.5 * v * std::erfc(-v / std::sqrt(2.0)); },
        [](double v) { return std::fabs(v) <= 1 ? 8
                              : v >= -5         ? 40
                                                : 200; });
    check_dense("sigmoid", x, apply(Sigmoid<>{}, x), reference_sigmoid, [](double) { return 4; });
    check_dense(
        "silu", x, apply(Silu<>{}, x), [](double v) { return v * reference_sigmoid(v); }, [](double) { return 5; });
    check_dense(
        "exp", x, apply(Exp<>{}, x), [](double v) { return std::exp(v); }, [](double) { return 2; });
    check_dense(
        "log", x, apply(Log<>{}, x), [](double v) { return std::log(v); }, [](double) { return 2; });
    check_dense(
        "erf", x, apply(Erf<>{}, x), [](double v) { return std::erf(v); }, [](double) { return 2; });
    check_dense(
        "exp2", x, apply(Exp2<>{}, x), [](double v) { return std::exp2(v); }, [](double) { return 2; });
    check_dense(
        "expm1", x, apply(Expm1<>{}, x), [](double v) { return std::expm1(v); }, [](double) { return 2; });
    check_dense(
        "tanh", x, apply(Tanh<>{}, x), [](double v) { return std::tanh(v); }, [](double) { return 2; });
    check_dense(
        "log2", x, apply(Log2<>{}, x), [](double v) { return std::log2(v); }, [](double) { return 2; });
    check_dense(
        "log10", x, apply(Log10<>{}, x), [](double v) { return std::log10(v); }, [](double) { return 2; });
    check_dense(
        "log1p", x, apply(Log1p<>{}, x), [](double v) { return std::log1p(v); }, [](double) { return 2; });
    check_dense(
        "sin", x, apply(Sin<>{}, x), [](double v) { return std::sin(v); }, [](double) { return 2; });
    check_dense(
        "cos", x, apply(Cos<>{}, x), [](double v) { return std::cos(v); }, [](double) { return 2; });
    check_dense(
        "tan", x, apply(Tan<>{}, x), [](double v) { return std::tan(v); }, [](double) { return 4; });
}

}  // namespace fuse::testing
