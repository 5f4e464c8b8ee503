// SPDX-License-Identifier: Apache-2.0
//
// Operands beside what counts positions. In sum(x * (b * index<0>())) of a matrix x and a row b, b * index<0>() has the
// axes of a row and another value in each row of x. A derivative with respect to it has the axes of x, which the types
// do not say: so before anything is derived, such operands are spread over what they count in, first_of(b, x) *
// index<0>(), and it is the derivative of that which is summed to the shape of b.
#pragma once

#include "fuse/gradient/broadcasting.hpp"
#include "fuse/gradient/graph.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether something counts in E, be it in an operand with coordinates of its own.
template <class... E>
constexpr bool any_counts(operand_types<E...>);
template <class E>
inline constexpr bool counts_within = E::counts || any_counts(typename E::operands{});
template <class... E>
constexpr bool any_counts(operand_types<E...>) {
    return (counts_within<E> || ...);
}

/// Whether E has all axes of N, none with an extent of 1 that N has not.
template <class N, class E>
inline constexpr bool covers = E::rank == N::rank&& stretched_axes<N, E> == 0;

/// Something of the shape of E in which nothing counts.
template <class E>
constexpr auto uncounted(const E& e);

template <class N, class First, class... Rest>
constexpr auto uncounted_among(const First& first, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0 || covers<N, First>) {
        return uncounted(first);
    } else if constexpr (First::rank == 0) {
        return uncounted_among<N>(rest...);
    } else {
        const auto own = uncounted(first);
        const auto others = uncounted_among<N>(rest...);
        if constexpr (covers<N, std::remove_const_t<decltype(others)>>) {
            return others;
        } else {
            return map(FirstOf{}, own, others);
        }
    }
}
template <class E>
constexpr auto uncounted(const E& e) {
    if constexpr (!E::counts || E::rank == 0) {
        return e;
    } else if constexpr (requires { e.args; }) {
        return on_elements(e.args, [](const auto&... operand) { return uncounted_among<E>(operand...); });
    } else if constexpr (decltype(e.expression)::rank == E::rank) {
        return uncounted(e.expression);
    } else {
        return e.with(uncounted(e.expression));
    }
}

/// E with its operands spread over the expression in which they count, where the variable is reached through them.
template <class Name, class E, class Frame>
constexpr auto spread_counting(const E& e, const Frame& frame);

/// An operand of a map that counts.
template <class Name, class E, class Frame>
constexpr auto spread_operand(const E& e, const Frame& frame) {
    const auto own = spread_counting<Name>(e, frame);
    if constexpr (!is_active<E, Name> || E::counts || covers<Frame, E>) {
        return own;
    } else {
        return map(FirstOf{}, own, uncounted(frame));
    }
}
/// An operand in which nothing counts has the axes that it says.
template <bool Counts, class Name, class E, class Frame>
constexpr auto spread_argument(const E& e, const Frame& frame) {
    if constexpr (Counts) {
        return spread_operand<Name>(e, frame);
    } else {
        return spread_counting<Name>(e, frame);
    }
}
/// expand_dims of a map is the map of its operands, expanded: coordinates count beyond it.
template <int Behind, class E>
constexpr auto expand_operands(const E& e) {
    if constexpr (E::rank <= Behind) {
        return e;
    } else if constexpr (!E::counts) {
        return expand_dims<E::rank - Behind>(e);
    } else if constexpr (requires { e.args; }) {
        return on_elements(e.args,
                           [&e](const auto&... operand) { return e.with(expand_operands<Behind>(operand)...); });
    } else {
        return e.with(expand_operands<Behind>(e.expression));
    }
}
template <class E>
inline constexpr bool is_expanded = false;
template <int Axis, class E>
inline constexpr bool is_expanded<ExpandDims<Axis, E>> = true;
template <int Axis, class E>
constexpr auto pushed_down(const ExpandDims<Axis, E>& e) {
    return expand_operands<E::rank - Axis>(e.expression);
}

template <class Name, class E, class Frame>
constexpr auto spread_counting(const E& e, const Frame& frame) {
    if constexpr (!counts_within<E> || !is_active<E, Name> || is_variable<E, Name>) {
        return e;
    } else if constexpr (requires { e.args; }) {
        return on_elements(e.args, [&](const auto&... operand) {
            return e.with(spread_argument<E::counts, Name>(operand, frame)...);
        });
    } else if constexpr (E::own_coordinates) {
        return e.with(spread_counting<Name>(e.expression, e.expression));
    } else if constexpr (is_expanded<E> && E::counts) {
        return spread_counting<Name>(pushed_down(e), frame);
    } else {
        return e.with(spread_counting<Name>(e.expression, frame));
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
