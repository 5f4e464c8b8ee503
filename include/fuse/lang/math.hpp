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
constexpr auto abs(const X& x) {
    return apply(Abs<>{}, x);
}
/// x * x
template <Expression X>
constexpr auto square(const X& x) {
    return apply(Square<>{}, x);
}
/// 1 / x
template <Expression X>
constexpr auto reciprocal(const X& x) {
    return apply(Reciprocal<>{}, x);
}
template <Expression X>
constexpr auto sqrt(const X& x) {
    return apply(Sqrt<>{}, x);
}
/// 1 / sqrt(x)
template <Expression X>
constexpr auto rsqrt(const X& x) {
    return apply(Rsqrt<>{}, x);
}
template <Expression X>
constexpr auto cbrt(const X& x) {
    return apply(Cbrt<>{}, x);
}
template <Expression X>
constexpr auto exp(const X& x) {
    return apply(Exp<>{}, x);
}
template <Expression X>
constexpr auto exp2(const X& x) {
    return apply(Exp2<>{}, x);
}
/// exp(x) - 1, accurate near 0
template <Expression X>
constexpr auto expm1(const X& x) {
    return apply(Expm1<>{}, x);
}
template <Expression X>
constexpr auto log(const X& x) {
    return apply(Log<>{}, x);
}
template <Expression X>
constexpr auto log2(const X& x) {
    return apply(Log2<>{}, x);
}
template <Expression X>
constexpr auto log10(const X& x) {
    return apply(Log10<>{}, x);
}
/// log(1 + x), accurate near 0
template <Expression X>
constexpr auto log1p(const X& x) {
    return apply(Log1p<>{}, x);
}
template <Expression X>
constexpr auto sin(const X& x) {
    return apply(Sin<>{}, x);
}
template <Expression X>
constexpr auto cos(const X& x) {
    return apply(Cos<>{}, x);
}
template <Expression X>
constexpr auto tan(const X& x) {
    return apply(Tan<>{}, x);
}
template <Expression X>
constexpr auto asin(const X& x) {
    return apply(Asin<>{}, x);
}
template <Expression X>
constexpr auto acos(const X& x) {
    return apply(Acos<>{}, x);
}
template <Expression X>
constexpr auto atan(const X& x) {
    return apply(Atan<>{}, x);
}
template <Expression X>
constexpr auto sinh(const X& x) {
    return apply(Sinh<>{}, x);
}
template <Expression X>
constexpr auto cosh(const X& x) {
    return apply(Cosh<>{}, x);
}
template <Expression X>
constexpr auto tanh(const X& x) {
    return apply(Tanh<>{}, x);
}
template <Expression X>
constexpr auto asinh(const X& x) {
    return apply(Asinh<>{}, x);
}
template <Expression X>
constexpr auto acosh(const X& x) {
    return apply(Acosh<>{}, x);
}
template <Expression X>
constexpr auto atanh(const X& x) {
    return apply(Atanh<>{}, x);
}
template <Expression X>
constexpr auto erf(const X& x) {
    return apply(Erf<>{}, x);
}
template <Expression X>
constexpr auto erfc(const X& x) {
    return apply(Erfc<>{}, x);
}
template <Expression X>
constexpr auto floor(const X& x) {
    return apply(Floor<>{}, x);
}
template <Expression X>
constexpr auto ceil(const X& x) {
    return apply(Ceil<>{}, x);
}
/// to the nearest integer, halves to even
template <Expression X>
constexpr auto round(const X& x) {
    return apply(Round<>{}, x);
}
template <Expression X>
constexpr auto trunc(const X& x) {
    return apply(Trunc<>{}, x);
}
/// -1, 0, 1; NaN stays NaN
template <Expression X>
constexpr auto sign(const X& x) {
    return apply(Sign<>{}, x);
}
template <Expression X>
constexpr auto isnan(const X& x) {
    return apply(IsNan<>{}, x);
}
template <Expression X>
constexpr auto isinf(const X& x) {
    return apply(IsInf<>{}, x);
}
template <Expression X>
constexpr auto isfinite(const X& x) {
    return apply(IsFinite<>{}, x);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto pow(const A& a, const B& b) {
    return apply(Pow<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto atan2(const A& a, const B& b) {
    return apply(Atan2<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr auto hypot(const A& a, const B& b) {
    return apply(Hypot<>{}, a, b);
}
/// The larger one; NaN if either is NaN. max(a, b) under the name that numpy and PyTorch have for it.
template <class A, class B>
    requires Operands<A, B>
constexpr auto maximum(const A& a, const B& b) {
    return apply(Max<>{}, a, b);
}
/// The smaller one; NaN if either is NaN.
template <class A, class B>
    requires Operands<A, B>
constexpr auto minimum(const A& a, const B& b) {
    return apply(Min<>{}, a, b);
}
/// Remainder with the sign of a, as in C; a % b has that of b.
template <class A, class B>
    requires Operands<A, B>
constexpr auto fmod(const A& a, const B& b) {
    return apply(Fmod<>{}, a, b);
}
/// |a| with the sign of b
template <class A, class B>
    requires Operands<A, B>
constexpr auto copysign(const A& a, const B& b) {
    return apply(CopySign<>{}, a, b);
}
/// log(exp(a) + exp(b)), without overflow
template <class A, class B>
    requires Operands<A, B>
constexpr auto logaddexp(const A& a, const B& b) {
    return apply(LogAddExp<>{}, a, b);
}
/// a * log(b), 0 where a is 0 and b is not NaN
template <class A, class B>
    requires Operands<A, B>
constexpr auto xlogy(const A& a, const B& b) {
    return apply(XLogY<>{}, a, b);
}
/// a + weight * (b - a)
template <class A, class B, class W>
    requires Operands<A, B, W>
constexpr auto lerp(const A& a, const B& b, const W& weight) {
    return apply(Lerp<>{}, a, b, weight);
}
/// floor(a / b)
template <class A, class B>
    requires Operands<A, B>
constexpr auto floor_divide(const A& a, const B& b) {
    return apply(FloorDiv<>{}, a, b);
}
/// (a - b) * (a - b)
template <class A, class B>
    requires Operands<A, B>
constexpr auto square(const A& a, const B& b) {
    return apply(Square<>{}, a, b);
}
/// a * b + c, rounded once
template <class A, class B, class C>
    requires Operands<A, B, C>
constexpr auto fma(const A& a, const B& b, const C& c) {
    return apply(Fma<>{}, a, b, c);
}
FUSE_END_NAMESPACE
