// SPDX-License-Identifier: Apache-2.0
//
// What all functors share. A functor is stateless single-thread code: it declares `name` (the function a user
// writes) and a static `apply` on operands that already have their final type; one of the bases below turns
// that into a call operator. `Exp<>` takes operands as they are, `Exp<double>` converts them to double first.
// The types of results are decided here and nowhere else:
//     operators                 the usual arithmetic conversions (int8 + int8 is int, int + float is float)
//     mathematical functions    floating point stays; 8 and 16-bit integers give float, wider integers double
//     integers                  wrap around on overflow, so no operand value is undefined
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/types/compute_type.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

FUSE_BEGIN_NAMESPACE

/// Numbers that functors compute with. The 16-bit floating-point types are storage and never reach a functor.
template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

namespace detail {

template <class A, class B>
struct FloatOf {
    using type = std::common_type_t<A, B>;
};
template <std::integral A, std::integral B>
struct FloatOf<A, B> {
    using type = std::conditional_t<(sizeof(A) > 2 || sizeof(B) > 2), double, float>;
};

}  // namespace detail

/// Result type of the built-in operators.
template <class A, class B = A>
using arithmetic_t = decltype(A() + B());

/// Result type of mathematical functions and of true division.
template <class A, class B = A>
using floating_t = typename detail::FloatOf<A, B>::type;

namespace detail {

/// The operand of a functor whose template parameter is T.
template <class T, class V>
FUSE_HD constexpr auto operand(V v) {
    if constexpr (std::is_void_v<T>) {
        return v;
    } else {
        return to_compute(from_compute<T>(v));
    }
}

template <class T, class V>
using operand_t = decltype(operand<T>(std::declval<V>()));

template <class T, class A, class B>
using common_operand_t = std::common_type_t<operand_t<T, A>, operand_t<T, B>>;

/// a + b, a - b, a * b and -a for two values of one type no narrower than int; signed integers wrap around.
template <class T>
FUSE_HD constexpr T wrapping_add(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
        return a + b;
    }
}
template <class T>
FUSE_HD constexpr T wrapping_sub(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
    } else {
        return a - b;
    }
}
template <class T>
FUSE_HD constexpr T wrapping_mul(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    } else {
        return a * b;
    }
}
template <class T>
FUSE_HD constexpr T wrapping_neg(T a) {
    if constexpr (std::is_integral_v<T>) {
        return wrapping_sub(T(0), a);
    } else {
        return -a;
    }
}

template <class T>
FUSE_HD constexpr bool is_nan(T v) {
    if constexpr (std::is_floating_point_v<T>) {
        return v != v;
    } else {
        return false;
    }
}

/// A concept and not a requires-expression in place, which clang 14 would evaluate while Derived is
/// incomplete.
template <class Derived, class... V>
concept Applicable = requires(V... v) {
    Derived::apply(v...);
};

/// One operand, passed on as it is.
template <class Derived, class T>
struct Unary {
    template <class V>
    requires Applicable<Derived, operand_t<T, V>> FUSE_HD constexpr auto operator()(V v) const {
        return Derived::apply(operand<T>(v));
    }
};

/// One operand, computed in floating point.
template <class Derived, class T>
struct FloatUnary {
    template <Arithmetic V>
    FUSE_HD constexpr auto operator()(V v) const {
        return Derived::apply(static_cast<floating_t<operand_t<T, V>>>(operand<T>(v)));
    }
};

/// Two operands, passed on as they are.
template <class Derived, class T>
struct Binary {
    template <class A, class B>
    requires Applicable<Derived, operand_t<T, A>, operand_t<T, B>> FUSE_HD constexpr auto operator()(A a, B b) const {
        return Derived::apply(operand<T>(a), operand<T>(b));
    }
};

/// Two operands of one floating-point type.
template <class Derived, class T>
struct FloatBinary {
    template <Arithmetic A, Arithmetic B>
    FUSE_HD constexpr auto operator()(A a, B b) const {
        using F = floating_t<operand_t<T, A>, operand_t<T, B>>;
        return Derived::apply(static_cast<F>(operand<T>(a)), static_cast<F>(operand<T>(b)));
    }
};

/// Two operands brought to their common type, which for equal types is that type itself.
template <class Derived, class T>
struct CommonBinary {
    template <Arithmetic A, Arithmetic B>
    requires Applicable<Derived, common_operand_t<T, A, B>, common_operand_t<T, A, B>> FUSE_HD constexpr auto
    operator()(A a, B b) const {
        using C = common_operand_t<T, A, B>;
        return Derived::apply(static_cast<C>(operand<T>(a)), static_cast<C>(operand<T>(b)));
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
