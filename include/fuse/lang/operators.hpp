// SPDX-License-Identifier: Apache-2.0
//
// The operators of the language. Each is a map of one functor; a number beside an expression takes its type.
// && and || evaluate both sides, as elementwise operators do.
#pragma once

#include "fuse/lang/map.hpp"
#include "fuse/ops/ops.hpp"

FUSE_BEGIN_NAMESPACE

template <Expression X>
constexpr auto operator-(const X& x) {
    return apply(Neg<>{}, x);
}
template <Expression X>
constexpr auto operator!(const X& x) {
    return apply(LogicalNot<>{}, x);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator+(const A& a, const B& b) {
    return apply(Add<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator-(const A& a, const B& b) {
    return apply(Sub<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator*(const A& a, const B& b) {
    return apply(Mul<>{}, a, b);
}
/// True division: integer operands give a floating-point result.
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator/(const A& a, const B& b) {
    return apply(Div<>{}, a, b);
}
/// Remainder with the sign of the divisor, as in numpy.
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator%(const A& a, const B& b) {
    return apply(Mod<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator<(const A& a, const B& b) {
    return apply(Less<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator<=(const A& a, const B& b) {
    return apply(LessEqual<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator>(const A& a, const B& b) {
    return apply(Greater<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator>=(const A& a, const B& b) {
    return apply(GreaterEqual<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator==(const A& a, const B& b) {
    return apply(Equal<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator!=(const A& a, const B& b) {
    return apply(NotEqual<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator&&(const A& a, const B& b) {
    return apply(LogicalAnd<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator||(const A& a, const B& b) {
    return apply(LogicalOr<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator&(const A& a, const B& b) {
    return apply(BitAnd<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator|(const A& a, const B& b) {
    return apply(BitOr<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto operator^(const A& a, const B& b) {
    return apply(BitXor<>{}, a, b);
}

FUSE_END_NAMESPACE
