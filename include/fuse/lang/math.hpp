// SPDX-License-Identifier: Apache-2.0
//
// The elementwise functions of the language: each is a map of the functor of the same name in ops/. Names and
// semantics are numpy's. Activations and selections have files of their own; min and max are in reductions.hpp, with
// their reductions.
#pragma once

#include "fuse/lang/map.hpp"
#include "fuse/ops/ops.hpp"

FUSE_BEGIN_NAMESPACE

/// |x|
template <Expression X>
constexpr map_t<Abs<>, X> abs(const X& x) {
    return detail::apply(Abs<>{}, x);
}
/// x * x
template <Expression X>
constexpr map_t<Square<>, X> square(const X& x) {
    return detail::apply(Square<>{}, x);
}
/// 1 / x
template <Expression X>
constexpr map_t<Reciprocal<>, X> reciprocal(const X& x) {
    return detail::apply(Reciprocal<>{}, x);
}
template <Expression X>
constexpr map_t<Sqrt<>, X> sqrt(const X& x) {
    return detail::apply(Sqrt<>{}, x);
}
/// 1 / sqrt(x)
template <Expression X>
constexpr map_t<Rsqrt<>, X> rsqrt(const X& x) {
    return detail::apply(Rsqrt<>{}, x);
}
template <Expression X>
constexpr map_t<Cbrt<>, X> cbrt(const X& x) {
    return detail::apply(Cbrt<>{}, x);
}
template <Expression X>
constexpr map_t<Exp<>, X> exp(const X& x) {
    return detail::apply(Exp<>{}, x);
}
template <Expression X>
constexpr map_t<Exp2<>, X> exp2(const X& x) {
    return detail::apply(Exp2<>{}, x);
}
/// exp(x) - 1, accurate near 0
template <Expression X>
constexpr map_t<Expm1<>, X> expm1(const X& x) {
    return detail::apply(Expm1<>{}, x);
}
template <Expression X>
constexpr map_t<Log<>, X> log(const X& x) {
    return detail::apply(Log<>{}, x);
}
template <Expression X>
constexpr map_t<Log2<>, X> log2(const X& x) {
    return detail::apply(Log2<>{}, x);
}
template <Expression X>
constexpr map_t<Log10<>, X> log10(const X& x) {
    return detail::apply(Log10<>{}, x);
}
/// log(1 + x), accurate near 0
template <Expression X>
constexpr map_t<Log1p<>, X> log1p(const X& x) {
    return detail::apply(Log1p<>{}, x);
}
template <Expression X>
constexpr map_t<Sin<>, X> sin(const X& x) {
    return detail::apply(Sin<>{}, x);
}
template <Expression X>
constexpr map_t<Cos<>, X> cos(const X& x) {
    return detail::apply(Cos<>{}, x);
}
template <Expression X>
constexpr map_t<Tan<>, X> tan(const X& x) {
    return detail::apply(Tan<>{}, x);
}
template <Expression X>
constexpr map_t<Asin<>, X> asin(const X& x) {
    return detail::apply(Asin<>{}, x);
}
template <Expression X>
constexpr map_t<Acos<>, X> acos(const X& x) {
    return detail::apply(Acos<>{}, x);
}
template <Expression X>
constexpr map_t<Atan<>, X> atan(const X& x) {
    return detail::apply(Atan<>{}, x);
}
template <Expression X>
constexpr map_t<Sinh<>, X> sinh(const X& x) {
    return detail::apply(Sinh<>{}, x);
}
template <Expression X>
constexpr map_t<Cosh<>, X> cosh(const X& x) {
    return detail::apply(Cosh<>{}, x);
}
template <Expression X>
constexpr map_t<Tanh<>, X> tanh(const X& x) {
    return detail::apply(Tanh<>{}, x);
}
template <Expression X>
constexpr map_t<Asinh<>, X> asinh(const X& x) {
    return detail::apply(Asinh<>{}, x);
}
template <Expression X>
constexpr map_t<Acosh<>, X> acosh(const X& x) {
    return detail::apply(Acosh<>{}, x);
}
template <Expression X>
constexpr map_t<Atanh<>, X> atanh(const X& x) {
    return detail::apply(Atanh<>{}, x);
}
template <Expression X>
constexpr map_t<Erf<>, X> erf(const X& x) {
    return detail::apply(Erf<>{}, x);
}
template <Expression X>
constexpr map_t<Erfc<>, X> erfc(const X& x) {
    return detail::apply(Erfc<>{}, x);
}
template <Expression X>
constexpr map_t<Floor<>, X> floor(const X& x) {
    return detail::apply(Floor<>{}, x);
}
template <Expression X>
constexpr map_t<Ceil<>, X> ceil(const X& x) {
    return detail::apply(Ceil<>{}, x);
}
/// to the nearest integer, halves to even
template <Expression X>
constexpr map_t<Round<>, X> round(const X& x) {
    return detail::apply(Round<>{}, x);
}
template <Expression X>
constexpr map_t<Trunc<>, X> trunc(const X& x) {
    return detail::apply(Trunc<>{}, x);
}
/// -1, 0, 1; NaN stays NaN
template <Expression X>
constexpr map_t<Sign<>, X> sign(const X& x) {
    return detail::apply(Sign<>{}, x);
}
template <Expression X>
constexpr map_t<IsNan<>, X> isnan(const X& x) {
    return detail::apply(IsNan<>{}, x);
}
template <Expression X>
constexpr map_t<IsInf<>, X> isinf(const X& x) {
    return detail::apply(IsInf<>{}, x);
}
template <Expression X>
constexpr map_t<IsFinite<>, X> isfinite(const X& x) {
    return detail::apply(IsFinite<>{}, x);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Pow<>, A, B> pow(const A& a, const B& b) {
    return detail::apply(Pow<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Atan2<>, A, B> atan2(const A& a, const B& b) {
    return detail::apply(Atan2<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Hypot<>, A, B> hypot(const A& a, const B& b) {
    return detail::apply(Hypot<>{}, a, b);
}
/// The larger one; NaN if either is NaN. max(a, b) under the name that numpy and PyTorch have for it.
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Max<>, A, B> maximum(const A& a, const B& b) {
    return detail::apply(Max<>{}, a, b);
}
/// The smaller one; NaN if either is NaN.
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Min<>, A, B> minimum(const A& a, const B& b) {
    return detail::apply(Min<>{}, a, b);
}
/// Remainder with the sign of a, as in C; a % b has that of b.
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Fmod<>, A, B> fmod(const A& a, const B& b) {
    return detail::apply(Fmod<>{}, a, b);
}
/// |a| with the sign of b
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<CopySign<>, A, B> copysign(const A& a, const B& b) {
    return detail::apply(CopySign<>{}, a, b);
}
/// log(exp(a) + exp(b)), without overflow
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<LogAddExp<>, A, B> logaddexp(const A& a, const B& b) {
    return detail::apply(LogAddExp<>{}, a, b);
}
/// a * log(b), 0 where a is 0 and b is not NaN
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<XLogY<>, A, B> xlogy(const A& a, const B& b) {
    return detail::apply(XLogY<>{}, a, b);
}
/// a + weight * (b - a)
template <class A, class B, class W>
    requires Operands<A, B, W>
constexpr map_t<Lerp<>, A, B, W> lerp(const A& a, const B& b, const W& weight) {
    return detail::apply(Lerp<>{}, a, b, weight);
}
/// floor(a / b)
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<FloorDiv<>, A, B> floor_divide(const A& a, const B& b) {
    return detail::apply(FloorDiv<>{}, a, b);
}
/// (a - b) * (a - b)
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Square<>, A, B> square(const A& a, const B& b) {
    return detail::apply(Square<>{}, a, b);
}
/// a * b + c, rounded once
template <class A, class B, class C>
    requires Operands<A, B, C>
constexpr map_t<Fma<>, A, B, C> fma(const A& a, const B& b, const C& c) {
    return detail::apply(Fma<>{}, a, b, c);
}
FUSE_END_NAMESPACE
