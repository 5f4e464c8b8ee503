// SPDX-License-Identifier: Apache-2.0
//
// A window: the leaf that reads a view at other places than those where it stands, shifted around (roll) or beyond its
// ends (pad). Its parts and transposes are windows again. It knows the whole view that it looks at.
#pragma once

#include "fuse/lang/cut.hpp"
#include "fuse/lang/turn.hpp"
#include "fuse/lang/window_read.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Element type of a window's value.
template <class T>
struct window_value {
    using type = compute_t<T>;
};
template <>
struct window_value<InBounds> {
    using type = bool;
};

/// What a window looks at, without types: a view, and for each of its axes the positions first + step * j.
struct WindowSource {
    Strided view;
    Shape first;
    Shape step;
};

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

}  // namespace detail

/// Of a view of T called Name; T is InBounds where there is no memory. Axes and Moves, packed AxisMaps: which of its own axes
/// each axis of the source is, `open` where it has none left, and how many moves there are along it. Whole: each element of
/// the source stands in it once. E: its own extents.
template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, bool Whole, index_t... E>
class [[nodiscard]] Window : public node_base {
public:
    using element_type = const T;
    using storage_type = T;
    using value_type = typename detail::window_value<T>::type;
    using name_type = typename detail::name_of_part<Name>::type;
    using source_name = Name;
    static constexpr int source_rank = AxisMap::unpack(Axes).rank;
    static constexpr int rank = sizeof...(E);
    static constexpr int positions = 1;
    static constexpr bool reads = true;
    static constexpr Shape static_shape{rank, {E...}};
    static constexpr bool in_memory = !std::is_same_v<T, detail::InBounds>;
    static constexpr bool whole = Whole;
    static constexpr AxisMap axes = AxisMap::unpack(Axes);
    static constexpr AxisMap moves = AxisMap::unpack(Moves);
    /// Where the moves along an axis of the source begin.
    static constexpr int moves_before(int axis) {
        int n = 0;
        for (int i = 0; i < axis; ++i) {
            n += moves.axis[i];
        }
        return n;
    }
    static constexpr int move_count = moves_before(moves.rank);
    static_assert(move_count < 16, "fuse: at most 15 shifts and paddings, one of another, of one view");
    /// The axis of the source that is its own axis k.
    static constexpr int source_axis(int k) {
        int i = 0;
        while (axes.axis[i] != k) {
            ++i;
        }
        return i;
    }
    /// Moved axis number k, in the order of the source's; how many there are, for k = -1.
    static constexpr int moved_axis(int k) {
        int n = 0;
        for (int i = 0; i < moves.rank; ++i) {
            if (moves.axis[i] > 0 && n++ == k) {
                return i;
            }
        }
        return n;
    }
    static constexpr int moved = moved_axis(-1);

    Window(const T* data, const detail::WindowSource& source, const Shape& shape, const detail::Move* move)
        : data_(data), source_(source), shape_(shape), stride_{rank, {}} {
        for (int i = 0; i < move_count; ++i) {
            move_[i] = move[i];
        }
        find_strides();
    }

    /// Of the whole source.
    const T* data() const { return data_; }
    const detail::Strided& memory() const { return source_.view; }
    const detail::WindowSource& source() const { return source_; }
    const Shape& shape() const { return shape_; }
    /// Along the axes without moves; 0 along others.
    const Shape& strides() const { return stride_; }
    index_t extent(int axis) const { return shape_[axis]; }
    const detail::Move* move() const { return move_; }

    /// What kernels get.
    template <class Sequence = std::make_integer_sequence<int, moved>>
    struct element_of;
    template <int... K>
    struct element_of<std::integer_sequence<int, K...>> {
        using type = detail::WindowElement<T, moves.axis[moved_axis(K)]...>;
    };
    using element = typename element_of<>::type;
    FUSE_COLD element value() const {
        element e{};
        index_t offset = 0;
        for (int i = 0; i < source_.view.shape.rank; ++i) {
            offset += source_.first[i] * source_.view.stride[i];
        }
        for (int k = 0; k < moved; ++k) {
            e.stride[k] = source_.step[moved_axis(k)] * source_.view.stride[moved_axis(k)];
        }
        for (int i = 0; i < move_count; ++i) {
            e.move[i] = move_[i];
        }
        e.data = !in_memory || source_.view.shape.size() == 0 ? nullptr : data_ + offset;
        return e;
    }

    /// Another view of the same shape in the place of its source.
    template <class V>
    void take_source(const V& x) {
        data_ = reinterpret_cast<const T*>(x.data());
        source_.view.stride = x.strides();
        find_strides();
    }

    constexpr auto with() const { return *this; }
    FUSE_PART_AT(Window)
    FUSE_COLD void print(Text& out) const { out << (in_memory ? name_type::text : "inside"); }

private:
    FUSE_COLD void find_strides() {
        for (int i = 0; i < source_.view.shape.rank; ++i) {
            if (axes.axis[i] != AxisMap::open) {
                stride_[axes.axis[i]] = moves.axis[i] > 0 ? 0 : source_.step[i] * source_.view.stride[i];
            }
        }
    }

    const T* data_;
    detail::WindowSource source_;
    Shape shape_;
    Shape stride_;
    detail::Move move_[move_count + 1];
};

namespace detail {

template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, bool Whole, class Extents,
          class Sequence = std::make_integer_sequence<int, Extents::value.rank>>
struct window_type;
template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, bool Whole, class Extents, int... I>
struct window_type<T, Name, Axes, Moves, Whole, Extents, std::integer_sequence<int, I...>> {
    using type = Window<T, Name, Axes, Moves, Whole, Extents::value[I]...>;
};
template <class V, int Axis, bool Keeps>
using MovedExtents = std::conditional_t<Keeps, SameExtents<V>, DynamicAt<V, Axis>>;

/// A view as a window without moves.
template <class T, class Name, index_t... E>
auto window_of(const View<T, Name, E...>& x) {
    constexpr int rank = sizeof...(E);
    constexpr std::uint64_t axes = AxisMap::trailing(rank, rank).pack();
    constexpr std::uint64_t none = AxisMap{rank, {}, true}.pack();
    WindowSource source{x.strided(), Shape{rank, {}}, Shape{rank, {}}};
    source.step.extent.fill(1);
    return Window<typename View<T, Name, E...>::storage_type, Name, axes, none, true, E...>(
        reinterpret_cast<const typename View<T, Name, E...>::storage_type*>(x.data()), source, x.shape(), nullptr);
}

template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, bool Whole, index_t... E>
struct Cutting<Window<T, Name, Axes, Moves, Whole, E...>> {
    using W = Window<T, Name, Axes, Moves, Whole, E...>;
    template <int Axis, bool Slices>
    static constexpr PartFault fault() {
        return PartFault::none;
    }
    template <int Axis, class How>
    static auto of(const W& x, const Cut& c) {
        constexpr int axis = W::source_axis(Axis);
        if constexpr (!W::in_memory && W::moves.axis[axis] == 0 && !How::drop) {
            return x;
        } else if constexpr (!W::in_memory && W::moves.axis[axis] > 0 && How::drop) {
            const auto e = x.value();
            return Scalar<bool, unnamed>(InsideWindow{}(e, c.first));
        } else if constexpr (How::moves) {
            return moved<Axis, How::keeps>(x, c);
        } else if constexpr (How::drop) {
            return dropped<Axis>(x, x.shape()[Axis] == c.extent ? c.first : 0);
        } else {
            return sliced<Axis>(x, c);
        }
    }

private:
    template <int Axis, bool Keeps>
    static auto moved(const W& x, const Cut& c) {
        constexpr int axis = W::source_axis(Axis);
        constexpr int at = W::moves_before(axis) + W::moves.axis[axis];
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
        return typename window_type<T, Name, Axes, with_entry(Moves, axis, W::moves.axis[axis] + 1), Whole && Keeps,
                                    MovedExtents<W, Axis, Keeps>>::type(x.data(), x.source(), shape, move);
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
        return typename window_type<T, Name, Axes, Moves, false, DynamicAt<W, Axis>>::type(x.data(), source, shape, move);
    }
    template <int Axis>
    static auto dropped(const W& x, index_t i) {
        constexpr int axis = W::source_axis(Axis);
        constexpr int begin = W::moves_before(axis);
        constexpr int end = begin + W::moves.axis[axis];
        for (int m = end; m-- > begin;) {
            i = x.move()[m].position(i);
        }
        Move move[W::move_count + 1];
        for (int m = 0; m < W::move_count - (end - begin); ++m) {
            move[m] = x.move()[m < begin ? m : m + end - begin];
        }
        WindowSource source = x.source();
        source.first[axis] += i * source.step[axis];
        return typename window_type<T, Name, without_own_axis(Axes, Axis), with_entry(Moves, axis, 0), false,
                                    ExtentsWithout<W, Axis>>::type(x.data(), source, without(x.shape(), Axis), move);
    }
};

template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, bool Whole, index_t... E>
struct Turning<Window<T, Name, Axes, Moves, Whole, E...>> {
    using W = Window<T, Name, Axes, Moves, Whole, E...>;
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
    template <std::uint64_t Order>
    static constexpr PartFault fault() {
        return PartFault::none;
    }
    template <std::uint64_t Order, int Time>
    static auto of(const W& x) {
        return typename window_type<T, Name, own_axes_in_order(Axes, Order), Moves, Whole, Extents<Order>>::type(
            x.data(), x.source(), permuted(x.shape(), Extents<Order>::order), x.move());
    }
};

template <int Axis, class How, class V>
auto moved_view(const V& x, const Cut& c) {
    const auto window = window_of(x);
    return Cutting<std::remove_const_t<decltype(window)>>::template of<Axis, How>(window, c);
}

/// Whether an index along an axis, of as many as the cut has, leads into its extent: of extent 1 along those behind.
template <int Behind>
auto inside_mask(const Cut& c) {
    Shape shape{Behind + 1, {}};
    shape.extent.fill(1);
    WindowSource source{{shape, Shape{Behind + 1, {}}, 0, "inside"}, Shape{Behind + 1, {}}, shape};
    source.view.shape[0] = c.extent;
    shape[0] = c.count;
    const Move move[] = {{c.first, c.step, c.extent, c.divisor, 0}, {}};
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        constexpr std::uint64_t axes = AxisMap::trailing(Behind + 1, Behind + 1).pack();
        constexpr std::uint64_t once = AxisMap{Behind + 1, {1}, true}.pack();
        // An address that no machine has: it overlaps nothing.
        const auto* const no_memory = reinterpret_cast<const InBounds*>(std::uintptr_t{1} << 62U);
        return Window<InBounds, unnamed, axes, once, false, dynamic, (static_cast<void>(I), 1)...>(no_memory, source, shape, move);
    }
    (std::make_integer_sequence<int, Behind>{});
}

}  // namespace detail

FUSE_END_NAMESPACE
