// SPDX-License-Identifier: Apache-2.0
//
// unflatten<Axis>(x, extents...): an axis of a view taken apart into several, without a copy, as (n, channels, ...)
// into (n, groups, channels / groups, ...).
#pragma once

#include "fuse/lang/view_parts.hpp"

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

FUSE_COLD inline Strided unflatten(const Strided& x, int axis, const Shape& wanted) {
    const FittedShape inner = fit_elements(wanted, x.shape[axis]);
    if (!inner.fits) {
        throw shape_error(Text() << "unflatten: axis " << axis << " of " << x.text() << " has extent " << x.shape[axis]
                                 << ", which is not that of " << wanted);
    }
    Strided result{without(x.shape, axis), without(x.stride, axis), x.offset, x.name};
    index_t stride = x.stride[axis];
    for (int i = wanted.rank - 1; i >= 0; --i) {
        result.shape = with_axis(result.shape, axis, inner.shape[i]);
        result.stride = with_axis(result.stride, axis, stride);
        stride *= inner.shape[i];
    }
    return result;
}

}  // namespace detail

/// x with an axis of extent m * n as axes of extents m, n (torch.unflatten). One extent may be -1: what is left for it.
/// A view of the same memory, to be read and written to; that of a named view is one value wherever it stands in an
/// eval. Throws shape_error if the extents do not multiply to that of the axis.
template <int Axis, detail::ViewLike V, std::integral... I>
    requires(sizeof...(I) > 0)
auto unflatten(const V& x, I... extent) {
    constexpr int axis = detail::axis_of<Axis, V::rank>;
    constexpr int count = sizeof...(I);
    static_assert(V::rank - 1 + count <= max_rank, "fuse: at most 8 axes");
    const detail::Strided s = detail::unflatten(x.strided(), axis, shape(extent...).value);
    return
        typename detail::unflattened_view<V, axis, count, std::make_integer_sequence<int, V::rank - 1 + count>>::type(
            x.data(), s.shape, s.stride);
}

FUSE_END_NAMESPACE
