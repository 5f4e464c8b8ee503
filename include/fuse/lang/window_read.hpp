// SPDX-License-Identifier: Apache-2.0
//
// How a kernel reads an operand at other places than its own: where an index along an axis leads to (Move), what kernels
// know of such an operand (WindowElement), and the functions that read it (ReadWindow, InsideWindow).
#pragma once

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

    /// Outside the extent: position 0, whose element nobody uses. Divides: the divisor may be another than 1.
    template <bool Divides>
    FUSE_HD constexpr index_t position(index_t i) const {
        index_t at = first + step * i;
        if constexpr (Divides) {
            at = at < 0 ? -1 : at / divisor;
        }
        at -= at >= extent ? wrap : 0;
        return at >= 0 && at < extent ? at : 0;
    }
    /// Whether there is such a position.
    template <bool Divides>
    FUSE_HD constexpr bool inside(index_t i) const {
        const index_t at = first + step * i;
        if constexpr (Divides) {
            return at >= 0 && at < extent * divisor && at % divisor == 0;
        } else {
            return at >= 0 && at < extent;
        }
    }
};

/// The element of what has no memory: whether a position is inside.
struct InBounds {};

/// Divides: as in Move. Depth: for each axis that is moved along, by how many moves, one after the other.
template <class T, bool Divides, int... Depth>
struct WindowElement {
    static constexpr bool divides = Divides;
    static constexpr int axes = sizeof...(Depth);
    static constexpr int moves = (0 + ... + Depth);

    const T* data;  ///< null where there is no element
    index_t stride[axes + 1];
    Move move[moves + 1];

    /// Where index i along moved axis number k leads to, but for its last move if Last is false.
    template <bool Last>
    FUSE_HD constexpr index_t along(int k, index_t i) const {
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
};

}  // namespace detail

/// The element at these indices along the moved axes. Plain: the first of them is an offset in memory, which comes from the
/// other axes.
template <bool Plain>
struct ReadWindow {
    template <class T, bool Divides, int... Depth, class... I>
    FUSE_HD constexpr T operator()(const detail::WindowElement<T, Divides, Depth...>& window, I... index) const {
        const index_t at[] = {index..., 0};
        index_t offset = Plain ? at[0] : 0;
        FUSE_UNROLL
        for (int k = 0; k < static_cast<int>(sizeof...(Depth)); ++k) {
            offset += window.template along<true>(k, at[k + (Plain ? 1 : 0)]) * window.stride[k];
        }
        return window.data == nullptr ? T{} : window.data[offset];
    }
};

/// Whether an index along the one moved axis leads to a position inside.
struct InsideWindow {
    template <bool Divides, int Depth>
    FUSE_HD constexpr bool operator()(const detail::WindowElement<detail::InBounds, Divides, Depth>& window,
                                      index_t i) const {
        return window.move[0].template inside<Divides>(window.template along<false>(0, i));
    }
};

FUSE_END_NAMESPACE
