// SPDX-License-Identifier: Apache-2.0
//
// Comparisons with a bool result. Integers compare by value whatever their signedness: -1 < 1u holds. Any
// comparison with NaN is false except not_equal.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"

#include <cmath>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class A, class B>
inline constexpr bool mixed_signs =
    std::is_integral_v<A>&& std::is_integral_v<B>&& std::is_signed_v<A> != std::is_signed_v<B>;

/// Promotion makes small unsigned types and bool signed, so mixed signs remain for wide operands only.
template <class T>
FUSE_HD constexpr auto promoted(T v) {
    if constexpr (Arithmetic<T>) {
        return +v;
    } else {
        return v;
    }
}

template <class A, class B>
FUSE_HD constexpr bool value_less(A a, B b) {
    if constexpr (mixed_signs<A, B>) {
        using U = std::make_unsigned_t<arithmetic_t<A, B>>;
        if constexpr (std::is_signed_v<A>) {
            return a < 0 || static_cast<U>(a) < static_cast<U>(b);
        } else {
            return b >= 0 && static_cast<U>(a) < static_cast<U>(b);
        }
    } else if constexpr (Arithmetic<A> && Arithmetic<B>) {
        using C = arithmetic_t<A, B>;
        return static_cast<C>(a) < static_cast<C>(b);
    } else {
        return a < b;
    }
}

template <class A, class B>
FUSE_HD constexpr bool value_equal(A a, B b) {
    if constexpr (mixed_signs<A, B>) {
        using U = std::make_unsigned_t<arithmetic_t<A, B>>;
        bool negative = false;
        if constexpr (std::is_signed_v<A>) {
            negative = a < 0;
        } else {
            negative = b < 0;
        }
        return !negative && static_cast<U>(a) == static_cast<U>(b);
    } else if constexpr (Arithmetic<A> && Arithmetic<B>) {
        using C = arithmetic_t<A, B>;
        return static_cast<C>(a) == static_cast<C>(b);
    } else {
        return a == b;
    }
}

}  // namespace detail

/// x < y
template <class T = void>
struct Less : detail::Binary<Less<T>, T> {
    static constexpr const char* name = "less";
    static constexpr bool compares = std::is_void_v<T>;
    static constexpr const char* infix = "<";
    static constexpr bool associative = false;
    template <class A, class B>
        requires requires(A a, B b) {
            a < b;
        }
    static FUSE_HD constexpr bool apply(A a, B b) {
        return detail::value_less(detail::promoted(a), detail::promoted(b));
    }
};

/// x <= y
template <class T = void>
struct LessEqual : detail::Binary<LessEqual<T>, T> {
    static constexpr const char* name = "less_equal";
    static constexpr bool compares = std::is_void_v<T>;
    static constexpr const char* infix = "<=";
    static constexpr bool associative = false;
    template <class A, class B>
        requires requires(A a, B b) {
            b < a;
        }
    static FUSE_HD constexpr bool apply(A a, B b) {
        const bool ordered = !detail::is_nan(a) && !detail::is_nan(b);
        return ordered && !detail::value_less(detail::promoted(b), detail::promoted(a));
    }
};

/// x > y
template <class T = void>
struct Greater : detail::Binary<Greater<T>, T> {
    static constexpr const char* name = "greater";
    static constexpr bool compares = std::is_void_v<T>;
    static constexpr const char* infix = ">";
    static constexpr bool associative = false;
    template <class A, class B>
        requires requires(A a, B b) {
            b < a;
        }
    static FUSE_HD constexpr bool apply(A a, B b) {
        return detail::value_less(detail::promoted(b), detail::promoted(a));
    }
};

/// x >= y
template <class T = void>
struct GreaterEqual : detail::Binary<GreaterEqual<T>, T> {
    static constexpr const char* name = "greater_equal";
    static constexpr bool compares = std::is_void_v<T>;
    static constexpr const char* infix = ">=";
    static constexpr bool associative = false;
    template <class A, class B>
        requires requires(A a, B b) {
            a < b;
        }
    static FUSE_HD constexpr bool apply(A a, B b) {
        const bool ordered = !detail::is_nan(a) && !detail::is_nan(b);
        return ordered && !detail::value_less(detail::promoted(a), detail::promoted(b));
    }
};

/// x == y
template <class T = void>
struct Equal : detail::Binary<Equal<T>, T> {
    static constexpr const char* name = "equal";
    static constexpr bool compares = std::is_void_v<T>;
    static constexpr const char* infix = "==";
    static constexpr bool associative = false;
    template <class A, class B>
        requires requires(A a, B b) {
            a == b;
        }
    static FUSE_HD constexpr bool apply(A a, B b) {
        return detail::value_equal(detail::promoted(a), detail::promoted(b));
    }
};

/// x != y
template <class T = void>
struct NotEqual : detail::Binary<NotEqual<T>, T> {
    static constexpr const char* name = "not_equal";
    static constexpr bool compares = std::is_void_v<T>;
    static constexpr const char* infix = "!=";
    static constexpr bool associative = false;
    template <class A, class B>
        requires requires(A a, B b) {
            a == b;
        }
    static FUSE_HD constexpr bool apply(A a, B b) {
        return !detail::value_equal(detail::promoted(a), detail::promoted(b));
    }
};

/// Whether |x - y| <= absolute + relative * |y|; infinities equal themselves, NaN nothing (numpy's isclose).
template <class T = void>
struct IsClose {
    static constexpr const char* name = "isclose";
    static constexpr bool associative = false;
    template <Arithmetic A, Arithmetic B>
    FUSE_HD constexpr bool operator()(A x, B y) const {
        using F = floating_t<detail::operand_t<T, A>, detail::operand_t<T, B>>;
        return (*this)(x, y, F(1e-5), F(1e-8));
    }
    template <Arithmetic A, Arithmetic B, Arithmetic R>
    FUSE_HD constexpr bool operator()(A x, B y, R relative) const {
        return (*this)(x, y, relative, floating_t<detail::operand_t<T, A>, detail::operand_t<T, B>>(1e-8));
    }
    template <Arithmetic A, Arithmetic B, Arithmetic R, Arithmetic S>
    FUSE_HD constexpr bool operator()(A x, B y, R relative, S absolute) const {
        using F = floating_t<detail::operand_t<T, A>, detail::operand_t<T, B>>;
        const F a = static_cast<F>(detail::operand<T>(x));
        const F b = static_cast<F>(detail::operand<T>(y));
        const F size = std::fabs(b);
        const F allowed = static_cast<F>(absolute) + static_cast<F>(relative) * size;
        return a == b || (size < limits<F>::infinity && std::fabs(a - b) <= allowed);
    }
};

FUSE_END_NAMESPACE
