// SPDX-License-Identifier: Apache-2.0
//
// A window: the leaf that reads a view at other places than those where it stands, shifted around (roll) or beyond its
// ends (pad). Its parts and transposes are windows again. It knows the whole view that it looks at.
#pragma once

#include "fuse/lang/axis_map.hpp"
#include "fuse/lang/part_at.hpp"
#include "fuse/lang/view.hpp"
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

}  // namespace detail

/// What a window has of its source: all elements, once each, along the axes that are not cut.
struct WindowKind {
    std::uint32_t cut = 0;  ///< bit i: axis number i of the source
    bool apart = false;     ///< others stand between them

    constexpr WindowKind cut_along(int axis) const { return {cut | 1U << axis, apart}; }
};

/// Of a view of T called Name; T is InBounds where there is no memory. Axes and Moves, packed AxisMaps: which of its own axes
/// each axis of the source is, `open` where it has none left, and how many moves there are along it. E: its own extents.
template <class T, class Name, std::uint64_t Axes, std::uint64_t Moves, WindowKind Kind, index_t... E>
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
    static constexpr WindowKind kind = Kind;
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
        using type = detail::WindowElement<T, Kind.apart, moves.axis[moved_axis(K)]...>;
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
        // Where it has one place and is stretched, every index leads there.
        for (int i = 0; i < moves.rank; ++i) {
            if (moves.axis[i] > 0 && shape_[axes.axis[i]] == 1) {
                e.move[moves_before(i + 1) - 1].step = 0;
            }
        }
        e.narrow = true;
        for (int k = 0; k < moved; ++k) {
            e.narrow = e.narrow && e.stride[k] == static_cast<std::int32_t>(e.stride[k]);
            index_t indices = shape_[axes.axis[moved_axis(k)]];
            for (int m = moves_before(moved_axis(k) + 1) - 1; m >= moves_before(moved_axis(k)); --m) {
                e.narrow = e.narrow && e.move[m].fits_32_bits(indices);
                indices = e.move[m].extent;
            }
        }
        e.data = !in_memory || source_.view.shape.size() == 0 ? nullptr : data_ + offset;
        return e;
    }

    /// Calls f(value) for all that it consists of, padding left out.
    template <class F>
    void for_each_value(const F& f) const {
        f(data_);
        f(source_.view.offset);
        f(source_.view.name);
        f(move_);
        for (const Shape* s :
             {&source_.view.shape, &source_.view.stride, &source_.first, &source_.step, &shape_, &stride_}) {
            f(s->rank);
            f(s->extent);
        }
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
    FUSE_RARE void print(Text& out) const { out << (in_memory ? name_type::text : "inside"); }

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

FUSE_END_NAMESPACE
