// SPDX-License-Identifier: Apache-2.0
//
// The operators of the language. Each is a map of one functor; a number beside an expression takes its type.
// && and || evaluate both sides, as elementwise operators do.
#pragma once

#include "fuse/lang/map.hpp"
#include "fuse/ops/ops.hpp"

FUSE_BEGIN_NAMESPACE

template <Expression X>
constexpr map_t<Neg<>, X> operator-(const X& x) {
    return apply(Neg<>{}, x);
}
template <Expression X>
constexpr map_t<LogicalNot<>, X> operator!(const X& x) {
    return apply(LogicalNot<>{}, x);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Add<>, A, B> operator+(const A& a, const B& b) {
    return apply(Add<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Sub<>, A, B> operator-(const A& a, const B& b) {
    return apply(Sub<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Mul<>, A, B> operator*(const A& a, const B& b) {
    return apply(Mul<>{}, a, b);
}
/// True division: integer operands give a floating-point result.
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Div<>, A, B> operator/(const A& a, const B& b) {
    return apply(Div<>{}, a, b);
}
/// Remainder with the sign of the divisor, as in numpy.
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Mod<>, A, B> operator%(const A& a, const B& b) {
    return apply(Mod<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Less<>, A, B> operator<(const A& a, const B& b) {
    return apply(Less<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<LessEqual<>, A, B> operator<=(const A& a, const B& b) {
    return apply(LessEqual<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Greater<>, A, B> operator>(const A& a, const B& b) {
    return apply(Greater<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<GreaterEqual<>, A, B> operator>=(const A& a, const B& b) {
    return apply(GreaterEqual<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Equal<>, A, B> operator==(const A& a, const B& b) {
    return apply(Equal<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<NotEqual<>, A, B> operator!=(const A& a, const B& b) {
    return apply(NotEqual<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<LogicalAnd<>, A, B> operator&&(const A& a, const B& b) {
    return apply(LogicalAnd<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<LogicalOr<>, A, B> operator||(const A& a, const B& b) {
    return apply(LogicalOr<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<BitAnd<>, A, B> operator&(const A& a, const B& b) {
    return apply(BitAnd<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<BitOr<>, A, B> operator|(const A& a, const B& b) {
    return apply(BitOr<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<BitXor<>, A, B> operator^(const A& a, const B& b) {
    return apply(BitXor<>{}, a, b);
}

FUSE_END_NAMESPACE
