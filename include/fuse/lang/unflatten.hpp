// SPDX-License-Identifier: Apache-2.0
//
// unflatten<Axis>(x, extents...): an axis of a view taken apart into several, without a copy, as (n, channels, ...)
// into (n, groups, channels / groups, ...). That of maps is the same map of views that are taken apart so.
#pragma once

#include <initializer_list>

#include "fuse/lang/expression_parts.hpp"
#include "fuse/lang/named.hpp"
#include "fuse/lang/view_parts.hpp"

#define FUSE_NO_UNFLATTEN                                                                                              \
    "fuse: unflatten takes the axis as a template argument, and its extents one by one: unflatten<1>(x, 2, 3)"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What a view is called that was made of one called Name: "x<1>". Unlike that of other parts it is an identity, as one
/// eval has one such view of x; of two with other extents it says that they are two.
template <class Name, int Axis>
struct name_of_unflattened : name_of_part<Name> {};
template <char... C, int Axis>
struct name_of_unflattened<name<C...>, Axis> {
    using type = name<C..., '<', static_cast<char>('0' + Axis), '>'>;
};

template <class V, int Axis, int Count, class Axes>
struct unflattened_view;
template <class T, class Name, index_t... E, int Axis, int Count, int... I>
struct unflattened_view<View<T, Name, E...>, Axis, Count, std::integer_sequence<int, I...>> {
    static constexpr Shape old{sizeof...(E), {E...}};
    static constexpr index_t extent(int i) {
        return i < Axis ? old[i] : i < Axis + Count ? dynamic : old[i - Count + 1];
    }
    using type = View<T, typename name_of_unflattened<Name, Axis>::type, extent(I)...>;
};

/// The extents that an axis of e is taken apart into.
FUSE_COLD inline Shape unflattened_extents(const Shape& shape, ErasedNode e, int axis, const Shape& wanted) {
    const FittedShape inner = fit_elements(wanted, shape[axis]);
    if (!inner.fits) {
        throw shape_error(Text() << "unflatten: axis " << axis << " of " << text_of(e) << shape << " has extent "
                                 << shape[axis] << ", which is not that of " << wanted);
    }
    return inner.shape;
}
/// An operand of extent 1 that others stretch has 1 along all of the new axes.
FUSE_COLD inline Strided unflatten(const Strided& x, int axis, const Shape& extents) {
    Strided result{without(x.shape, axis), without(x.stride, axis), x.offset, x.name};
    const bool stretches = x.shape[axis] != extents.size();
    index_t stride = x.stride[axis];
    for (int i = extents.rank - 1; i >= 0; --i) {
        result.shape = with_axis(result.shape, axis, stretches ? 1 : extents[i]);
        result.stride = with_axis(result.stride, axis, stride);
        stride *= stretches ? 1 : extents[i];
    }
    return result;
}

/// How each kind of node is that of its operands; one without axes is as it was. What has no rule is refused.
template <class N>
struct Unflattening {
    template <int Axis>
    static constexpr bool possible = false;
};
template <int Axis, class N>
constexpr bool can_unflatten() {
    if constexpr (Axis < 0 || N::rank == 0) {
        return !N::counts;
    } else {
        return Unflattening<N>::template possible<Axis>;
    }
}
template <int Axis, int Count, class N>
auto unflattened_node(const N& n, const Shape& extents) {
    if constexpr (Axis < 0 || N::rank == 0) {
        return n;
    } else {
        return Unflattening<N>::template of<Axis, Count>(n, extents);
    }
}

template <class T, class Name, index_t... E>
struct Unflattening<View<T, Name, E...>> {
    using V = View<T, Name, E...>;
    template <int Axis>
    static constexpr bool possible = true;
    template <int Axis, int Count>
    static auto of(const V& x, const Shape& extents) {
        using Axes = std::make_integer_sequence<int, V::rank - 1 + Count>;
        const Strided s = unflatten(x.strided(), Axis, extents);
        return typename unflattened_view<V, Axis, Count, Axes>::type(x.data(), s.shape, s.stride);
    }
};
template <class F, class... A>
struct Unflattening<Map<F, A...>> {
    template <class Arg>
    static constexpr int shift = Map<F, A...>::rank - Arg::rank;
    template <int Axis>
    static constexpr bool possible = (can_unflatten<Axis - shift<A>, A>() && ...);
    template <int Axis, int Count>
    static auto of(const Map<F, A...>& m, const Shape& extents) {
        return m.on_operands(
            [&](const A&... a) { return m.with(unflattened_node<Axis - shift<A>, Count>(a, extents)...); });
    }
};
template <class N, class E>
struct UnflatteningUnary {
    template <int Axis>
    static constexpr bool possible = can_unflatten<Axis, E>();
    template <int Axis, int Count>
    static auto of(const N& n, const Shape& extents) {
        return n.with(unflattened_node<Axis, Count>(n.expression, extents));
    }
};
template <class F, class E>
struct Unflattening<Let<F, E>> : UnflatteningUnary<Let<F, E>, E> {};
template <class F, int I, class E>
struct Unflattening<Bound<F, I, E>> : UnflatteningUnary<Bound<F, I, E>, E> {};
template <class Name, class E>
struct Unflattening<Named<Name, E>> : UnflatteningUnary<Named<Name, E>, E> {
    template <int Axis, int Count>
    static auto of(const Named<Name, E>& n, const Shape& extents) {
        const auto e = unflattened_node<Axis, Count>(n.expression, extents);
        return Named<typename name_of_unflattened<Name, Axis>::type, std::remove_const_t<decltype(e)>>(e);
    }
};

}  // namespace detail

/// x with an axis of extent m * n as axes of extents m, n (torch.unflatten). One extent may be -1: what is left for it.
/// Of a view it is a view of the same memory, to be read and written to; that of a named view is one value wherever it
/// stands in an eval. Of maps, with or without a name, it is a map. Throws shape_error if the extents do not multiply
/// to that of the axis.
template <int Axis, Expression X, std::integral... I>
    requires(sizeof...(I) > 0)
auto unflatten(const X& x, I... extent) {
    constexpr int count = sizeof...(I);
    static_assert(Axis >= -X::rank && Axis < X::rank, "fuse: unflatten: this axis is outside the operand's rank");
    static_assert(X::rank - 1 + count <= max_rank, "fuse: at most 8 axes");
    constexpr int axis = Axis < -X::rank || Axis >= X::rank ? 0 : Axis < 0 ? Axis + X::rank : Axis;
    static_assert(
        detail::can_unflatten<axis, X>(),
        "fuse: unflatten takes views and maps of them: evaluate a reduction, a scan, or what counts positions "
        "into a view first");
    if constexpr (detail::can_unflatten<axis, X>()) {
        const Shape extents = detail::unflattened_extents(shape_of(x), detail::erase(x), axis, shape(extent...));
        return detail::unflattened_node<axis, count>(x, extents);
    } else {
        return expand_dims<0>(x);
    }
}

/// unflatten<1>(x, shape(2, -1)), unflatten<1>(x, extents<dynamic, 4>{n})
template <int Axis, Expression X, index_t... E>
    requires(sizeof...(E) > 0)
auto unflatten(const X& x, const extents<E...>& to) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        return unflatten<Axis>(x, to[I]...);
    }
    (std::make_integer_sequence<int, sizeof...(E)>{});
}
template <int Axis, Expression X>
auto unflatten(const X&, std::initializer_list<index_t>) {
    static_assert(sizeof(X) == 0, FUSE_NO_UNFLATTEN);
    return detail::refused();
}
template <Expression X, class... A>
auto unflatten(const X&, const A&...) {
    static_assert(sizeof(X) == 0, FUSE_NO_UNFLATTEN);
    return detail::refused();
}
#undef FUSE_NO_UNFLATTEN

FUSE_END_NAMESPACE
