// SPDX-License-Identifier: Apache-2.0
//
// let(x, y, ..., f): f(x, y, ...) in which each operand is one value, however often f uses it. Otherwise an operand
// with run-time numbers, unnamed views or functors with state would be another value at each place where it stands. The
// norms and losses are written with it.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "fuse/lang/map.hpp"

FUSE_BEGIN_NAMESPACE

/// Operand number I of the let whose function is F, at one of the places where that function has put it. It counts
/// nothing: what is anonymous in it is identified by the place of the let.
template <class F, int I, class E>
struct Bound : node_base {
    using value_type = value_t<E>;
    static constexpr int rank = E::rank;
    static constexpr int anonymous = 0;
    /// One value has one set of coordinates: index<> counts in the operand itself, where that has axes.
    static constexpr bool counts = rank == 0 && E::counts;
    constexpr explicit Bound(const E& e) : expression(e) {}
    E expression;
};

/// What F made of Operands: Body. The type of a function tells nested lets apart: one that uses the operands of another
/// has captured them, and so is of another type.
template <class F, class Body, class... Operands>
struct Let : node_base {
    using value_type = value_t<Body>;
    static constexpr int rank = Body::rank;
    static constexpr int anonymous = (Operands::anonymous + ... + Body::anonymous);
    static constexpr bool counts = Body::counts;
    constexpr explicit Let(const Body& b) : expression(b) {}
    Body expression;
};

namespace detail {

/// An operand that is the same value wherever it stands needs no let.
template <class E>
inline constexpr bool many_valued = E::anonymous > 0 || (E::rank > 0 && E::counts);

template <class F, int I, class E>
constexpr auto bound(const E& e) {
    if constexpr (many_valued<E>) {
        return Bound<F, I, E>(e);
    } else {
        return e;
    }
}

template <class F, class... E, std::size_t... I>
constexpr auto let_nodes(const F& f, std::index_sequence<I...>, const E&... operands) {
    if constexpr ((many_valued<E> || ...)) {
        const auto body = f(bound<F, static_cast<int>(I)>(operands)...);
        static_assert(Expression<decltype(body)>, "fuse: the function of a let returns an expression");
        return Let<F, std::remove_const_t<decltype(body)>, E...>(body);
    } else {
        return f(operands...);
    }
}

template <class... A, std::size_t... I>
constexpr auto let_last(const std::tuple<const A&...>& all, std::index_sequence<I...> order) {
    using V = weak_common_t<std::tuple_element_t<I, std::tuple<A...>>...>;
    return let_nodes(std::get<sizeof...(I)>(all), order, as_node<V>(std::get<I>(all))...);
}

}  // namespace detail

/// let(x, y, ..., f): any number of operands, then a function of as many expressions. Numbers among the operands take
/// the type of the expressions beside them.
template <class... A>
    requires(Expression<A> || ...)
constexpr auto let(const A&... operands_and_function) {
    return detail::let_last(std::tuple<const A&...>(operands_and_function...),
                            std::make_index_sequence<sizeof...(A) - 1>{});
}

FUSE_END_NAMESPACE
