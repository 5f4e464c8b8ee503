// SPDX-License-Identifier: Apache-2.0
//
// What derivatives are made of: expressions, and the numbers 0 and 1, which leave nothing to compute.
#pragma once

#include "fuse/lang/activations.hpp"
#include "fuse/lang/reductions.hpp"
#include "fuse/ops/functors/selection.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

struct ZeroTerm {};
struct OneTerm {};

template <class T>
inline constexpr bool is_zero = std::is_same_v<T, ZeroTerm>;
template <class T>
inline constexpr bool is_one = std::is_same_v<T, OneTerm>;

/// a as an expression of type V.
template <class V, class A>
constexpr auto as_term(const A& a) {
    if constexpr (is_zero<A>) {
        return Constant<V, 0, 1>{};
    } else if constexpr (is_one<A>) {
        return Constant<V, 1, 1>{};
    } else if constexpr (std::is_same_v<value_t<A>, V>) {
        return a;
    } else {
        return cast<V>(a);
    }
}

// Not operators: one of the operands may be a term without a type.
template <class A, class B>
constexpr auto times(const A& a, const B& b) {
    if constexpr (is_zero<A> || is_one<B>) {
        return a;
    } else if constexpr (is_zero<B> || is_one<A>) {
        return b;
    } else {
        return a * b;
    }
}
template <class A, class B>
constexpr auto divided(const A& a, const B& b) {
    if constexpr (is_zero<A>) {
        return a;
    } else if constexpr (is_one<A>) {
        return reciprocal(b);
    } else {
        return a / b;
    }
}
template <class V, class A>
constexpr auto negated(const A& a) {
    if constexpr (is_zero<A>) {
        return a;
    } else if constexpr (is_one<A>) {
        return Constant<V, -1, 1>{};
    } else {
        return -a;
    }
}
template <class V, class A, class B>
constexpr auto added(const A& a, const B& b) {
    if constexpr (is_zero<A>) {
        return b;
    } else if constexpr (is_zero<B>) {
        return a;
    } else if constexpr (std::is_same_v<A, B>) {  // equal types are equal values (flatten.hpp)
        return constant<2> * as_term<V>(a);
    } else {
        return as_term<V>(a) + as_term<V>(b);
    }
}
/// a where a condition holds, else 0.
template <class V, class C, class A>
constexpr auto only_where(const C& condition, const A& a) {
    if constexpr (is_zero<A>) {
        return a;
    } else {
        return where(condition, as_term<V>(a), Constant<V, 0, 1>{});
    }
}
template <class V, class C, class A>
constexpr auto except_where(const C& condition, const A& a) {
    if constexpr (is_zero<A>) {
        return a;
    } else {
        return where(condition, Constant<V, 0, 1>{}, as_term<V>(a));
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
