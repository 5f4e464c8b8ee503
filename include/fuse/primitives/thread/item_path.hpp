// SPDX-License-Identifier: Apache-2.0
//
// ItemPath: where the consecutive items lie that a thread reads or writes of an operand, along one axis or several merged
// ones, with any strides. How a pack moves follows from it: in wide accesses where the launch has found them possible, by
// one stride where one axis is in use, else item by item.
#pragma once

#include "fuse/primitives/thread/dims.hpp"

FUSE_BEGIN_NAMESPACE

/// How many items from item i on, at least one, lie along the innermost of several axes.
template <class D>
FUSE_HD index_t run_from(const D& dims, index_t i) {
    const auto& inner = dims.extent[std::extent_v<decltype(dims.extent)> - 1];
    return static_cast<index_t>(inner.divisor()) -
           static_cast<index_t>(inner.divmod(static_cast<std::uint64_t>(i)).remainder);
}

/// How packs lie along a path. What is promised leaves other ways of moving uncompiled, and the branches to them.
enum class Packs {
    any,        ///< in every way
    whole,      ///< vectors, or along several axes one item each that all of a pack share (step 0); inside or outside
    vectors,    ///< vectors
    backwards,  ///< in every way, and vectors from their last item in memory to the first; along one axis
};

/// Narrow: a promise that it has fewer than 2^31 items where several axes are in use.
template <int N, Packs Lie = Packs::any, bool Narrow = false>
struct ItemPath {
    const NarrowDims<N>& dims;
    const index_t (&strides)[N];  ///< in items
    index_t step;                 ///< the stride of the innermost axis in use
    bool vector;                  ///< a pack's items are contiguous, and at pack_alignment<T, V>
    bool linear;                  ///< items lie `step` apart over all axes in use, as where that is one

    /// Also along one axis without a branch.
    static constexpr bool straight = N > 1 && Narrow&& Lie == Packs::vectors;

    FUSE_HD bool one_axis() const { return !straight && (N == 1 || linear); }
    FUSE_HD bool in_vectors() const { return Lie == Packs::whole || Lie == Packs::vectors || vector; }

    /// From the operand's first item to item i.
    FUSE_HD index_t operator()(index_t i) const { return one_axis() ? i * step : offset(i); }
    /// The same for the first item of a vector: no product.
    FUSE_HD index_t of_vector(index_t i) const { return one_axis() ? i : offset(i); }
    /// The same for the first in memory of V items, the last of a path that goes backwards.
    template <int V>
    FUSE_HD index_t of_pack(index_t i) const {
        return Lie == Packs::backwards ? -i - (V - 1) : of_vector(i);
    }

    FUSE_HD index_t run_from(index_t i) const {
        if constexpr (N > 1 && Narrow) {
            const auto& inner = dims.narrow[N - 1];
            return static_cast<index_t>(inner.divisor() - inner.divmod(static_cast<std::uint32_t>(i)).remainder);
        } else {
            return fuse::run_from(dims, i);
        }
    }

private:
    FUSE_HD index_t offset(index_t i) const {
        if constexpr (N > 1 && Narrow) {
            return detail::offset_by(dims.narrow, strides, static_cast<std::uint32_t>(i));
        } else {
            return offset_of(dims, strides, i);
        }
    }
};

/// Calls run(k, end, offset, stride) for the pieces k .. end - 1 of `count` items from `first` on that lie `stride` apart,
/// the first of them at `offset`; count may be 0 or less. A host thread has many items at once: it divides once for all
/// that lie along the innermost axis. Of a device each thread has few, and all divide at once.
template <int N, Packs Lie, bool Narrow, class Run>
FUSE_HD void for_runs_along(const ItemPath<N, Lie, Narrow>& path, index_t first, index_t count, Run&& run) {
    if (count <= 0) {
        return;
    }
    if (path.one_axis()) {
        return run(0, count, first * path.step, path.step);
    }
    for (index_t k = 0; k < count;) {
        const index_t end = k + path.run_from(first + k);
        run(k, end < count ? end : count, path(first + k), path.strides[N - 1]);
        k = end;
    }
}

FUSE_END_NAMESPACE
