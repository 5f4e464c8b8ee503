// SPDX-License-Identifier: Apache-2.0
//
// Derivatives against the shapes of their nodes. The derivative with respect to a node broadcasts to the shape of that
// node: it may have fewer axes, or extents of 1. Where an operand was broadcast, its derivative is a sum over the axes
// that it lacks.
#pragma once

#include "fuse/gradient/flatten.hpp"
#include "fuse/gradient/terms.hpp"
#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/shape.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class A, class N>
inline constexpr bool spans = std::is_same_v<A, N>;
/// Whether derivative A surely has the shape of node N, to which it broadcasts: N is an operand of its maps.
template <class F, class... Args, class N>
inline constexpr bool spans<Map<F, Args...>, N> = std::is_same_v<Map<F, Args...>, N> || (spans<Args, N> || ...);
template <class Tag, class Id, class E, class N>
inline constexpr bool spans<Pinned<Tag, Id, E>, N> = std::is_same_v<Pinned<Tag, Id, E>, N> || spans<E, N>;

/// a in the shape of node n.
template <class V, class A, class N>
constexpr auto spread_over(const A& a, const N& n) {
    if constexpr (N::rank == 0 || spans<A, N>) {
        return as_term<V>(a);
    } else {
        return map(FirstOf{}, as_term<V>(a), n);
    }
}

/// Axes of N along which E, an operand that broadcasts to it, lacks elements; bit i: axis i of N.
template <class N, class E>
inline constexpr std::uint32_t stretched_axes = [] {
    constexpr Shape whole = static_shape<N>;
    constexpr Shape own = static_shape<E>;
    std::uint32_t axes = 0;
    for (int i = 0; i < N::rank; ++i) {
        const int mine = i - (N::rank - E::rank);
        axes |= mine < 0 || (own[mine] == 1 && whole[i] != 1) ? 1U << i : 0U;
    }
    return axes;
}();
constexpr std::uint32_t first_axes(int n) {
    return (1U << n) - 1U;
}

[[noreturn]] FUSE_COLD inline void throw_stretched(ErasedNode e, const Shape& own, const Shape& whole) {
    Text text;
    text << "gradient: ";
    e.print(text, e.node);
    text << own << " is stretched to " << whole
         << ", which its type does not say, and the derivative would need another kernel: give it a static extent of 1 "
            "there, view<\"x\", ..., 1>(...) or expand_dims, or do not stretch it";
    throw shape_error(text);
}
/// Only extents of 1 that a type says are stretched.
template <class N, class E>
void check_stretched(const N& n, const E& e) {
    if constexpr (N::rank > 0 && E::rank > 0 && !std::is_same_v<N, E>) {
        const Shape whole = shape_of(n);
        const Shape own = shape_of(e);
        constexpr std::uint32_t known = stretched_axes<N, E>;
        for (int i = 0; i < own.rank; ++i) {
            const int axis = i + N::rank - E::rank;
            if (((known >> axis) & 1U) == 0 && own[i] != whole[axis]) {
                throw_stretched(erase(e), own, whole);
            }
        }
    }
}

/// What operand e of map n gets, of which c broadcasts to the shape of n.
template <class C, class N, class E>
constexpr auto summed_to(const C& c, const N& n, const E& e) {
    constexpr std::uint32_t axes = stretched_axes<N, E>;
    using V = value_t<E>;
    check_stretched(n, e);
    if constexpr (is_zero<C>) {
        return c;
    } else if constexpr (axes == 0) {
        if constexpr (is_one<C>) {
            return c;
        } else {
            return as_term<V>(c);
        }
    } else {
        const auto whole = spread_over<V>(c, n);
        using Whole = std::remove_const_t<decltype(whole)>;
        constexpr std::uint32_t leading = first_axes(N::rank - E::rank);
        if constexpr (axes == leading) {
            return Reduce<Add<>, Whole, axes, false, void>(whole);
        } else {
            const Reduce<Add<>, Whole, axes, true, void> kept(whole);
            if constexpr (leading == 0) {
                return kept;
            } else {
                return Reduce<Add<>, std::remove_const_t<decltype(kept)>, leading, false, void>(kept);
            }
        }
    }
}

/// a, which broadcasts to the result of a reduction that drops the axes in Mask of an operand of rank Rank, so that it
/// broadcasts to the operand.
template <std::uint32_t Mask, int Rank, int Axis, class A>
constexpr auto put_back(const A& a) {
    if constexpr (Axis < 0) {
        return a;
    } else {
        constexpr int behind = Rank - 1 - Axis;
        if constexpr (((Mask >> Axis) & 1U) == 0 || A::rank <= behind) {
            return put_back<Mask, Rank, Axis - 1>(a);
        } else {
            return put_back<Mask, Rank, Axis - 1>(expand_dims<A::rank - behind>(a));
        }
    }
}
/// The same of reduction n; index<> in `a` counts on in the result.
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc, class A>
constexpr auto over_operand(const Reduce<Op, E, Mask, Keep, Acc>& n, const A& a) {
    if constexpr (is_zero<A> || is_one<A>) {
        return a;
    } else if constexpr (A::counts) {
        return over_operand(n, framed(spread_over<value_t<A>>(a, n)));
    } else if constexpr (Keep) {
        return a;
    } else {
        return put_back<Mask, E::rank, E::rank - 1>(a);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
