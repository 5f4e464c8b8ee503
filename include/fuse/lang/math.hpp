// SPDX-License-Identifier: Apache-2.0
//
// The elementwise functions of the language: each is a map of the functor of the same name in ops/. Names and
// semantics are numpy's (PyTorch's for the activations). min and max are in reductions.hpp, with their reductions.
#pragma once

#include "fuse/lang/map.hpp"
#include "fuse/ops/ops.hpp"

FUSE_BEGIN_NAMESPACE

/// |x|
template <Expression X>
constexpr map_t<Abs<>, X> abs(const X& x) {
    return apply(Abs<>{}, x);
}
/// x * x
template <Expression X>
constexpr map_t<Square<>, X> square(const X& x) {
    return apply(Square<>{}, x);
}
/// 1 / x
template <Expression X>
constexpr map_t<Reciprocal<>, X> reciprocal(const X& x) {
    return apply(Reciprocal<>{}, x);
}
template <Expression X>
constexpr map_t<Sqrt<>, X> sqrt(const X& x) {
    return apply(Sqrt<>{}, x);
}
/// 1 / sqrt(x)
template <Expression X>
constexpr map_t<Rsqrt<>, X> rsqrt(const X& x) {
    return apply(Rsqrt<>{}, x);
}
template <Expression X>
constexpr map_t<Cbrt<>, X> cbrt(const X& x) {
    return apply(Cbrt<>{}, x);
}
template <Expression X>
constexpr map_t<Exp<>, X> exp(const X& x) {
    return apply(Exp<>{}, x);
}
template <Expression X>
constexpr map_t<Exp2<>, X> exp2(const X& x) {
    return apply(Exp2<>{}, x);
}
/// exp(x) - 1, accurate near 0
template <Expression X>
constexpr map_t<Expm1<>, X> expm1(const X& x) {
    return apply(Expm1<>{}, x);
}
template <Expression X>
constexpr map_t<Log<>, X> log(const X& x) {
    return apply(Log<>{}, x);
}
template <Expression X>
constexpr map_t<Log2<>, X> log2(const X& x) {
    return apply(Log2<>{}, x);
}
template <Expression X>
constexpr map_t<Log10<>, X> log10(const X& x) {
    return apply(Log10<>{}, x);
}
/// log(1 + x), accurate near 0
template <Expression X>
constexpr map_t<Log1p<>, X> log1p(const X& x) {
    return apply(Log1p<>{}, x);
}
template <Expression X>
constexpr map_t<Sin<>, X> sin(const X& x) {
    return apply(Sin<>{}, x);
}
template <Expression X>
constexpr map_t<Cos<>, X> cos(const X& x) {
    return apply(Cos<>{}, x);
}
template <Expression X>
constexpr map_t<Tan<>, X> tan(const X& x) {
    return apply(Tan<>{}, x);
}
template <Expression X>
constexpr map_t<Asin<>, X> asin(const X& x) {
    return apply(Asin<>{}, x);
}
template <Expression X>
constexpr map_t<Acos<>, X> acos(const X& x) {
    return apply(Acos<>{}, x);
}
template <Expression X>
constexpr map_t<Atan<>, X> atan(const X& x) {
    return apply(Atan<>{}, x);
}
template <Expression X>
constexpr map_t<Sinh<>, X> sinh(const X& x) {
    return apply(Sinh<>{}, x);
}
template <Expression X>
constexpr map_t<Cosh<>, X> cosh(const X& x) {
    return apply(Cosh<>{}, x);
}
template <Expression X>
constexpr map_t<Tanh<>, X> tanh(const X& x) {
    return apply(Tanh<>{}, x);
}
template <Expression X>
constexpr map_t<Asinh<>, X> asinh(const X& x) {
    return apply(Asinh<>{}, x);
}
template <Expression X>
constexpr map_t<Acosh<>, X> acosh(const X& x) {
    return apply(Acosh<>{}, x);
}
template <Expression X>
constexpr map_t<Atanh<>, X> atanh(const X& x) {
    return apply(Atanh<>{}, x);
}
template <Expression X>
constexpr map_t<Erf<>, X> erf(const X& x) {
    return apply(Erf<>{}, x);
}
template <Expression X>
constexpr map_t<Erfc<>, X> erfc(const X& x) {
    return apply(Erfc<>{}, x);
}
/// 1 / (1 + exp(-x))
template <Expression X>
constexpr map_t<Sigmoid<>, X> sigmoid(const X& x) {
    return apply(Sigmoid<>{}, x);
}
/// x * (1 + erf(x / sqrt(2))) / 2 (Hendrycks and Gimpel 2016)
template <Expression X>
constexpr map_t<Gelu<>, X> gelu(const X& x) {
    return apply(Gelu<>{}, x);
}
/// the tanh approximation of gelu (same paper)
template <Expression X>
constexpr map_t<GeluTanh<>, X> gelu_tanh(const X& x) {
    return apply(GeluTanh<>{}, x);
}
/// max(x, 0); NaN stays NaN
template <Expression X>
constexpr map_t<Relu<>, X> relu(const X& x) {
    return apply(Relu<>{}, x);
}
/// x * sigmoid(x)
template <Expression X>
constexpr map_t<Silu<>, X> silu(const X& x) {
    return apply(Silu<>{}, x);
}
/// log(1 + exp(x)), without overflow
template <Expression X>
constexpr map_t<Softplus<>, X> softplus(const X& x) {
    return apply(Softplus<>{}, x);
}
template <Expression X>
constexpr map_t<Floor<>, X> floor(const X& x) {
    return apply(Floor<>{}, x);
}
template <Expression X>
constexpr map_t<Ceil<>, X> ceil(const X& x) {
    return apply(Ceil<>{}, x);
}
/// to the nearest integer, halves to even
template <Expression X>
constexpr map_t<Round<>, X> round(const X& x) {
    return apply(Round<>{}, x);
}
template <Expression X>
constexpr map_t<Trunc<>, X> trunc(const X& x) {
    return apply(Trunc<>{}, x);
}
/// -1, 0, 1; NaN stays NaN
template <Expression X>
constexpr map_t<Sign<>, X> sign(const X& x) {
    return apply(Sign<>{}, x);
}
template <Expression X>
constexpr map_t<IsNan<>, X> isnan(const X& x) {
    return apply(IsNan<>{}, x);
}
template <Expression X>
constexpr map_t<IsInf<>, X> isinf(const X& x) {
    return apply(IsInf<>{}, x);
}
template <Expression X>
constexpr map_t<IsFinite<>, X> isfinite(const X& x) {
    return apply(IsFinite<>{}, x);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Pow<>, A, B> pow(const A& a, const B& b) {
    return apply(Pow<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Atan2<>, A, B> atan2(const A& a, const B& b) {
    return apply(Atan2<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Hypot<>, A, B> hypot(const A& a, const B& b) {
    return apply(Hypot<>{}, a, b);
}
/// floor(a / b)
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<FloorDiv<>, A, B> floor_divide(const A& a, const B& b) {
    return apply(FloorDiv<>{}, a, b);
}
/// (a - b) * (a - b)
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Square<>, A, B> square(const A& a, const B& b) {
    return apply(Square<>{}, a, b);
}
/// x limited to [low, high]; NaN stays NaN
template <class A, class B, class C>
    requires Operands<A, B, C>
constexpr map_t<Clamp<>, A, B, C> clamp(const A& a, const B& b, const C& c) {
    return apply(Clamp<>{}, a, b, c);
}
/// a * b + c, rounded once
template <class A, class B, class C>
    requires Operands<A, B, C>
constexpr map_t<Fma<>, A, B, C> fma(const A& a, const B& b, const C& c) {
    return apply(Fma<>{}, a, b, c);
}
/// condition ? a : b. Numbers among a and b take the type of the other branch, not of the condition.
template <Expression Condition, class A, class B>
    requires(OperandLike<A>&& OperandLike<B>)
constexpr auto where(const Condition& condition, const A& a, const B& b) {
    using V = detail::weak_common_t<A, B>;
    return map(Where<>{}, condition, detail::as_node<V>(a), detail::as_node<V>(b));
}
/// Conversion to T. From floating point to integers: truncated towards zero, saturated, NaN gives 0. Between integers:
/// modulo 2^bits, as in numpy.
template <class T, Expression X>
constexpr map_t<Cast<T>, X> cast(const X& x) {
    return apply(Cast<T>{}, x);
}

namespace detail {

/// The element type of an operand, or of the other one where this is a number, which adapts to it.
template <class A, class B>
using element_t = typename weak_to<std::remove_cvref_t<std::conditional_t<Expression<A>, A, B>>>::type;

/// x as the formulas that compute in floating point take it: integers are converted before anything can wrap around, 8
/// and 16-bit ones to float and wider ones to double; anything else is passed on as it is. Beside another operand: to
/// the type in which the two meet.
template <class X, class Other = X>
constexpr auto in_floating(const X& x) {
    if constexpr (Expression<X>) {
        if constexpr (std::is_integral_v<value_t<X>>) {
            return cast<floating_t<value_t<X>, element_t<Other, X>>>(x);
        } else {
            return x;
        }
    } else {
        return x;
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
