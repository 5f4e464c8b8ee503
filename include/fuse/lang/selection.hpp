// SPDX-License-Identifier: Apache-2.0
//
// Selections, limits and conversions: where, clamp, nan_to_num, isclose, cast. Names and semantics are numpy's.
#pragma once

#include "fuse/lang/map.hpp"
#include "fuse/ops/ops.hpp"

FUSE_BEGIN_NAMESPACE

/// x limited to [low, high]; NaN stays NaN
template <class A, class B, class C>
    requires Operands<A, B, C>
constexpr map_t<Clamp<>, A, B, C> clamp(const A& a, const B& b, const C& c) {
    return detail::apply(Clamp<>{}, a, b, c);
}
/// The same of three operands of one type: under `using namespace std` std::clamp would be the better match.
template <Expression X>
constexpr map_t<Clamp<>, X, X, X> clamp(const X& x, const X& low, const X& high) {
    return detail::apply(Clamp<>{}, x, low, high);
}
/// x with NaN replaced by 0, infinities by the largest and the lowest number of x's type (float of 16-bit floats).
template <Expression X>
constexpr map_t<NanToNum<>, X> nan_to_num(const X& x) {
    return detail::apply(NanToNum<>{}, x);
}
/// The same with NaN replaced by nan.
template <class X, class N>
    requires Operands<X, N>
constexpr map_t<NanToNum<>, X, N> nan_to_num(const X& x, const N& nan) {
    return detail::apply(NanToNum<>{}, x, nan);
}
/// The same with +inf replaced by posinf.
template <class X, class N, class P>
    requires Operands<X, N, P>
constexpr map_t<NanToNum<>, X, N, P> nan_to_num(const X& x, const N& nan, const P& posinf) {
    return detail::apply(NanToNum<>{}, x, nan, posinf);
}
/// The same with -inf replaced by neginf.
template <class X, class N, class P, class M>
    requires Operands<X, N, P, M>
constexpr map_t<NanToNum<>, X, N, P, M> nan_to_num(const X& x, const N& nan, const P& posinf, const M& neginf) {
    return detail::apply(NanToNum<>{}, x, nan, posinf, neginf);
}
/// |a - b| <= 1e-8 + 1e-5 * |b|; infinities are close to themselves, NaN to nothing
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<IsClose<>, A, B> isclose(const A& a, const B& b) {
    return detail::apply(IsClose<>{}, a, b);
}
/// |a - b| <= 1e-8 + rtol * |b|
template <class A, class B, class R>
    requires Operands<A, B, R>
constexpr map_t<IsClose<>, A, B, R> isclose(const A& a, const B& b, const R& rtol) {
    return detail::apply(IsClose<>{}, a, b, rtol);
}
/// |a - b| <= atol + rtol * |b|
template <class A, class B, class R, class S>
    requires Operands<A, B, R, S>
constexpr map_t<IsClose<>, A, B, R, S> isclose(const A& a, const B& b, const R& rtol, const S& atol) {
    return detail::apply(IsClose<>{}, a, b, rtol, atol);
}
namespace detail {

/// Named where the user calls, as map_t is.
template <class V, class Condition, class A, class B>
using where_t = Map<Where<>, node_t<void, Condition>, node_t<V, A>, node_t<V, B>>;

}  // namespace detail

/// condition ? a : b. A condition that is a number, or of numbers, is true unless it is 0, as in numpy: NaN is true. Numbers
/// among a and b take the type of the other branch, not of the condition.
template <class Condition, class A, class B>
    requires Operands<Condition, A, B>
constexpr detail::where_t<detail::weak_common_t<A, B>, Condition, A, B> where(const Condition& condition, const A& a,
                                                                              const B& b) {
    using V = detail::weak_common_t<A, B>;
    return map(Where<>{}, condition, detail::as_node<V>(a), detail::as_node<V>(b));
}
/// Conversion to T. From floating point to integers: truncated towards zero, saturated, NaN gives 0. Between integers:
/// modulo 2^bits, as in numpy.
template <class T, Expression X>
constexpr map_t<Cast<T>, X> cast(const X& x) {
    return detail::apply(Cast<T>{}, x);
}

namespace detail {

/// The element type of an operand, or of the other one where this is a number, which adapts to it.
template <class A, class B>
using element_t = typename weak_to<std::remove_cvref_t<std::conditional_t<Expression<A>, A, B>>>::type;

/// x as the formulas that compute in floating point take it: integers are converted before anything can wrap around, 8
/// and 16-bit ones to float and wider ones to double; anything else is passed on as it is. Beside another operand, or a
/// third one where that is a number: to the type in which the two meet.
template <class X, class Other = X, class Third = X>
constexpr auto in_floating(const X& x) {
    if constexpr (Expression<X>) {
        if constexpr (std::is_integral_v<value_t<X>>) {
            return cast<floating_t<value_t<X>, element_t<Other, std::conditional_t<Expression<Third>, Third, X>>>>(x);
        } else {
            return x;
        }
    } else {
        return x;
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
