// SPDX-License-Identifier: Apache-2.0
//
// Logical functors on truth values (anything but zero is true, NaN included), bitwise functors on integers,
// and the selection `where`. Both sides of a logical operator are evaluated: there is no branch to pay for.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"

#include <concepts>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

/// x && y
template <class T = void>
struct LogicalAnd : detail::Binary<LogicalAnd<T>, T> {
    static constexpr const char* name = "logical_and";
    static constexpr const char* infix = "&&";
    template <Arithmetic A, Arithmetic B>
    static FUSE_HD constexpr bool apply(A a, B b) {
        return static_cast<bool>((a != A(0)) & (b != B(0)));
    }
};

/// x || y
template <class T = void>
struct LogicalOr : detail::Binary<LogicalOr<T>, T> {
    static constexpr const char* name = "logical_or";
    static constexpr const char* infix = "||";
    template <Arithmetic A, Arithmetic B>
    static FUSE_HD constexpr bool apply(A a, B b) {
        return static_cast<bool>((a != A(0)) | (b != B(0)));
    }
};

/// !x
template <class T = void>
struct LogicalNot : detail::Unary<LogicalNot<T>, T> {
    static constexpr const char* name = "logical_not";
    static constexpr const char* prefix = "!";
    template <Arithmetic V>
    static FUSE_HD constexpr bool apply(V x) {
        return x == V(0);
    }
};

/// x & y on integers; two bools give bool.
template <class T = void>
struct BitAnd : detail::CommonBinary<BitAnd<T>, T> {
    static constexpr const char* name = "bit_and";
    static constexpr const char* infix = "&";
    template <std::integral C>
    static FUSE_HD constexpr C apply(C a, C b) {
        return static_cast<C>(a & b);
    }
};

/// x | y on integers; two bools give bool.
template <class T = void>
struct BitOr : detail::CommonBinary<BitOr<T>, T> {
    static constexpr const char* name = "bit_or";
    static constexpr const char* infix = "|";
    template <std::integral C>
    static FUSE_HD constexpr C apply(C a, C b) {
        return static_cast<C>(a | b);
    }
};

/// x ^ y on integers; two bools give bool.
template <class T = void>
struct BitXor : detail::CommonBinary<BitXor<T>, T> {
    static constexpr const char* name = "bit_xor";
    static constexpr const char* infix = "^";
    template <std::integral C>
    static FUSE_HD constexpr C apply(C a, C b) {
        return static_cast<C>(a ^ b);
    }
};

/// ~x on integers; of bool the logical not.
template <class T = void>
struct BitNot : detail::Unary<BitNot<T>, T> {
    static constexpr const char* name = "bit_not";
    static constexpr const char* prefix = "~";
    template <std::integral V>
    static FUSE_HD constexpr V apply(V x) {
        if constexpr (std::is_same_v<V, bool>) {
            return !x;
        } else {
            return static_cast<V>(~x);
        }
    }
};

namespace detail {

/// What a shift of X gives, as in C++: X itself, bool and narrow integers as int. What they are shifted by has no say, so
/// that a number of bits without a sign takes none from what is shifted.
template <class X>
using shifted_t = decltype(+X());

/// Whether y is a number of bits that an R has; a negative one is none.
template <class R, class Y>
FUSE_HD constexpr bool shifts_within(Y y) {
    return static_cast<std::make_unsigned_t<shifted_t<Y>>>(y) < sizeof(R) * 8;
}

}  // namespace detail

/// x << y on integers, in the type of x. 0 where y is no number of bits of that type, as in numpy.
template <class T = void>
struct ShiftLeft : detail::Binary<ShiftLeft<T>, T> {
    static constexpr const char* name = "shift_left";
    static constexpr const char* infix = "<<";
    static constexpr bool associative = false;
    template <std::integral X, std::integral Y>
    static FUSE_HD constexpr auto apply(X x, Y y) {
        using R = detail::shifted_t<X>;
        using U = std::make_unsigned_t<R>;
        const bool within = detail::shifts_within<R>(y);
        const U shifted = static_cast<U>(x) << (within ? static_cast<int>(y) : 0);
        return within ? static_cast<R>(shifted) : R(0);
    }
};

/// x >> y on integers, in the type of x; the sign is kept. 0, or -1 of negative x, where y is no number of bits of that
/// type, as in numpy.
template <class T = void>
struct ShiftRight : detail::Binary<ShiftRight<T>, T> {
    static constexpr const char* name = "shift_right";
    static constexpr const char* infix = ">>";
    static constexpr bool associative = false;
    template <std::integral X, std::integral Y>
    static FUSE_HD constexpr auto apply(X x, Y y) {
        using R = detail::shifted_t<X>;
        const R value = x;
        const bool within = detail::shifts_within<R>(y);
        if constexpr (std::is_signed_v<R>) {
            return static_cast<R>(value >> (within ? static_cast<int>(y) : static_cast<int>(sizeof(R) * 8 - 1)));
        } else {
            return within ? static_cast<R>(value >> (within ? static_cast<int>(y) : 0)) : R(0);
        }
    }
};

/// x where the condition is true, else y, in the common type of x and y.
template <class T = void>
struct Where {
    static constexpr const char* name = "where";
    template <Arithmetic C, class A, class B>
        requires requires {
            typename detail::common_operand_t<T, A, B>;
        }
    FUSE_HD constexpr auto operator()(C condition, A x, B y) const {
        using R = detail::common_operand_t<T, A, B>;
        const R on_true = static_cast<R>(detail::operand<T>(x));
        const R on_false = static_cast<R>(detail::operand<T>(y));
        return condition != C(0) ? on_true : on_false;
    }
};

FUSE_END_NAMESPACE
