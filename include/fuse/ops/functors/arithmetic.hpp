// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic: identity neg abs square reciprocal, + - * / floor_divide mod fmod, fma and the division by a run-time
// number. Class types with the matching operator work in the operators too. No operand value traps or is
// undefined, because a kernel may compute on items whose result is dropped.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"

#include <cmath>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

/// x
template <class T = void>
struct Identity : detail::Unary<Identity<T>, T> {
    static constexpr const char* name = "identity";
    template <class V>
    static FUSE_HD constexpr V apply(V x) {
        return x;
    }
};

/// -x; small integers widen to int as the operator does.
template <class T = void>
struct Neg : detail::Unary<Neg<T>, T> {
    static constexpr const char* name = "neg";
    static constexpr const char* prefix = "-";
    template <class V>
        requires requires(V v) {
            -v;
        }
    static FUSE_HD constexpr auto apply(V x) {
        if constexpr (Arithmetic<V>) {
            return detail::wrapping_neg<arithmetic_t<V>>(x);
        } else {
            return -x;
        }
    }
};

/// |x|; small integers widen to int.
template <class T = void>
struct Abs : detail::Unary<Abs<T>, T> {
    static constexpr const char* name = "abs";
    template <Arithmetic V>
    static FUSE_HD constexpr auto apply(V x) {
        using C = arithmetic_t<V>;
        if constexpr (std::is_floating_point_v<C>) {
            return std::fabs(x);
        } else if constexpr (std::is_signed_v<C>) {
            const C wide = x;
            return wide < 0 ? detail::wrapping_neg(wide) : wide;
        } else {
            return static_cast<C>(x);
        }
    }
};

/// x + y
template <class T = void>
struct Add : detail::Binary<Add<T>, T> {
    static constexpr const char* name = "add";
    static constexpr const char* infix = "+";
    template <class A, class B>
        requires requires(A a, B b) {
            a + b;
        }
    static FUSE_HD constexpr auto apply(A a, B b) {
        if constexpr (Arithmetic<A> && Arithmetic<B>) {
            using C = arithmetic_t<A, B>;
            return detail::wrapping_add(static_cast<C>(a), static_cast<C>(b));
        } else {
            return a + b;
        }
    }
};

/// x - y
template <class T = void>
struct Sub : detail::Binary<Sub<T>, T> {
    static constexpr const char* name = "sub";
    static constexpr const char* infix = "-";
    static constexpr bool associative = false;
    template <class A, class B>
        requires requires(A a, B b) {
            a - b;
        }
    static FUSE_HD constexpr auto apply(A a, B b) {
        if constexpr (Arithmetic<A> && Arithmetic<B>) {
            using C = arithmetic_t<A, B>;
            return detail::wrapping_sub(static_cast<C>(a), static_cast<C>(b));
        } else {
            return a - b;
        }
    }
};

/// x * y
template <class T = void>
struct Mul : detail::Binary<Mul<T>, T> {
    static constexpr const char* name = "mul";
    static constexpr const char* infix = "*";
    template <class A, class B>
        requires requires(A a, B b) {
            a* b;
        }
    static FUSE_HD constexpr auto apply(A a, B b) {
        if constexpr (Arithmetic<A> && Arithmetic<B>) {
            using C = arithmetic_t<A, B>;
            return detail::wrapping_mul(static_cast<C>(a), static_cast<C>(b));
        } else {
            return a * b;
        }
    }
};

/// True division: 8 and 16-bit integers give float, wider integers double.
template <class T = void>
struct Div : detail::Binary<Div<T>, T> {
    static constexpr const char* name = "div";
    static constexpr const char* infix = "/";
    static constexpr bool associative = false;
    template <class A, class B>
        requires requires(A a, B b) {
            a / b;
        }
    static FUSE_HD constexpr auto apply(A a, B b) {
        if constexpr (Arithmetic<A> && Arithmetic<B>) {
            using F = floating_t<A, B>;
            return static_cast<F>(a) / static_cast<F>(b);
        } else {
            return a / b;
        }
    }
};

/// One operand: x * x. Two operands: (x - y) * (x - y).
template <class T = void>
struct Square {
    static constexpr const char* name = "square";
    static constexpr bool associative = false;
    template <class V>
    requires std::is_invocable_v<Mul<T>, V, V> FUSE_HD constexpr auto operator()(V x) const { return Mul<T>{}(x, x); }
    template <class A, class B>
    requires std::is_invocable_v<Sub<T>, A, B> FUSE_HD constexpr auto operator()(A x, B y) const {
        return (*this)(Sub<T>{}(x, y));
    }
};

/// 1 / x
template <class T = void>
struct Reciprocal : detail::FloatUnary<Reciprocal<T>, T> {
    static constexpr const char* name = "reciprocal";
    template <class F>
    static FUSE_HD constexpr F apply(F x) {
        return F(1) / x;
    }
};

/// The quotient rounded towards minus infinity, as in numpy: exact multiples are not lost to rounding.
/// Integers divided by zero give 0.
template <class T = void>
struct FloorDiv : detail::Binary<FloorDiv<T>, T> {
    static constexpr const char* name = "floor_divide";
    static constexpr bool associative = false;
    template <Arithmetic A, Arithmetic B>
    static FUSE_HD constexpr auto apply(A a, B b) {
        using C = arithmetic_t<A, B>;
        return divide(static_cast<C>(a), static_cast<C>(b));
    }

private:
    template <class C>
    static FUSE_HD constexpr C divide(C a, C b) {
        if constexpr (std::is_floating_point_v<C>) {
            const C remainder = std::fmod(a, b);
            const bool other_sign = remainder != 0 && (b < 0) != (remainder < 0);
            const C quotient = (a - remainder) / b - (other_sign ? C(1) : C(0));
            const C down = std::floor(quotient);
            const C snapped = quotient - down > C(0.5) ? down + C(1) : down;
            const C nonzero = quotient == 0 ? std::copysign(C(0), a / b) : snapped;
            return b == 0 ? a / b : nonzero;
        } else if constexpr (std::is_signed_v<C>) {
            // The lowest integer divided by -1 traps on a CPU: that division is a negation.
            const C safe = b == 0 || b == -1 ? C(1) : b;
            const C quotient = a / safe;
            const C floored = quotient - ((a % safe != 0) && ((a < 0) != (safe < 0)) ? C(1) : C(0));
            return b == 0 ? C(0) : (b == -1 ? detail::wrapping_neg(a) : floored);
        } else {
            return b == 0 ? C(0) : a / (b == 0 ? C(1) : b);
        }
    }
};

/// The remainder of floor_divide: it has the sign of y, as in numpy and Python. Integers modulo zero give 0.
template <class T = void>
struct Mod : detail::Binary<Mod<T>, T> {
    static constexpr const char* name = "mod";
    static constexpr const char* infix = "%";
    static constexpr bool associative = false;
    template <Arithmetic A, Arithmetic B>
    static FUSE_HD constexpr auto apply(A a, B b) {
        using C = arithmetic_t<A, B>;
        return remainder(static_cast<C>(a), static_cast<C>(b));
    }

private:
    template <class C>
    static FUSE_HD constexpr C remainder(C a, C b) {
        if constexpr (std::is_floating_point_v<C>) {
            const C rest = std::fmod(a, b);
            const C shifted = (b < 0) != (rest < 0) ? rest + b : rest;
            return rest == 0 ? std::copysign(C(0), b) : shifted;
        } else if constexpr (std::is_signed_v<C>) {
            const C safe = b == 0 || b == -1 ? C(1) : b;
            const C rest = a % safe;
            return rest != 0 && (rest < 0) != (safe < 0) ? rest + safe : rest;
        } else {
            return b == 0 ? C(0) : a % (b == 0 ? C(1) : b);
        }
    }
};

/// The remainder of the division rounded towards zero: it has the sign of x, as C's. Integers modulo zero give 0.
template <class T = void>
struct Fmod : detail::Binary<Fmod<T>, T> {
    static constexpr const char* name = "fmod";
    static constexpr bool associative = false;
    template <Arithmetic A, Arithmetic B>
    static FUSE_HD constexpr auto apply(A a, B b) {
        using C = arithmetic_t<A, B>;
        const C x = static_cast<C>(a), y = static_cast<C>(b);
        if constexpr (std::is_floating_point_v<C>) {
            return std::fmod(x, y);
        } else if constexpr (std::is_signed_v<C>) {
            return x % (y == 0 || y == -1 ? C(1) : y);
        } else {
            return x % (y == 0 ? C(1) : y);
        }
    }
};

/// x * y + z, rounded once in floating point.
template <class T = void>
struct Fma {
    static constexpr const char* name = "fma";
    template <Arithmetic A, Arithmetic B, Arithmetic C>
    FUSE_HD constexpr auto operator()(A x, B y, C z) const {
        using Product = arithmetic_t<detail::operand_t<T, A>, detail::operand_t<T, B>>;
        using R = arithmetic_t<Product, detail::operand_t<T, C>>;
        const R a = static_cast<R>(detail::operand<T>(x));
        const R b = static_cast<R>(detail::operand<T>(y));
        const R c = static_cast<R>(detail::operand<T>(z));
        if constexpr (std::is_floating_point_v<R>) {
            return std::fma(a, b, c);
        } else {
            return detail::wrapping_add(detail::wrapping_mul(a, b), c);
        }
    }
};

/// x + w * (y - x), from the end that is nearer, so that w = 1 gives y (PyTorch's lerp).
template <class T = void>
struct Lerp {
    static constexpr const char* name = "lerp";
    template <Arithmetic A, Arithmetic B, Arithmetic W>
    FUSE_HD constexpr auto operator()(A x, B y, W weight) const {
        using F = floating_t<floating_t<detail::operand_t<T, A>, detail::operand_t<T, B>>, detail::operand_t<T, W>>;
        const F a = static_cast<F>(detail::operand<T>(x));
        const F b = static_cast<F>(detail::operand<T>(y));
        const F w = static_cast<F>(detail::operand<T>(weight));
        return std::fabs(w) < F(0.5) ? a + w * (b - a) : b - (b - a) * (F(1) - w);
    }
};

/// True division by a number known at run time: `Divide(n)`.
template <Arithmetic N>
struct Divide {
    static constexpr const char* name = "divide";
    N divisor;

    FUSE_HD explicit constexpr Divide(N n) : divisor(n) {}

    template <class V>
    requires std::is_invocable_v<Div<>, V, N> FUSE_HD constexpr auto operator()(V x) const {
        return Div<>{}(x, divisor);
    }
};

FUSE_END_NAMESPACE
