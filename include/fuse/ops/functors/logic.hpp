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

/// What is shifted: bool as int, as the operator does.
template <class C>
using shifted_t = std::conditional_t<std::is_same_v<C, bool>, int, C>;

/// Whether y is a number of bits that a C has; a negative one is none.
template <class C>
FUSE_HD constexpr bool shifts_within(C y) {
    return static_cast<std::make_unsigned_t<C>>(y) < sizeof(C) * 8;
}

}  // namespace detail

/// x << y on integers, in their common type. 0 where y is no number of bits of that type, as in numpy.
template <class T = void>
struct ShiftLeft : detail::CommonBinary<ShiftLeft<T>, T> {
    static constexpr const char* name = "shift_left";
    static constexpr const char* infix = "<<";
    static constexpr bool associative = false;
    template <std::integral C>
    static FUSE_HD constexpr auto apply(C x, C y) {
        using R = detail::shifted_t<C>;
        using U = std::make_unsigned_t<R>;
        const R by = static_cast<R>(y);
        const bool within = detail::shifts_within(by);
        const U shifted = static_cast<U>(static_cast<U>(x) << (within ? by : R(0)));
        return within ? static_cast<R>(shifted) : R(0);
    }
};

/// x >> y on integers, in their common type; the sign is kept. 0, or -1 of negative x, where y is no number of bits of
/// that type, as in numpy.
template <class T = void>
struct ShiftRight : detail::CommonBinary<ShiftRight<T>, T> {
    static constexpr const char* name = "shift_right";
    static constexpr const char* infix = ">>";
    static constexpr bool associative = false;
    template <std::integral C>
    static FUSE_HD constexpr auto apply(C x, C y) {
        using R = detail::shifted_t<C>;
        const R value = static_cast<R>(x), by = static_cast<R>(y);
        const bool within = detail::shifts_within(by);
        if constexpr (std::is_signed_v<R>) {
            return static_cast<R>(value >> (within ? by : static_cast<R>(sizeof(R) * 8 - 1)));
        } else {
            return within ? static_cast<R>(value >> by) : R(0);
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
