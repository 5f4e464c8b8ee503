// SPDX-License-Identifier: Apache-2.0
//
// Operands and comparison for the generic tests over the op table: random values of a record's domain, the
// special values of a type, and the error of a result in units in the last place.
#pragma once

#include "ops/op_table.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace fuse::testing {

/// n random elements of the domain, or of the part of it that T can hold.
template <class T>
std::vector<T> random_values(Domain domain, std::size_t n, unsigned seed) {
    std::mt19937_64 engine(seed);
    std::vector<T> values(n);
    if constexpr (std::is_floating_point_v<T>) {
        std::uniform_real_distribution<double> draw(domain.lo, domain.hi);
        for (auto&& v : values)
            v = static_cast<T>(draw(engine));
    } else {
        using limits = std::numeric_limits<T>;
        const double lo = std::max(std::ceil(domain.lo), static_cast<double>(limits::lowest()));
        const double hi = std::min(std::floor(domain.hi), static_cast<double>(limits::max()));
        std::uniform_int_distribution<long long> draw(static_cast<long long>(lo), static_cast<long long>(hi));
        for (auto&& v : values)
            v = static_cast<T>(draw(engine));
    }
    return values;
}

/// NaN, infinities, zeros, subnormals and extremes of a floating-point type.
template <class T>
std::vector<T> special_values() {
    using limits = std::numeric_limits<T>;
    std::vector<T> values;
    for (const T v : {T(0), limits::infinity(), limits::denorm_min(), limits::min(), limits::max(), limits::epsilon(),
                      T(0.5), T(1), T(1.5), T(2), T(2.5), T(3), T(1e10), T(1e-10)}) {
        values.push_back(v);
        values.push_back(-v);
    }
    values.push_back(limits::quiet_NaN());
    return values;
}

/// The distance from |v| to the next larger number of type T.
template <class T>
double unit_in_last_place(double v) {
    const T magnitude = static_cast<T>(std::fabs(v));
    using limits = std::numeric_limits<T>;
    if (magnitude >= limits::max())
        return std::ldexp(1., limits::max_exponent - limits::digits);
    return static_cast<double>(std::nextafter(magnitude, limits::infinity())) - static_cast<double>(magnitude);
}

/// Empty if `got` is the expected value within `ulp` units of type R, else what is wrong. Results that round
/// to a number must match it; a result close to overflow may overflow.
template <class R>
std::string mismatch(R got, double expected, double ulp) {
    std::ostringstream message;
    message.precision(17);
    message << "got " << +got << " expected " << expected;
    const double value = static_cast<double>(got);
    if constexpr (std::is_integral_v<R>) {
        // The integer power of a negative exponent truncates.
        return value == std::trunc(expected) ? "" : message.str();
    } else {
        const R rounded = static_cast<R>(expected);
        if (std::isnan(rounded) && std::isnan(got))
            return "";
        if (std::isnan(rounded) || std::isnan(got))
            return message.str();
        if (rounded == got)
            return "";
        if (std::isinf(rounded) || std::isinf(got)) {
            const double largest = static_cast<double>(std::numeric_limits<R>::max());
            const double distance = std::fabs(std::fabs(expected) - largest);
            const bool close = distance <= ulp * unit_in_last_place<R>(largest);
            return close && std::signbit(got) == std::signbit(rounded) ? "" : message.str();
        }
        const double error = std::fabs(value - expected) / unit_in_last_place<R>(expected);
        message << " error " << error << " ulp";
        return error <= ulp ? "" : message.str();
    }
}

/// A double functor is compared with a double reference that has an error of its own.
template <class R>
inline constexpr double reference_error = std::is_same_v<R, double> ? 4 : 0;

/// Fails, saying where, unless got is the expected value of the functor `name` at (x, y, z).
template <class R>
void check_value(const char* name, R got, double expected, double ulp, double x, double y = 0, double z = 0) {
    const std::string wrong = mismatch(got, expected, ulp + reference_error<R>);
    if (!wrong.empty()) {
        INFO(name << "(" << x << ", " << y << ", " << z << "): " << wrong);
        CHECK(wrong.empty());
    }
}

/// Integers divided by zero are not what the reference in double says: they have a test of their own.
template <class T, class F>
inline constexpr bool divides = std::is_integral_v<T> &&
                                (std::is_same_v<F, fuse::FloorDiv<>> || std::is_same_v<F, fuse::Mod<>> ||
                                 std::is_same_v<F, fuse::Fmod<>>);

}  // namespace fuse::testing
