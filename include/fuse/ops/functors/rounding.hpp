// SPDX-License-Identifier: Apache-2.0
//
// Rounding to an integer value, the sign, and the classification and replacement of floating-point values. Integers
// pass through the rounding functions unchanged.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"
#include "fuse/ops/types/to_integer.hpp"

#include <cmath>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

template <class T = void>
struct Floor : detail::Unary<Floor<T>, T> {
    static constexpr const char* name = "floor";
    static constexpr Rounding rounding = Rounding::down;
    template <Arithmetic V>
    static FUSE_HD constexpr V apply(V x) {
        if constexpr (std::is_floating_point_v<V>) {
            return std::floor(x);
        } else {
            return x;
        }
    }
};

template <class T = void>
struct Ceil : detail::Unary<Ceil<T>, T> {
    static constexpr const char* name = "ceil";
    static constexpr Rounding rounding = Rounding::up;
    template <Arithmetic V>
    static FUSE_HD constexpr V apply(V x) {
        if constexpr (std::is_floating_point_v<V>) {
            return std::ceil(x);
        } else {
            return x;
        }
    }
};

/// Rounds towards zero.
template <class T = void>
struct Trunc : detail::Unary<Trunc<T>, T> {
    static constexpr const char* name = "trunc";
    static constexpr Rounding rounding = Rounding::zero;
    template <Arithmetic V>
    static FUSE_HD constexpr V apply(V x) {
        if constexpr (std::is_floating_point_v<V>) {
            return std::trunc(x);
        } else {
            return x;
        }
    }
};

/// Rounds halves to even, as numpy does.
template <class T = void>
struct Round : detail::Unary<Round<T>, T> {
    static constexpr const char* name = "round";
    static constexpr Rounding rounding = Rounding::nearest;
    template <Arithmetic V>
    static FUSE_HD constexpr V apply(V x) {
        if constexpr (std::is_floating_point_v<V>) {
            return std::rint(x);
        } else {
            return x;
        }
    }
};

/// -1, 0 or 1 in the type of x; NaN stays NaN.
template <class T = void>
struct Sign : detail::Unary<Sign<T>, T> {
    static constexpr const char* name = "sign";
    template <Arithmetic V>
    static FUSE_HD constexpr V apply(V x) {
        const V positive = static_cast<V>(x > V(0) ? 1 : 0);
        if constexpr (std::is_signed_v<V>) {
            const V sign = x < V(0) ? V(-1) : positive;
            return detail::is_nan(x) ? x : sign;
        } else {
            return positive;
        }
    }
};

/// |x| with the sign of y, also that of a zero.
template <class T = void>
struct CopySign : detail::FloatBinary<CopySign<T>, T> {
    static constexpr const char* name = "copysign";
    static constexpr bool associative = false;
    template <class F>
    static FUSE_HD constexpr F apply(F x, F y) {
        return std::copysign(x, y);
    }
};

template <class T = void>
struct IsNan : detail::Unary<IsNan<T>, T> {
    static constexpr const char* name = "isnan";
    template <Arithmetic V>
    static FUSE_HD constexpr bool apply(V x) {
        return detail::is_nan(x);
    }
};

template <class T = void>
struct IsInf : detail::Unary<IsInf<T>, T> {
    static constexpr const char* name = "isinf";
    template <Arithmetic V>
    static FUSE_HD constexpr bool apply(V x) {
        if constexpr (std::is_floating_point_v<V>) {
            return std::fabs(x) == limits<V>::infinity;
        } else {
            return false;
        }
    }
};

template <class T = void>
struct IsFinite : detail::Unary<IsFinite<T>, T> {
    static constexpr const char* name = "isfinite";
    template <Arithmetic V>
    static FUSE_HD constexpr bool apply(V x) {
        if constexpr (std::is_floating_point_v<V>) {
            return std::fabs(x) < limits<V>::infinity;
        } else {
            return true;
        }
    }
};

/// x with NaN replaced, by 0 if nothing is given, and infinities, by the largest and lowest finite number, in the type
/// of x. Integers pass through.
template <class T = void>
struct NanToNum {
    static constexpr const char* name = "nan_to_num";
    template <Arithmetic V>
    FUSE_HD constexpr auto operator()(V x) const {
        using C = detail::operand_t<T, V>;
        return (*this)(x, C(0));
    }
    template <Arithmetic V, Arithmetic N>
    FUSE_HD constexpr auto operator()(V x, N nan) const {
        using C = detail::operand_t<T, V>;
        return (*this)(x, nan, limits<C>::max, limits<C>::lowest);
    }
    template <Arithmetic V, Arithmetic N, Arithmetic H>
    FUSE_HD constexpr auto operator()(V x, N nan, H positive) const {
        using C = detail::operand_t<T, V>;
        return (*this)(x, nan, positive, limits<C>::lowest);
    }
    template <Arithmetic V, Arithmetic N, Arithmetic H, Arithmetic L>
    FUSE_HD constexpr auto operator()(V value, N nan, H positive, L negative) const {
        const auto x = detail::operand<T>(value);
        using C = std::remove_const_t<decltype(x)>;
        if constexpr (std::is_floating_point_v<C>) {
            const C low = x < limits<C>::lowest ? static_cast<C>(negative) : x;
            const C high = x > limits<C>::max ? static_cast<C>(positive) : low;
            return detail::is_nan(x) ? static_cast<C>(nan) : high;
        } else {
            return x;
        }
    }
};

namespace detail {

/// x, or 0 where it is NaN: what sums that ignore NaN add up.
struct NanAsZero {
    static constexpr const char* written = "where(isnan(@0), 0, @0)";
    template <Arithmetic V>
    FUSE_HD constexpr V operator()(V x) const {
        return is_nan(x) ? V(0) : x;
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
