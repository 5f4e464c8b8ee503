// SPDX-License-Identifier: Apache-2.0
//
// Dual numbers: a value and its derivative, for functors of the user (Clifford 1873; forward-mode differentiation as in
// Griewank, Walther, "Evaluating Derivatives", 2008, ch. 3). A generic lambda computes with them what it computes with
// numbers, through operators and through the functions of <cmath> called without std::.
#pragma once

#include "fuse/ops/functors/functor.hpp"

#include <cmath>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

template <class T>
struct Dual;

namespace detail {

/// Whether all numbers From are numbers To: float, double.
template <class From, class To>
inline constexpr bool widens = std::is_floating_point_v<From>&& std::is_floating_point_v<To> &&
                               (sizeof(From) < sizeof(To));
template <class From, class To>
inline constexpr bool widens<Dual<From>, Dual<To>> = widens<From, To>;

}  // namespace detail

/// value + slope * epsilon with epsilon^2 = 0. T: float, double, or again a Dual. A Dual of float beside one of double
/// becomes one of double, as numbers do.
template <class T>
struct Dual {
    T value{};
    T slope{};

    constexpr Dual() = default;
    FUSE_HD constexpr Dual(T v, T s) : value(v), slope(s) {}
    /// A number is a constant.
    template <Arithmetic N>
    FUSE_HD constexpr Dual(N v) : value(static_cast<T>(v)) {}
    template <class U>
    requires detail::widens<U, T> FUSE_HD constexpr Dual(Dual<U> d) : value(d.value), slope(d.slope) {}

    FUSE_HD constexpr Dual operator-() const { return {-value, -slope}; }
    FUSE_HD constexpr Dual operator+() const { return *this; }
    FUSE_HD friend constexpr Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
    FUSE_HD friend constexpr Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
    FUSE_HD friend constexpr Dual operator*(Dual a, Dual b) {
        return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    }
    FUSE_HD friend constexpr Dual operator/(Dual a, Dual b) {
        const T quotient = a.value / b.value;
        return {quotient, (a.slope - quotient * b.slope) / b.value};
    }
    FUSE_HD constexpr Dual& operator+=(Dual b) { return *this = *this + b; }
    FUSE_HD constexpr Dual& operator-=(Dual b) { return *this = *this - b; }
    FUSE_HD constexpr Dual& operator*=(Dual b) { return *this = *this * b; }
    FUSE_HD constexpr Dual& operator/=(Dual b) { return *this = *this / b; }

    FUSE_HD friend constexpr bool operator==(Dual a, Dual b) { return a.value == b.value; }
    FUSE_HD friend constexpr bool operator!=(Dual a, Dual b) { return a.value != b.value; }
    FUSE_HD friend constexpr bool operator<(Dual a, Dual b) { return a.value < b.value; }
    FUSE_HD friend constexpr bool operator>(Dual a, Dual b) { return a.value > b.value; }
    FUSE_HD friend constexpr bool operator<=(Dual a, Dual b) { return a.value <= b.value; }
    FUSE_HD friend constexpr bool operator>=(Dual a, Dual b) { return a.value >= b.value; }
};

/// FUNCTION(x) with derivative SLOPE; v is the value of x, y that of the function.
#define FUSE_DUAL_FUNCTION(FUNCTION, SLOPE)                                                                            \
    template <class T>                                                                                                 \
    FUSE_HD constexpr Dual<T> FUNCTION(Dual<T> x) {                                                                    \
        using std::cos, std::cosh, std::exp, std::log, std::sin, std::sinh, std::sqrt, std::FUNCTION;                  \
        [[maybe_unused]] const T v = x.value;                                                                          \
        [[maybe_unused]] const T y = FUNCTION(v);                                                                      \
        return {y, x.slope * (SLOPE)};                                                                                 \
    }                                                                                                                  \
    static_assert(true)

FUSE_DUAL_FUNCTION(sqrt, T(1) / (T(2) * y));
FUSE_DUAL_FUNCTION(cbrt, T(1) / (T(3) * y * y));
FUSE_DUAL_FUNCTION(exp, y);
FUSE_DUAL_FUNCTION(exp2, y* T(0.69314718055994530942));
FUSE_DUAL_FUNCTION(expm1, y + T(1));
FUSE_DUAL_FUNCTION(log, T(1) / v);
FUSE_DUAL_FUNCTION(log2, T(1.4426950408889634074) / v);
FUSE_DUAL_FUNCTION(log10, T(0.43429448190325182765) / v);
FUSE_DUAL_FUNCTION(log1p, T(1) / (v + T(1)));
FUSE_DUAL_FUNCTION(sin, cos(v));
FUSE_DUAL_FUNCTION(cos, -sin(v));
FUSE_DUAL_FUNCTION(tan, T(1) + y * y);
FUSE_DUAL_FUNCTION(asin, T(1) / sqrt(T(1) - v * v));
FUSE_DUAL_FUNCTION(acos, T(-1) / sqrt(T(1) - v * v));
FUSE_DUAL_FUNCTION(atan, T(1) / (T(1) + v * v));
FUSE_DUAL_FUNCTION(sinh, cosh(v));
FUSE_DUAL_FUNCTION(cosh, sinh(v));
FUSE_DUAL_FUNCTION(tanh, T(1) - y * y);
FUSE_DUAL_FUNCTION(asinh, T(1) / sqrt(v * v + T(1)));
FUSE_DUAL_FUNCTION(acosh, T(1) / sqrt(v * v - T(1)));
FUSE_DUAL_FUNCTION(atanh, T(1) / (T(1) - v * v));
FUSE_DUAL_FUNCTION(erf, exp(-v* v) * T(1.1283791670955125739));
FUSE_DUAL_FUNCTION(erfc, exp(-v* v) * T(-1.1283791670955125739));
#undef FUSE_DUAL_FUNCTION

namespace detail {

/// Whether a number is 0, and with it its slope.
template <class T>
FUSE_HD constexpr bool is_nothing(T x) {
    return x == T(0);
}
template <class T>
FUSE_HD constexpr bool is_nothing(Dual<T> x) {
    return is_nothing(x.value) && is_nothing(x.slope);
}

}  // namespace detail

/// 0 at 0, as PyTorch's abs.
template <class T>
FUSE_HD constexpr Dual<T> abs(Dual<T> x) {
    using std::abs;
    return x.value < T(0) ? -x : x.value > T(0) ? x : Dual<T>(abs(x.value), T(0));
}
template <class T>
FUSE_HD constexpr Dual<T> fabs(Dual<T> x) {
    return abs(x);
}
template <class T>
FUSE_HD constexpr Dual<T> pow(Dual<T> x, Dual<T> p) {
    using std::log, std::pow;
    const T y = pow(x.value, p.value);
    const bool is_constant = detail::is_nothing(x.slope) || detail::is_nothing(p.value);
    const T by_base = is_constant ? T(0) : x.slope * p.value * pow(x.value, p.value - T(1));
    const bool is_power_of_0 = x.value == T(0) && p.value >= T(0);
    const T by_power = detail::is_nothing(p.slope) || is_power_of_0 ? T(0) : p.slope * y * log(x.value);
    return {y, by_base + by_power};
}
template <class T>
FUSE_HD constexpr Dual<T> hypot(Dual<T> a, Dual<T> b) {
    using std::hypot;
    const T y = hypot(a.value, b.value);
    return {y, (a.slope * a.value + b.slope * b.value) / y};
}
template <class T>
FUSE_HD constexpr Dual<T> atan2(Dual<T> y, Dual<T> x) {
    using std::atan2;
    return {atan2(y.value, x.value), (y.slope * x.value - x.slope * y.value) / (x.value * x.value + y.value * y.value)};
}
/// Halves where both are equal, as PyTorch's maximum and minimum.
template <class T>
FUSE_HD constexpr Dual<T> fmax(Dual<T> a, Dual<T> b) {
    using std::fmax;
    const bool one = a.value > b.value || a.value < b.value;
    return !one ? Dual<T>(fmax(a.value, b.value), (a.slope + b.slope) * T(0.5)) : a.value > b.value ? a : b;
}
template <class T>
FUSE_HD constexpr Dual<T> fmin(Dual<T> a, Dual<T> b) {
    using std::fmin;
    const bool one = a.value > b.value || a.value < b.value;
    return !one ? Dual<T>(fmin(a.value, b.value), (a.slope + b.slope) * T(0.5)) : a.value < b.value ? a : b;
}
/// a - trunc(a / b) b, of which the quotient is a constant.
template <class T>
FUSE_HD constexpr Dual<T> fmod(Dual<T> a, Dual<T> b) {
    using std::fmod, std::trunc;
    return {fmod(a.value, b.value), a.slope - b.slope * trunc(a.value / b.value)};
}
/// The sign is a constant.
template <class T>
FUSE_HD constexpr Dual<T> copysign(Dual<T> a, Dual<T> b) {
    using std::copysign;
    const T y = copysign(a.value, b.value);
    return {y, a.value == T(0) ? T(0) : y == a.value ? a.slope : -a.slope};
}

// Constants wherever they have a derivative.
#define FUSE_DUAL_STEP(FUNCTION)                                                                                       \
    template <class T>                                                                                                 \
    FUSE_HD constexpr Dual<T> FUNCTION(Dual<T> x) {                                                                    \
        using std::FUNCTION;                                                                                           \
        return {FUNCTION(x.value), T(0)};                                                                              \
    }                                                                                                                  \
    static_assert(true)
FUSE_DUAL_STEP(floor);
FUSE_DUAL_STEP(ceil);
FUSE_DUAL_STEP(trunc);
FUSE_DUAL_STEP(round);
FUSE_DUAL_STEP(rint);
#undef FUSE_DUAL_STEP

#define FUSE_DUAL_TEST(FUNCTION)                                                                                       \
    template <class T>                                                                                                 \
    FUSE_HD constexpr bool FUNCTION(Dual<T> x) {                                                                       \
        using std::FUNCTION;                                                                                           \
        return FUNCTION(x.value);                                                                                      \
    }                                                                                                                  \
    static_assert(true)
FUSE_DUAL_TEST(isnan);
FUSE_DUAL_TEST(isinf);
FUSE_DUAL_TEST(isfinite);
FUSE_DUAL_TEST(signbit);
#undef FUSE_DUAL_TEST

// One of the operands a number, or of a narrower type.
#define FUSE_DUAL_AND_NUMBER(FUNCTION)                                                                                 \
    template <class T, Arithmetic N>                                                                                   \
    FUSE_HD constexpr Dual<T> FUNCTION(Dual<T> a, N b) {                                                               \
        return FUNCTION(a, Dual<T>(b));                                                                                \
    }                                                                                                                  \
    template <class T, Arithmetic N>                                                                                   \
    FUSE_HD constexpr Dual<T> FUNCTION(N a, Dual<T> b) {                                                               \
        return FUNCTION(Dual<T>(a), b);                                                                                \
    }                                                                                                                  \
    template <class T, class U>                                                                                        \
    requires detail::widens<T, U> FUSE_HD constexpr Dual<U> FUNCTION(Dual<T> a, Dual<U> b) {                           \
        return FUNCTION(Dual<U>(a), b);                                                                                \
    }                                                                                                                  \
    template <class T, class U>                                                                                        \
    requires detail::widens<U, T> FUSE_HD constexpr Dual<T> FUNCTION(Dual<T> a, Dual<U> b) {                           \
        return FUNCTION(a, Dual<T>(b));                                                                                \
    }                                                                                                                  \
    static_assert(true)
FUSE_DUAL_AND_NUMBER(pow);
FUSE_DUAL_AND_NUMBER(hypot);
FUSE_DUAL_AND_NUMBER(atan2);
FUSE_DUAL_AND_NUMBER(fmax);
FUSE_DUAL_AND_NUMBER(fmin);
FUSE_DUAL_AND_NUMBER(fmod);
FUSE_DUAL_AND_NUMBER(copysign);
#undef FUSE_DUAL_AND_NUMBER

namespace detail {

template <class T>
inline constexpr bool is_dual = false;
template <class T>
inline constexpr bool is_dual<Dual<T>> = true;

}  // namespace detail

template <class A, class B, class C>
    requires(detail::is_dual<A> || detail::is_dual<B> || detail::is_dual<C>)
FUSE_HD constexpr auto fma(A a, B b, C c) {
    return a * b + c;
}

FUSE_END_NAMESPACE
