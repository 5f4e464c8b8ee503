// SPDX-License-Identifier: Apache-2.0
//
// What cutting, turning and moving do to a window, and how a view becomes one.
#pragma once

#include "fuse/lang/turn.hpp"
#include "fuse/lang/window.hpp"

// In roll and pad as well: a compiler shows the sentence after the calls that lead to it.
#define FUSE_CHECK_MOVES(E, MORE)                                                                                      \
    static_assert(                                                                                                     \
        detail::most_moves<E> + MORE <= 15,                                                                            \
        "fuse: at most 15 shifts and paddings, one of another, of one view: evaluate some into a view first")

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Of one view in an expression.
template <class... E>
constexpr int most_moves_among(operand_types<E...>);
template <class E>
inline constexpr int most_moves = most_moves_among(typename E::operands{});
template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, index_t... E>
inline constexpr int most_moves<Window<T, Name, Axes, Moves, Kind, E...>> =
    Window<T, Name, Axes, Moves, Kind, E...>::move_count;
template <class... E>
constexpr int most_moves_among(operand_types<E...>) {
    return largest(0, most_moves<E>...);
}

constexpr std::uint64_t with_entry(std::uint64_t packed, int i, int value) {
    AxisMap m = AxisMap::unpack(packed);
    m.axis[i] = value;
    return m.pack();
}
/// The axes of a window, where those of its source are, without axis number k.
constexpr std::uint64_t without_own_axis(std::uint64_t axes, int k) {
    AxisMap m = AxisMap::unpack(axes);
    for (int i = 0; i < m.rank; ++i) {
        m.axis[i] = m.axis[i] == k ? AxisMap::open : m.axis[i] - (m.axis[i] > k && m.axis[i] != AxisMap::open ? 1 : 0);
    }
    return m.pack();
}
constexpr std::uint64_t own_axes_in_order(std::uint64_t axes, std::uint64_t order) {
    AxisMap m = AxisMap::unpack(axes);
    for (int i = 0; i < m.rank; ++i) {
        m.axis[i] = m.axis[i] == AxisMap::open ? AxisMap::open : place_of(order, m.axis[i]);
    }
    return m.pack();
}

template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, class Extents,
          class Sequence = std::make_integer_sequence<int, Extents::value.rank>>
struct window_type;
template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, class Extents, int... I>
struct window_type<T, Name, Axes, Moves, Kind, Extents, std::integer_sequence<int, I...>> {
    using type = Window<T, Name, Axes, Moves, Kind, Extents::value[I]...>;
};
template <class V, int Axis, bool Keeps>
using MovedExtents = std::conditional_t<Keeps, SameExtents<V, (1U << Axis)>, DynamicAt<V, Axis>>;

/// The kind of a window that is moved along an axis of its source.
constexpr WindowKind kind_after_move(WindowKind kind, Moving way, int axis) {
    return way == Moving::round ? kind : WindowKind{kind.cut | 1U << axis, kind.apart || way == Moving::apart};
}

/// A view as a window without moves.
template <class T, class Name, index_t... E>
auto window_of(const View<T, Name, E...>& x) {
    constexpr int rank = sizeof...(E);
    constexpr std::uint64_t axes = AxisMap::trailing(rank, rank).pack();
    constexpr std::uint64_t none = AxisMap{rank, {}, true}.pack();
    WindowSource source{x.strided(), Shape{rank, {}}, Shape{rank, {}}};
    source.step.extent.fill(1);
    return Window<typename View<T, Name, E...>::storage_type, Name, axes, none, WindowKind{}, E...>(
        reinterpret_cast<const typename View<T, Name, E...>::storage_type*>(x.data()), source, x.shape(), nullptr);
}

template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, index_t... E>
struct Cutting<Window<T, Name, Axes, Moves, Kind, E...>> {
    using W = Window<T, Name, Axes, Moves, Kind, E...>;
    template <int Axis>
    static constexpr PartFault fault() {
        return PartFault::none;
    }
    template <int Axis, class How>
    static auto of(const W& x, const Cut& c) {
        constexpr int axis = W::source_axis(Axis);
        if constexpr (is_spared<Axis, How>(W::static_shape) ||
                      (!W::in_memory && W::moves.axis[axis] == 0 && !How::drop)) {
            return x;
        } else if constexpr (!W::in_memory && W::moves.axis[axis] > 0 && How::drop) {
            const auto e = x.value();
            return Scalar<bool, unnamed>(InsideWindow<>{}(e, c.first));
        } else if constexpr (How::moves) {
            return moved<Axis, How::way>(x, c);
        } else if constexpr (How::drop) {
            return dropped<Axis>(x, x.shape()[Axis] == c.extent ? c.first : 0);
        } else {
            return sliced<Axis>(x, c);
        }
    }

private:
    template <int Axis, Moving Way>
    static auto moved(const W& x, const Cut& c) {
        constexpr int axis = W::source_axis(Axis);
        constexpr int at = W::moves_before(axis) + W::moves.axis[axis];
        FUSE_CHECK_MOVES(W, 1);
        const bool own = x.shape()[Axis] == c.extent;
        Move move[W::move_count + 1];
        for (int i = 0; i <= W::move_count; ++i) {
            move[i] = i < at   ? x.move()[i]
                      : i > at ? x.move()[i - 1]
                      : own    ? Move{c.first, c.step, c.extent, c.divisor, c.wraps ? c.extent : 0}
                               : Move{};
        }
        Shape shape = x.shape();
        shape[Axis] = own ? c.count : shape[Axis];
        return
            typename window_type<T, Name, Axes, with_entry(Moves, axis, W::moves.axis[axis] + 1),
                                 kind_after_move(Kind, Way, axis),
                                 MovedExtents<W, Axis, Way == Moving::round>>::type(x.data(), x.source(), shape, move);
    }
    template <int Axis>
    static auto sliced(const W& x, const Cut& c) {
        constexpr int axis = W::source_axis(Axis);
        constexpr int last = W::moves_before(axis) + W::moves.axis[axis] - 1;
        Move move[W::move_count + 1];
        for (int i = 0; i < W::move_count; ++i) {
            move[i] = x.move()[i];
        }
        WindowSource source = x.source();
        Shape shape = x.shape();
        if (shape[Axis] == c.extent) {
            index_t& first = W::moves.axis[axis] > 0 ? move[last < 0 ? 0 : last].first : source.first[axis];
            index_t& step = W::moves.axis[axis] > 0 ? move[last < 0 ? 0 : last].step : source.step[axis];
            first += c.count > 0 ? c.first * step : 0;
            step *= c.count > 1 ? c.step : 1;
            shape[Axis] = c.count;
        }
        return typename window_type<T, Name, Axes, Moves, Kind.cut_along(axis), DynamicAt<W, Axis>>::type(
            x.data(), source, shape, move);
    }
    template <int Axis>
    static auto dropped(const W& x, index_t i) {
        constexpr int axis = W::source_axis(Axis);
        constexpr int begin = W::moves_before(axis);
        constexpr int end = begin + W::moves.axis[axis];
        for (int m = end; m-- > begin;) {
            i = x.move()[m].template position<true>(i);
        }
        Move move[W::move_count + 1];
        for (int m = 0; m < W::move_count - (end - begin); ++m) {
            move[m] = x.move()[m < begin ? m : m + end - begin];
        }
        WindowSource source = x.source();
        source.first[axis] += i * source.step[axis];
        return
            typename window_type<T, Name, without_own_axis(Axes, Axis), with_entry(Moves, axis, 0),
                                 Kind.cut_along(axis), ExtentsWithout<W, Axis>>::type(x.data(), source,
                                                                                      without(x.shape(), Axis), move);
    }
};

template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, index_t... E>
struct Turning<Window<T, Name, Axes, Moves, Kind, E...>> {
    using W = Window<T, Name, Axes, Moves, Kind, E...>;
    template <std::uint64_t Order>
    struct Extents {
        static constexpr Shape order = [] {
            const AxisMap o = AxisMap::unpack(Order);
            Shape s{o.rank, {}};
            for (int i = 0; i < o.rank; ++i) {
                s[i] = o.axis[i];
            }
            return s;
        }();
        static constexpr Shape value = permuted(W::static_shape, order);
    };
    template <class How>
    static constexpr PartFault fault() {
        return PartFault::none;
    }
    template <class How>
    static auto of(const W& x) {
        using Own = Extents<How::order>;
        return typename window_type<T, Name, own_axes_in_order(Axes, How::order), Moves, Kind, Own>::type(
            x.data(), x.source(), permuted(x.shape(), Own::order), x.move());
    }
};

template <int Axis, class How, class V>
auto moved_view(const V& x, const Cut& c) {
    const auto window = window_of(x);
    return Cutting<std::remove_const_t<decltype(window)>>::template of<Axis, How>(window, c);
}

/// Whether an index along an axis, of as many as the cut has, leads into its extent: of extent 1 along those behind.
template <int Behind, bool Divides>
auto inside_mask(const Cut& c) {
    Shape shape{Behind + 1, {}};
    shape.extent.fill(1);
    WindowSource source{{shape, Shape{Behind + 1, {}}, 0, "inside"}, Shape{Behind + 1, {}}, shape};
    source.view.shape[0] = c.extent;
    shape[0] = c.count;
    const Move move[] = {{c.first, c.step, c.extent, c.divisor, 0}, {}};
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        constexpr std::uint64_t axes = AxisMap::trailing(Behind + 1, Behind + 1).pack();
        constexpr WindowKind kind = kind_after_move({}, Divides ? Moving::apart : Moving::beyond, 0);
        constexpr std::uint64_t once = AxisMap{Behind + 1, {1}, true}.pack();
        // An address that no machine has: it overlaps nothing.
        const auto* const no_memory = reinterpret_cast<const InBounds*>(std::uintptr_t{1} << 62U);
        return Window<InBounds, unnamed, axes, once, kind, dynamic, (static_cast<void>(I), 1)...>(no_memory, source,
                                                                                                  shape, move);
    }
    (std::make_integer_sequence<int, Behind>{});
}

}  // namespace detail

FUSE_END_NAMESPACE
