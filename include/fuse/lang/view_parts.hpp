// SPDX-License-Identifier: Apache-2.0
//
// Views of views, with numpy's names and meanings and without a copy: x[i] (view.hpp), row, column, select, slice, flip,
// transpose, reshape, squeeze. Each gives a View, to be read, written to, or taken apart further. Axes are template
// arguments, as in expand_dims<1>(x); a negative one counts from the end. Static extents stay static where the part has
// them. A part has no name, view<"r">(x[2]) gives it one.
#pragma once

#include <utility>

#include "fuse/lang/axes.hpp"
#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/view.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class X>
inline constexpr bool is_view = false;
template <class T, class Name, index_t... E>
inline constexpr bool is_view<View<T, Name, E...>> = true;

template <class X>
concept ViewLike = is_view<X>;

/// In another order along the axes in Mask, where they have more than one element.
template <class V, std::uint32_t Mask>
struct SameExtents {
    static constexpr Shape value = V::static_shape;
    static constexpr std::uint32_t turned = [] {
        std::uint32_t axes = Mask;
        for (int i = 0; i < V::rank; ++i) {
            axes &= V::static_shape[i] == 1 ? ~(1U << i) : ~0U;
        }
        return axes;
    }();
    static constexpr std::uint64_t place(std::uint64_t whole) { return place_turned(whole, turned); }
};
template <class V, int Axis>
struct DynamicAt {
    static constexpr Shape value = [] {
        Shape s = V::static_shape;
        s[Axis] = dynamic;
        return s;
    }();
    static constexpr std::uint64_t place(std::uint64_t whole) { return place_cut(whole, 1U << Axis); }
};
template <index_t... E>
struct StaticExtents {
    static constexpr Shape value{sizeof...(E), {E...}};
    static constexpr std::uint64_t place(std::uint64_t) { return no_place; }
};
/// No order means all axes reversed.
template <int Rank, int... Axis>
inline constexpr Shape axis_order = [] {
    Shape order{Rank, {}};
    const int given[] = {Axis..., 0};
    for (int i = 0; i < Rank; ++i) {
        const int axis = sizeof...(Axis) == 0 ? Rank - 1 - i : given[i];
        order[i] = axis < 0 ? axis + Rank : axis;
    }
    return order;
}();
template <class V, int... Axis>
struct Permuted {
    static constexpr Shape value = permuted(V::static_shape, axis_order<V::rank, Axis...>);
    static constexpr std::uint64_t place(std::uint64_t whole) {
        return place_permuted(whole, axis_order<V::rank, Axis...>);
    }
};

}  // namespace detail

/// The part of x at index i along an axis, without that axis (torch.select). Throws argument_error where x has no such
/// index.
template <int Axis, detail::ViewLike V, std::integral I>
auto select(const V& x, I i) {
    FUSE_CHECK_AXIS(V::rank, Axis);
    constexpr int axis = detail::axis_of<Axis, V::rank>;
    const auto index = static_cast<index_t>(i);
    return detail::part<detail::ExtentsWithout<V, axis>>(x, detail::select(x.strided(), axis, index));
}
/// Row i of a matrix: x[i].
template <detail::ViewLike V, std::integral I>
auto row(const V& x, I i) {
    static_assert(V::rank == 2, "fuse: row and column take a matrix; select<Axis>(x, i) takes any");
    return select<0>(x, i);
}
/// Column i of a matrix.
template <detail::ViewLike V, std::integral I>
auto column(const V& x, I i) {
    static_assert(V::rank == 2, "fuse: row and column take a matrix; select<Axis>(x, i) takes any");
    return select<1>(x, i);
}

/// x[start:stop:step] of numpy along an axis: slice<0>(x, 2, 10), slice<1>(x, {}, {}, 2). {} leaves a bound out, negative
/// bounds count from the end, and those beyond the end are the end. With a negative step it goes backwards, as numpy's.
/// Throws argument_error for a step of 0.
template <int Axis, detail::ViewLike V>
auto slice(const V& x, detail::SliceBound start, detail::SliceBound stop, index_t step = 1) {
    FUSE_CHECK_AXIS(V::rank, Axis);
    constexpr int axis = detail::axis_of<Axis, V::rank>;
    return detail::part<detail::DynamicAt<V, axis>>(x, detail::slice(x.strided(), axis, start, stop, step));
}

/// x backwards along these axes, all of them if none is given (numpy.flip).
template <int... Axis, detail::ViewLike V>
auto flip(const V& x) {
    FUSE_CHECK_AXIS(V::rank, Axis...);
    constexpr std::uint32_t all = (1U << V::rank) - 1U;
    constexpr std::uint32_t mask = sizeof...(Axis) == 0 ? all : (0U | ... | (1U << detail::axis_of<Axis, V::rank>));
    return detail::part<detail::SameExtents<V, mask>>(x, detail::flip(x.strided(), mask));
}

/// x with its axes in this order, reversed if none is given (numpy.transpose): axis i of transpose<2, 0, 1>(x) is axis 2,
/// 0, 1 of x.
template <int... Axis, detail::ViewLike V>
auto transpose(const V& x) {
    static_assert(sizeof...(Axis) == 0 || sizeof...(Axis) == V::rank,
                  "fuse: transpose takes each axis of the view once, or none: it then reverses their order");
    if constexpr (sizeof...(Axis) == 0 || sizeof...(Axis) == V::rank) {
        constexpr Shape order = detail::axis_order<V::rank, Axis...>;
        static_assert(detail::is_permutation(order, V::rank),
                      "fuse: transpose takes each axis of the view once, or none: it then reverses their order");
        const detail::Strided s = x.strided();
        return detail::part<detail::Permuted<V, Axis...>>(
            x, {detail::permuted(s.shape, order), detail::permuted(s.stride, order), 0, s.name});
    } else {
        return x;
    }
}

/// x without an axis of extent 1 (numpy.squeeze). Throws shape_error where it has another extent.
template <int Axis, detail::ViewLike V>
auto squeeze(const V& x) {
    FUSE_CHECK_AXIS(V::rank, Axis);
    constexpr int axis = detail::axis_of<Axis, V::rank>;
    static_assert(V::static_shape[axis] == dynamic || V::static_shape[axis] == 1,
                  "fuse: squeeze takes an axis of extent 1");
    return detail::part<detail::ExtentsWithout<V, axis>>(x, detail::squeeze(x.strided(), axis));
}

/// The elements of x, in row-major order, in another shape (numpy.reshape): reshape(x, 6, -1), reshape(x, shape(n)),
/// reshape(x, extents<dynamic, 4>{n}). One extent may be -1: what is left for it. Throws shape_error if the number of
/// elements is another, or if they do not lie such that strides can say where: nothing is copied.
template <detail::ViewLike V, index_t... E>
auto reshape(const V& x, const extents<E...>& to) {
    return detail::part<detail::StaticExtents<E...>>(x, detail::reshape(x.strided(), to));
}
template <detail::ViewLike V, std::integral... I>
    requires(sizeof...(I) > 0)
auto reshape(const V& x, I... extent) {
    return reshape(x, shape(extent...));
}

namespace detail {

template <class X>
inline constexpr bool is_expanded_view = is_view<X>;
template <int Axis, class X>
inline constexpr bool is_expanded_view<ExpandDims<Axis, X>> = is_expanded_view<X>;

template <class V, int Axis>
struct ExtentsWith {
    static constexpr Shape value = with_axis(V::static_shape, Axis, 1);
    static constexpr std::uint64_t place(std::uint64_t) { return no_place; }
};

template <ViewLike V>
const V& as_view(const V& x) {
    return x;
}
template <int Axis, class X>
auto as_view(const ExpandDims<Axis, X>& e) {
    const auto x = as_view(e.expression);
    const Strided s = x.strided();
    // The stride of a new axis is never used; 0 would be that of an axis which repeats elements.
    return part<ExtentsWith<std::remove_const_t<decltype(x)>, Axis>>(
        x, {with_axis(s.shape, Axis, 1), with_axis(s.stride, Axis, 1), 0, s.name});
}

}  // namespace detail

/// view<"m">(expand_dims<1>(v)): expand_dims of a view is an expression that reads it; this is a view, which can be
/// written to and taken apart.
template <fixed_name N, int Axis, class X>
    requires detail::is_expanded_view<X>
auto view(const ExpandDims<Axis, X>& e) {
    return detail::make_view<name_t<N>>(detail::as_view(e));
}
template <int Axis, class X>
    requires detail::is_expanded_view<X>
auto view(const ExpandDims<Axis, X>& e) {
    return detail::as_view(e);
}

FUSE_END_NAMESPACE
