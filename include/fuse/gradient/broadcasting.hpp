// SPDX-License-Identifier: Apache-2.0
//
// Derivatives against the shapes of their nodes. The derivative with respect to a node broadcasts to the shape of that
// node: it may have fewer axes, or extents of 1. Where an operand was broadcast, its derivative is a sum over the axes
// that it lacks.
#pragma once

#include "fuse/gradient/extent_along.hpp"
#include "fuse/gradient/flatten.hpp"
#include "fuse/gradient/terms.hpp"
#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether A surely has the shape of the types in List: one of them is A or an operand of its maps, and A broadcasts to
/// that shape.
template <class A, class List>
inline constexpr bool spans = contains<List, A>;
template <class F, class... Args, class List>
inline constexpr bool spans<Map<F, Args...>, List> = contains<List, Map<F, Args...>> || (spans<Args, List> || ...);
template <class Tag, class Id, class E, class List>
inline constexpr bool spans<Pinned<Tag, Id, E>, List> = contains<List, Pinned<Tag, Id, E>> || spans<E, List>;

[[noreturn]] FUSE_RARE inline void throw_stretched(ErasedNode e, const Shape& own, const Shape& whole) {
    Text text;
    text << "gradient: ";
    e.print(text);
    text
        << own << " is stretched to " << whole
        << ", which its type does not say, and the derivative would need another kernel: give it a static extent of 1 "
           "there, view<\"x\">(p, fuse::extents<fuse::dynamic, 1>{n}), or expand_dims, also of a slice of one element, "
           "expand_dims<0>(x[0])";
    throw shape_error(text);
}
/// Of e, an operand of n or what broadcasts to it, that has another extent along an axis.
template <class E, class N>
[[noreturn]] FUSE_RARE void refuse_stretched(const E& e, const N& n) {
    const Shape whole = shape_of(n);  // throws where operands do not fit each other
    throw_stretched(erase(e), shape_of(e), whole);
}
/// Throws shape_error if a does not have the shape of n.
template <class A, class N>
void check_spans(const A& a, const N& n) {
    const bool spans_all = [&]<int... Behind>(std::integer_sequence<int, Behind...>) {
        return ((spanning_along<A, N, Behind>() == Spanning::surely || same_along<Behind>(a, n)) && ...);
    }
    (std::make_integer_sequence<int, N::rank>{});
    if (!spans_all) {
        refuse_stretched(a, n);
    }
}

/// a in the shape of node n, which the types in Same have.
template <class V, class Same, class A, class N>
constexpr auto spread_over(const A& a, const N& n) {
    if constexpr (N::rank == 0 || spans<A, Same>) {
        return as_term<V>(a);
    } else {
        const auto term = as_term<V>(a);
        constexpr Spanning spanning = spanning_of<std::remove_const_t<decltype(term)>, N>;
        if constexpr (spanning == Spanning::no) {
            return map(FirstOf{}, term, n);
        } else {
            if constexpr (spanning == Spanning::likely) {
                check_spans(term, n);
            }
            return term;
        }
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

/// Whether types say that E, an operand of N, is stretched along the axis with so many behind it, or that it is not.
template <class N, class E, int Behind>
inline constexpr bool knows_stretched =
    ((stretched_axes<N, E> >> (N::rank - 1 - Behind)) & 1U) != 0 || spanning_along<E, N, Behind>() == Spanning::surely;

/// Throws shape_error where an extent of 1 is stretched of which no type says that it is one.
template <class N, class E>
void check_stretched(const N& n, const E& e) {
    const bool fits = [&]<int... Behind>(std::integer_sequence<int, Behind...>) {
        return ((knows_stretched<N, E, Behind> || same_along<Behind>(e, n)) && ...);
    }
    (std::make_integer_sequence<int, E::rank>{});
    if (!fits) {
        refuse_stretched(e, n);
    }
}

/// Whether E does not vary along these axes of an expression of rank Rank to which it broadcasts.
template <class E, std::uint32_t Axes, int Rank>
inline constexpr bool is_constant_along = [] {
    constexpr Shape own = static_shape<E>;
    bool constant = !E::counts;
    for (int i = Rank - E::rank; i < Rank; ++i) {
        constant = constant && (((Axes >> i) & 1U) == 0 || own[i - (Rank - E::rank)] == 1);
    }
    return constant;
}();

/// Whether E, a factor itself, has one that does not vary along these axes: a * (b / c) is (a * b) / c.
template <class E, std::uint32_t Axes, int Rank>
inline constexpr bool has_inner_factor = false;
template <class T, class A, class B, std::uint32_t Axes, int Rank>
inline constexpr bool has_inner_factor<Map<Mul<T>, A, B>, Axes, Rank> =
    is_constant_along<A, Axes, Rank> || is_constant_along<B, Axes, Rank>;
template <class T, class A, class B, std::uint32_t Axes, int Rank>
inline constexpr bool has_inner_factor<Map<Div<T>, A, B>, Axes, Rank> = is_constant_along<B, Axes, Rank>;

/// Whether a term of C is a product with a factor that does not vary along these axes.
template <class C, std::uint32_t Axes, int Rank>
inline constexpr bool has_factor = false;
template <class T, class A, std::uint32_t Axes, int Rank>
inline constexpr bool has_factor<Map<Neg<T>, A>, Axes, Rank> = has_factor<A, Axes, Rank>;
template <class T, class A, class B, std::uint32_t Axes, int Rank>
inline constexpr bool has_factor<Map<Add<T>, A, B>, Axes, Rank> =
    has_factor<A, Axes, Rank> || has_factor<B, Axes, Rank>;
template <class T, class A, class B, std::uint32_t Axes, int Rank>
inline constexpr bool has_factor<Map<Sub<T>, A, B>, Axes, Rank> =
    has_factor<A, Axes, Rank> || has_factor<B, Axes, Rank>;
template <class T, class A, class B, std::uint32_t Axes, int Rank>
inline constexpr bool has_factor<Map<Mul<T>, A, B>, Axes, Rank> =
    is_constant_along<A, Axes, Rank> || is_constant_along<B, Axes, Rank> || has_inner_factor<A, Axes, Rank> ||
    has_inner_factor<B, Axes, Rank>;
template <class T, class A, class B, std::uint32_t Axes, int Rank>
inline constexpr bool has_factor<Map<Div<T>, A, B>, Axes, Rank> = is_constant_along<B, Axes, Rank>;

/// The sum of c, spread over node n, along the axes in Axes, which stay with extent 1. Factors that do not vary there
/// stand before it, also those of single terms, so that the sum of one term does not wait for what another one is
/// multiplied with. Differences without such a factor stay whole: their terms may cancel.
template <class V, std::uint32_t Axes, class Same, class N>
struct Summation {
    const N& n;
    template <class C>
    static constexpr bool splits = has_factor<C, Axes, N::rank>;

    template <class C>
    constexpr auto of(const C& c) const {
        const auto whole = spread_over<V, Same>(c, n);
        return Reduce<Add<>, std::remove_const_t<decltype(whole)>, Axes, true, void>(whole);
    }
    template <class T, class A>
        requires(splits<A>)
    constexpr auto of(const Map<Neg<T>, A>& c) const { return -of(get<0>(c.args)); }
    template <class T, class A, class B>
        requires(splits<A> || splits<B>)
    constexpr auto of(const Map<Add<T>, A, B>& c) const { return of(get<0>(c.args)) + of(get<1>(c.args)); }
    template <class T, class A, class B>
        requires(splits<A> || splits<B>)
    constexpr auto of(const Map<Sub<T>, A, B>& c) const { return of(get<0>(c.args)) - of(get<1>(c.args)); }
    template <class T, class A, class B>
        requires(splits<Map<Mul<T>, A, B>>)
    constexpr auto of(const Map<Mul<T>, A, B>& c) const {
        const A& a = get<0>(c.args);
        const B& b = get<1>(c.args);
        if constexpr (is_constant_along<B, Axes, N::rank>) {
            return of(a) * b;
        } else if constexpr (is_constant_along<A, Axes, N::rank>) {
            return of(b) * a;
        } else if constexpr (has_inner_factor<B, Axes, N::rank>) {
            return of_product(a, b);
        } else {
            return of_product(b, a);
        }
    }
    template <class T, class A, class B>
        requires(splits<Map<Div<T>, A, B>>)
    constexpr auto of(const Map<Div<T>, A, B>& c) const { return of(get<0>(c.args)) / get<1>(c.args); }

private:
    /// Of a * b, b having an inner factor.
    template <class A, class T, class P, class Q>
    constexpr auto of_product(const A& a, const Map<Div<T>, P, Q>& b) const {
        return of(a * get<0>(b.args)) / get<1>(b.args);
    }
    template <class A, class T, class P, class Q>
    constexpr auto of_product(const A& a, const Map<Mul<T>, P, Q>& b) const {
        if constexpr (is_constant_along<Q, Axes, N::rank>) {
            return of(a * get<0>(b.args)) * get<1>(b.args);
        } else {
            return of(a * get<1>(b.args)) * get<0>(b.args);
        }
    }
};

/// `kept` without these axes, which have extent 1.
template <std::uint32_t Axes, class E>
constexpr auto without_kept(const E& kept) {
    return Reduce<Add<>, E, Axes, false, void>(kept);
}
template <std::uint32_t Axes, class E, class Acc>
constexpr auto without_kept(const Reduce<Add<>, E, Axes, true, Acc>& kept) {
    return Reduce<Add<>, E, Axes, false, Acc>(kept.expression);
}

/// What operand e of map n gets, of which c broadcasts to the shape of n, which the types in Same have. Has the shape
/// of e if e was stretched.
template <class Same, class C, class N, class E>
constexpr auto summed_to(const C& c, const N& n, const E& e) {
    constexpr std::uint32_t axes = stretched_axes<N, E>;
    using V = value_t<E>;
    check_stretched(n, e);
    if constexpr (is_zero<C> || (is_one<C> && axes == 0)) {
        return c;
    } else if constexpr (axes == 0) {
        return as_term<V>(c);
    } else {
        const auto kept = Summation<V, axes, Same, N>{n}.of(as_term<V>(c));
        constexpr std::uint32_t leading = first_axes(N::rank - E::rank);
        if constexpr (leading == 0) {
            return kept;
        } else {
            return without_kept<leading>(kept);
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
        return over_operand(n, framed(spread_over<value_t<A>, type_list<Reduce<Op, E, Mask, Keep, Acc>>>(a, n)));
    } else if constexpr (Keep) {
        return a;
    } else {
        return put_back<Mask, E::rank, E::rank - 1>(a);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
