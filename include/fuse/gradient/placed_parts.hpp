// SPDX-License-Identifier: Apache-2.0
//
// Parts of the variable that an expression reads, x[0], slice<0>(x, 1, 5), those of diff(x), roll(x, 1), and where what is
// derived with respect to one of them stands in the derivative with respect to x: as it lies, and 0 around it. That of a
// slice is padded, that of what was rolled is rolled back, that of what was padded is a slice.
#pragma once

#include "fuse/gradient/find_part.hpp"
#include "fuse/gradient/flatten.hpp"
#include "fuse/gradient/part_names.hpp"
#include "fuse/lang/shifts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Leaves that are placed parts.
template <class N, class Name>
inline constexpr bool is_placed_leaf = false;
template <class T, class Part, index_t... E, class Name>
inline constexpr bool is_placed_leaf<View<T, Part, E...>, Name> = is_placed_part<Part, Name>;
template <class T, class Source, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, index_t... E, class Name>
inline constexpr bool is_placed_leaf<Window<T, Source, Axes, Moves, Kind, E...>, Name> =
    std::is_same_v<Source, Name> || is_placed_part<Source, Name>;
template <class Pin, class Id, class E, class Name>
inline constexpr bool is_placed_leaf<Pinned<Pin, Id, E>, Name> = is_placed_leaf<E, Name>;

template <class E>
const E& unpinned(const E& e) {
    return e;
}
template <class Pin, class Id, class E>
const E& unpinned(const Pinned<Pin, Id, E>& e) {
    return e.expression;
}

[[noreturn]] FUSE_RARE inline void throw_not_placed(const char* name) {
    throw argument_error(Text() << "gradient: the expression reads a part of " << name
                                << " that is not one of the view given, or of one whose elements repeat or lie one in "
                                   "another: pass the view that it is a part of");
}

/// In place of what has no part: refused by gradient().
struct NoPlace : Refused {
    constexpr NoPlace() : Refused(0) {}
};

/// e, whose elements are those at first + step * j along an axis, as an array of `extent` there, 0 elsewhere. Way: beyond
/// where each step is 1.
template <int Axis, Moving Way, class V, class E>
auto spread_out(const E& e, index_t first, index_t step, index_t divisor, index_t extent) {
    if constexpr (!has_part<Axis, E>) {
        return NoPlace();
    } else {
        Cut c{step < 0 ? first : -first, step < 0 ? -divisor : divisor, extent, shape_of(e)[Axis]};
        c.divisor = step < 0 ? -step : step;
        return filled_around<Axis, Way>(e, c, Constant<V, 0, 1>{});
    }
}
/// The same along all axes in Mask.
template <std::uint32_t Mask, Moving Way, class V, class E>
auto spread_all(const E& e, const FoundPart& part, const Shape& shape) {
    if constexpr (Mask == 0 || std::is_same_v<E, NoPlace>) {
        return e;
    } else {
        constexpr int axis = std::countr_zero(Mask);
        return spread_all<(Mask & (Mask - 1)), Way, V>(
            spread_out<axis, Way, V>(e, part.first[axis], part.step[axis], 1, shape[axis]), part, shape);
    }
}

/// The axes of the whole that a part of this place has; Uncut: those along which it has all of them.
template <bool Uncut>
constexpr std::uint32_t axes_in_place(std::uint64_t place) {
    const AxisMap axes = AxisMap::unpack(place);
    std::uint32_t mask = 0;
    for (int b = 0; b < axes.rank; ++b) {
        mask |= Uncut && axes.axis[b] >= cut_axis ? 0U : 1U << (axes.axis[b] % cut_axis);
    }
    return mask;
}
/// The axes of a part as they come in the whole.
constexpr std::uint64_t order_in_whole(std::uint64_t place) {
    const AxisMap axes = AxisMap::unpack(place);
    AxisMap order = axes;
    for (int b = 0; b < axes.rank; ++b) {
        const std::uint32_t before = (1U << (axes.axis[b] % cut_axis)) - 1U;
        order.axis[std::popcount(axes_in_place<false>(place) & before)] = b;
    }
    return order.pack();
}
/// e, whose axes have this place in an array of rank Rank, with the axes of that.
template <std::uint64_t Place, int Rank, class E>
auto with_whole_axes(const E& e) {
    constexpr std::uint32_t present = axes_in_place<false>(Place);
    constexpr std::uint64_t order = order_in_whole(Place);
    using How = turn_of<order, E>;
    if constexpr (turn_fault<How, E>() != PartFault::none) {
        return NoPlace();
    } else {
        return with_axes<((1U << Rank) - 1U) & ~present>(turned_expression<How>(e));
    }
}

/// a, derived with respect to a part of the view x, as a derivative with respect to x. place: that of the part.
template <std::uint64_t Place, Moving Way, class V, class A>
auto put_in_place(const A& a, const FoundPart& part, const Shape& shape) {
    const auto whole = with_whole_axes<Place, V::rank>(a);
    return spread_all<((1U << V::rank) - 1U) & ~axes_in_place<true>(Place), Way, value_t<V>>(whole, part, shape);
}

/// The moves of a window taken back, from the last one to the first along each axis of its source.
template <int Axis, int M, class W, class A>
auto moved_back(const A& a, const W& w) {
    if constexpr (std::is_same_v<A, NoPlace>) {
        return a;
    } else if constexpr (Axis == W::moves.rank) {
        return a;
    } else if constexpr (M < 0) {
        constexpr int next = Axis + 1 < W::moves.rank ? W::moves.axis[Axis + 1] : 0;
        return moved_back<Axis + 1, next - 1>(a, w);
    } else {
        const Move m = w.move()[W::moves_before(Axis) + M];
        if constexpr (!has_part<Axis, A>) {
            return NoPlace();
        } else if constexpr (((W::kind.cut >> Axis) & 1U) == 0) {
            Cut c{m.first > 0 ? m.extent - m.first : 0, 1, m.extent, m.extent};
            c.wraps = true;
            return moved_back<Axis, M - 1>(make_part<1>(cut<Axis, how_moved<Moving::round, 0>>(a, c)), w);
        } else {
            // What goes round begins at the lowest of the positions read, and is turned back from there.
            const index_t count = shape_of(a)[Axis];
            const index_t lowest = m.wrap == 0                ? 0
                                   : m.step > 0 || count == 0 ? m.first
                                                              : m.first + m.step * (count - 1);
            const auto spread =
                spread_out<Axis, Moving::apart, value_t<A>>(a, m.first - lowest, m.step, m.divisor, m.extent);
            if constexpr (std::is_same_v<std::remove_const_t<decltype(spread)>, NoPlace>) {
                return spread;
            } else {
                Cut c = roll_cut(m.extent, lowest);
                return moved_back<Axis, M - 1>(make_part<1>(cut<Axis, how_moved<Moving::round, 0>>(spread, c)), w);
            }
        }
    }
}

/// Where the axes of a window lie in its source: without cuts if it is whole.
template <class W>
inline constexpr std::uint64_t place_in_source = [] {
    AxisMap place;
    place.rank = W::rank;
    for (int a = 0; a < W::axes.rank; ++a) {
        if (W::axes.axis[a] != AxisMap::open) {
            place.axis[W::axes.axis[a]] = a;
        }
    }
    return place.pack();
}();

template <class T, class Part, index_t... E, class X, class A>
auto placed(const A& a, const View<T, Part, E...>& part, const X& x) {
    constexpr int rank = sizeof...(E);
    constexpr std::uint64_t place = place_of_part<Part, typename X::name_type>(rank);
    const std::intptr_t bytes = reinterpret_cast<const char*>(part.data()) - reinterpret_cast<const char*>(x.data());
    const FoundPart found =
        find_part(x.shape(), x.strides(), part.shape(), part.strides(), bytes, sizeof(typename X::storage_type), place);
    if (!found.found) {
        throw_not_placed(X::name_type::text);
    }
    return put_in_place<place, way_back<Part, typename X::name_type>, X>(a, found, x.shape());
}
template <class T, class Source, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, index_t... E, class X,
          class A>
auto placed(const A& a, const Window<T, Source, Axes, Moves, Kind, E...>& window, const X& x) {
    using W = Window<T, Source, Axes, Moves, Kind, E...>;
    constexpr int rank = W::source_rank;
    const auto whole = with_whole_axes<place_in_source<W>, rank>(a);
    const auto back = moved_back<0, (rank > 0 ? W::moves.axis[0] : 0) - 1>(whole, window);
    const WindowSource& source = window.source();
    const auto of_source =
        spread_all<Kind.cut, Moving::apart, value_t<W>>(back, FoundPart{source.first, source.step}, source.view.shape);
    if constexpr (std::is_same_v<Source, typename X::name_type>) {
        if (static_cast<const void*>(window.data()) != static_cast<const void*>(x.data()) ||
            !(source.view.shape == x.shape() && source.view.stride == x.strides())) {
            throw_not_placed(X::name_type::text);
        }
        return of_source;
    } else {
        const std::intptr_t bytes =
            reinterpret_cast<const char*>(window.data()) - reinterpret_cast<const char*>(x.data());
        constexpr std::uint64_t place = place_of_part<Source, typename X::name_type>(rank);
        const FoundPart found = find_part(x.shape(), x.strides(), source.view.shape, source.view.stride, bytes,
                                          sizeof(typename X::storage_type), place);
        if (!found.found) {
            throw_not_placed(X::name_type::text);
        }
        return put_in_place<place, way_back<Source, typename X::name_type>, X>(of_source, found, x.shape());
    }
}

/// Whether a derivative has a part that has no place.
template <class... E>
constexpr bool any_without_place(operand_types<E...>);
template <class N>
inline constexpr bool has_no_place = any_without_place(typename N::operands{});
template <>
inline constexpr bool has_no_place<NoPlace> = true;
template <class... E>
constexpr bool any_without_place(operand_types<E...>) {
    return (false || ... || has_no_place<E>);
}

template <class Tag, class Position, class T, class Name, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind,
          index_t... E>
struct Flattening<Tag, Position, Window<T, Name, Axes, Moves, Kind, E...>> {
    static constexpr auto of(const Window<T, Name, Axes, Moves, Kind, E...>& window) {
        return Pinned<Tag, typename Position::id, Window<T, Name, Axes, Moves, Kind, E...>>(window);
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
