// SPDX-License-Identifier: Apache-2.0
//
// How a kernel reads an operand at other places than its own: where an index along an axis leads to (Move), what kernels
// know of such an operand (WindowElement), and the functions that read it (ReadWindow, InsideWindow).
#pragma once

#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// From an index to (first + step * index) / divisor, one of `extent` positions; beyond the end `wrap` is taken off, which
/// is the extent in what goes round.
struct Move {
    index_t first = 0;
    index_t step = 1;
    index_t extent = 1;
    index_t divisor = 1;
    index_t wrap = 0;

    /// Outside the extent: position 0, whose element nobody uses. Divides: the divisor may be another than 1. I: a type that
    /// holds all that comes of it.
    template <bool Divides, class I>
    FUSE_HD constexpr I position(I i) const {
        const auto end = static_cast<I>(extent);
        I at = led_to(i);
        if constexpr (Divides) {
            at = at < 0 ? -1 : at / static_cast<I>(divisor);
        }
        at -= at >= end ? static_cast<I>(wrap) : 0;
        return at >= 0 && at < end ? at : 0;
    }
    /// Whether there is such a position.
    template <bool Divides, class I>
    FUSE_HD constexpr bool inside(I i) const {
        const I at = led_to(i);
        if constexpr (Divides) {
            const auto apart = static_cast<I>(divisor);
            return at >= 0 && at % apart == 0 && at / apart < static_cast<I>(extent);
        } else {
            return at >= 0 && at < static_cast<I>(extent);
        }
    }
    /// Whether 32 bits hold all that comes of an index below `indices`, with room for those of a vector beyond the end.
    constexpr bool fits_32_bits(index_t indices) const {
        constexpr index_t most = index_t{1} << 29;
        const bool small = first > -most && first < most && extent < most && wrap < most && divisor < most;
        return small && step > -most && step < most && indices < most && step * indices > -most &&
               step * indices < most;
    }

private:
    template <class I>
    FUSE_HD constexpr I led_to(I i) const {
        return static_cast<I>(first) + static_cast<I>(step) * i;
    }
};

/// The element of what has no memory: whether a position is inside.
struct InBounds {};

/// Divides: as in Move. Depth: for each axis that is moved along, by how many moves, one after the other.
template <class T, bool Divides, int... Depth>
struct WindowElement {
    static constexpr bool is_window = true;
    static constexpr bool divides = Divides;
    static constexpr int axes = sizeof...(Depth);
    static constexpr int moves = (0 + ... + Depth);

    const T* data;  ///< null where there is no element
    index_t stride[axes + 1];
    Move move[moves + 1];
    bool narrow;  ///< 32 bits hold indices, positions and strides

    /// Where index i along moved axis number k leads to, but for its last move if Last is false.
    template <bool Last, class I>
    FUSE_HD constexpr I along(int k, I i) const {
        constexpr int depth[] = {Depth..., 0};
        int from = 0;
        FUSE_UNROLL
        for (int axis = 0; axis < axes; ++axis) {
            from += axis < k ? depth[axis] : 0;
        }
        FUSE_UNROLL
        for (int m = moves - 1; m >= 0; --m) {
            if (m >= from + (Last ? 0 : 1) && m < from + depth[k]) {
                i = move[m].template position<Divides>(i);
            }
        }
        return i;
    }
    /// The offset of the element that indices at[k] along moved axes number k lead to. I: a type that holds what comes of them.
    template <class I>
    FUSE_HD constexpr index_t offset(const index_t* at) const {
        index_t offset = 0;
        FUSE_UNROLL
        for (int k = 0; k < axes; ++k) {
            const index_t position = along<true>(k, static_cast<I>(at[k]));
            offset += position * static_cast<I>(stride[k]);
        }
        return offset;
    }
};

/// The type of indices, positions and strides of a window.
template <bool Narrow>
using window_index = std::conditional_t<Narrow, std::int32_t, index_t>;

}  // namespace detail

/// The element at these indices along the moved axes. Plain: the first of them is an offset in memory, which comes from the
/// other axes. Narrow: the window is.
template <bool Plain, bool Narrow = false>
struct ReadWindow {
    using narrow = ReadWindow<Plain, true>;

    template <class T, bool Divides, int... Depth, class... I>
    FUSE_HD constexpr T operator()(const detail::WindowElement<T, Divides, Depth...>& window, I... index) const {
        const index_t at[] = {index..., 0};
        const index_t offset =
            (Plain ? at[0] : 0) + window.template offset<detail::window_index<Narrow>>(at + (Plain ? 1 : 0));
        return window.data == nullptr ? T{} : window.data[offset];
    }
};

/// Whether an index along the one moved axis leads to a position inside.
template <bool Narrow = false>
struct InsideWindow {
    using narrow = InsideWindow<true>;

    template <bool Divides, int Depth>
    FUSE_HD constexpr bool operator()(const detail::WindowElement<detail::InBounds, Divides, Depth>& window,
                                      index_t i) const {
        const auto index = static_cast<detail::window_index<Narrow>>(i);
        return window.move[0].template inside<Divides>(window.template along<false>(0, index));
    }
};

FUSE_END_NAMESPACE
