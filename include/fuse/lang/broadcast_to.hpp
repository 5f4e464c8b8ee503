// SPDX-License-Identifier: Apache-2.0
//
// broadcast_to(x, extents...): x as an array of this shape, without memory: a number, coordinates or random numbers
// among others, which have no extent of their own.
#pragma once

#include "fuse/lang/framed.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/lang/no_element.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/lang/view.hpp"

#define FUSE_FEWER_AXES "fuse: broadcast_to: the shape has fewer axes than the expression"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What a view without memory is called.
struct extents_alone {
    static constexpr char text[] = "shape";
};

/// An address that no machine has: such a view overlaps nothing.
template <index_t... E>
auto blank_view(const Shape& shape) {
    Shape repeat = shape;
    repeat.extent.fill(0);
    return View<NoElement, extents_alone, E...>(reinterpret_cast<NoElement*>(std::uintptr_t{1} << 62U), shape, repeat);
}

FUSE_COLD inline void check_broadcast_to(const Shape& own, const Shape& wanted, ErasedNode e) {
    bool fits = true;
    for (int i = 0; i < wanted.rank; ++i) {
        const int axis = i - (wanted.rank - own.rank);
        fits = fits && wanted[i] >= 0 && (axis < 0 || own[axis] == 1 || own[axis] == wanted[i]);
    }
    if (!fits) {
        Text text;
        text << "broadcast_to: ";
        e.print(text);
        throw shape_error(text << own << " does not broadcast to the shape " << wanted);
    }
}

}  // namespace detail

template <>
inline constexpr bool is_named<detail::extents_alone> = false;
template <std::uint64_t Place>
struct detail::name_of_part<detail::extents_alone, Place> {
    using type = extents_alone;
};

/// The element, of a shape that is the second operand's.
struct BroadcastTo {
    static constexpr const char* name = "broadcast_to";
    template <class T>
    FUSE_HD constexpr T operator()(T element, detail::NoElement) const {
        return element;
    }
    template <int I, class T>
    FUSE_HD constexpr T partial(T, detail::NoElement) const {
        return T(1);
    }
};

/// x of shape `wanted`, whose last axes are those of x (numpy.broadcast_to, torch.broadcast_to). A number or an
/// expression; index<>() and random numbers in it count in that shape. Reads no memory but what x reads. Throws
/// shape_error where x has another extent than 1 or the one wanted, or an extent is negative.
template <class X, index_t... E>
    requires Expression<X> || Number<X>
auto broadcast_to(const X& x, const extents<E...>& wanted) {
    const auto e = detail::as_node<void>(x);
    using node = std::remove_const_t<decltype(e)>;
    static_assert(node::rank <= sizeof...(E), FUSE_FEWER_AXES);
    detail::check_broadcast_to(shape_of(e), wanted, detail::erase(e));
    return detail::framed(detail::apply(BroadcastTo{}, e, detail::blank_view<E...>(wanted)));
}
template <class X, std::same_as<Shape> S>
    requires Expression<X> || Number<X>
auto broadcast_to(const X&, const S&) {
    static_assert(sizeof(X) == 0, FUSE_NO_RANK);
    return detail::refused();
}
template <class X, std::integral... I>
    requires Expression<X> || Number<X>
auto broadcast_to(const X& x, I... extent) {
    static_assert(rank_v<detail::node_t<void, X>> <= sizeof...(I), FUSE_FEWER_AXES);
    return broadcast_to(x, shape(extent...));
}

FUSE_END_NAMESPACE
