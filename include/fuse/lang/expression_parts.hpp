// SPDX-License-Identifier: Apache-2.0
//
// Parts of expressions, by the functions that take views apart: (x * 2)[0], slice<1>(softmax(x), 0, 10), flip(x + y).
// They are expressions of parts of the views, so that nothing is computed that is left out, and nothing is stored. What
// counts positions (index<>, random numbers) or runs along the axis (scans, sorts) has no such part and is refused.
#pragma once

#include "fuse/lang/framed_parts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// An expression that is no view: those have parts of their own.
template <class E>
concept Formula = Expression<E> && !is_view<E>;

template <int Axis, class E>
constexpr PartFault part_fault() {
    if constexpr (axis_inside_rank<Axis, E::rank>) {
        return cut_fault<axis_of<Axis, E::rank>, E>();
    } else {
        return PartFault::none;
    }
}
template <int Axis, class E>
inline constexpr bool has_part = axis_inside_rank<Axis, E::rank>&& part_fault<Axis, E>() == PartFault::none;

FUSE_RARE inline Text text_of(ErasedNode e) {
    Text text;
    e.print(text);
    return text;
}

/// Index i along an axis of e.
FUSE_COLD inline Cut index_cut(const Shape& shape, ErasedNode e, int axis, index_t i) {
    const index_t extent = shape[axis];
    if (i >= extent || i < -extent) {
        throw_outside(shape, text_of(e).c_str(), axis, i);
    }
    return {i < 0 ? i + extent : i, 1, 1, extent};
}
/// numpy's x[start:stop:step].
FUSE_COLD inline Cut slice_cut(const Shape& shape, ErasedNode e, int axis, SliceBound start, SliceBound stop,
                               index_t step) {
    const Text text = step == 0 ? text_of(e) : Text();
    Shape one = shape;
    one.extent.fill(1);
    const Strided s = slice({shape, one, 0, text.c_str()}, axis, start, stop, step);
    return {s.offset, s.stride[axis], s.shape[axis], shape[axis]};
}
FUSE_COLD inline Cut squeeze_cut(const Shape& shape, ErasedNode e, int axis) {
    if (shape[axis] != 1) {
        squeeze(Strided{shape, shape, 0, text_of(e).c_str()}, axis);
    }
    return {};
}
/// An axis of extent 1 that comes from keepdims or expand_dims cannot lose its element.
FUSE_COLD inline void check_cut(const Shape& part, ErasedNode e, const Shape& whole, int axis, const Cut& c) {
    if (part[axis] != c.count) {
        throw shape_error(Text() << "slice of " << text_of(e) << whole << ": axis " << axis
                                 << " is that of no view, which could have no elements. Evaluate it into a view first");
    }
}

template <class E>
inline constexpr bool is_part = false;
template <class E, int Cuts>
inline constexpr bool is_part<Part<E, Cuts>> = true;

/// How: how_cut.
template <int Axis, class How, class E>
auto part_of_expression(const E& e, const Cut& c) {
    if constexpr (is_part<E>) {
        return cut<Axis, How>(e, c);
    } else {
        return make_part<1>(cut<Axis, How>(e, c));
    }
}
template <int Axis, class E>
auto part_at(const E& e, index_t i) {
    if constexpr (has_part<Axis, E>) {
        constexpr int axis = axis_of<Axis, E::rank>;
        return part_of_expression<axis, how_cut<true, 0>>(e, index_cut(shape_of(e), erase(e), axis, i));
    } else {
        return refused();
    }
}
/// The axes of a flip: all if none is given.
template <class Sequence>
struct flip_axes;
template <int... Axis>
struct flip_axes<std::integer_sequence<int, Axis...>> : axes_t<Axis...> {
    /// The first along which E has no part; the first of all if it has all.
    template <class E>
    static constexpr int first_refused = [] {
        constexpr int axes[] = {Axis..., 0};
        constexpr bool has[] = {has_part<Axis, E>..., false};
        for (std::size_t i = 0; i < sizeof...(Axis); ++i) {
            if (!has[i]) {
                return axes[i];
            }
        }
        return axes[0];
    }();
};
template <int Rank, int... Axis>
using chosen_axes = flip_axes<std::conditional_t<sizeof...(Axis) == 0, std::make_integer_sequence<int, Rank>,
                                                 std::integer_sequence<int, Axis...>>>;
/// Backwards along the axes in Mask.
template <std::uint32_t Mask, class E>
auto flipped(const E& e) {
    if constexpr (Mask == 0) {
        return e;
    } else {
        constexpr int axis = std::countr_zero(Mask);
        const index_t n = shape_of(e)[axis];
        return flipped<Mask&(Mask - 1)>(
            part_of_expression<axis, how_cut<false, 0, true>>(e, {n > 0 ? n - 1 : 0, -1, n, n}));
    }
}

template <int Rank, int... Axis>
inline constexpr bool is_order = (sizeof...(Axis) == 0 || sizeof...(Axis) == Rank) &&
                                 is_permutation(axis_order<Rank, Axis...>, Rank);
/// As turn.hpp has it; that of one axis where it is none.
template <int Rank, int... Axis>
inline constexpr std::uint64_t packed_order = [] {
    AxisMap order = AxisMap::trailing(Rank, Rank);
    for (int i = 0; i < Rank && is_order<Rank, Axis...>; ++i) {
        order.axis[i] = static_cast<int>(axis_order<Rank, Axis...>[i]);
    }
    return order.pack();
}();
/// How: how_turned.
template <class How, class E>
auto turned_expression(const E& e) {
    const auto result = turn<How>(e);
    if constexpr (is_part<E> || How::stays) {
        return result;
    } else {
        return make_part<1>(result);
    }
}

}  // namespace detail

/// The part of an expression at index i along an axis, without that axis. Throws argument_error where it has no such
/// index; this and all functions of this file throw shape_error where its operands do not broadcast.
template <int Axis, detail::Formula E, std::integral I>
auto select(const E& e, I i) {
    FUSE_CHECK_PART(Axis, E);
    return detail::part_at<Axis>(e, static_cast<index_t>(i));
}
/// Row i of a matrix: e[i].
template <detail::Formula E, std::integral I>
auto row(const E& e, I i) {
    static_assert(E::rank == 2, "fuse: row and column take a matrix; select<Axis>(x, i) takes any");
    FUSE_CHECK_PART(0, E);
    return detail::part_at<0>(e, static_cast<index_t>(i));
}
/// Column i of a matrix.
template <detail::Formula E, std::integral I>
auto column(const E& e, I i) {
    static_assert(E::rank == 2, "fuse: row and column take a matrix; select<Axis>(x, i) takes any");
    FUSE_CHECK_PART(-1, E);
    return detail::part_at<-1>(e, static_cast<index_t>(i));
}
/// e[start:stop:step] of numpy along an axis, as slice of a view. Throws argument_error for a step of 0, and shape_error
/// where nothing is left of an axis that keepdims or expand_dims made.
template <int Axis, detail::Formula E>
auto slice(const E& e, detail::SliceBound start, detail::SliceBound stop, index_t step = 1) {
    FUSE_CHECK_PART(Axis, E);
    if constexpr (detail::has_part<Axis, E>) {
        constexpr int axis = detail::axis_of<Axis, E::rank>;
        const Shape shape = shape_of(e);
        const detail::Cut c = detail::slice_cut(shape, detail::erase(e), axis, start, stop, step);
        // Where leaves of one element are all that the axis has, they may be left with none.
        constexpr bool spares = detail::static_shape<E>[axis] != 1;
        const auto result = detail::part_of_expression<axis, detail::how_cut<false, 0, spares>>(e, c);
        detail::check_cut(shape_of(result), detail::erase(e), shape, axis, c);
        return result;
    } else {
        return detail::refused();
    }
}
/// e backwards along these axes, all of them if none is given (numpy.flip).
template <int... Axis, detail::Formula E>
auto flip(const E& e) {
    using chosen = detail::chosen_axes<E::rank, Axis...>;
    if constexpr (chosen::count == 0) {
        return e;
    } else {
        FUSE_CHECK_PART(chosen::template first_refused<E>, E);
        if constexpr (detail::has_part<chosen::template first_refused<E>, E>) {
            return detail::flipped<chosen::template mask<E::rank>()>(e);
        } else {
            return detail::refused();
        }
    }
}
/// e with its axes in this order, reversed if none is given (numpy.transpose), as transpose of a view. The views in it
/// are read along other axes.
template <int... Axis, detail::Formula E>
auto transpose(const E& e) {
    static_assert(detail::is_order<E::rank, Axis...>,
                  "fuse: transpose takes each axis of the expression once, or none: it then reverses their order");
    constexpr std::uint64_t order = detail::packed_order<E::rank, Axis...>;
    using How = detail::turn_of<order, E>;
    constexpr detail::PartFault fault = detail::turn_fault<How, E>();
    static_assert(fault != detail::PartFault::counts,
                  "fuse: index<>() and random numbers count in the expression as it is: evaluate it into a view first");
    static_assert(fault != detail::PartFault::runs,
                  "fuse: a sort runs along the last axis: evaluate it into a view first, and transpose that");
    if constexpr (fault == detail::PartFault::none) {
        return detail::turned_expression<How>(e);
    } else {
        return detail::refused();
    }
}
/// e without an axis of extent 1 (numpy.squeeze). Throws shape_error where it has another extent.
template <int Axis, detail::Formula E>
auto squeeze(const E& e) {
    FUSE_CHECK_PART(Axis, E);
    if constexpr (detail::has_part<Axis, E>) {
        constexpr int axis = detail::axis_of<Axis, E::rank>;
        return detail::part_of_expression<axis, detail::how_cut<true, 0>>(
            e, detail::squeeze_cut(shape_of(e), detail::erase(e), axis));
    } else {
        return detail::refused();
    }
}

FUSE_END_NAMESPACE
