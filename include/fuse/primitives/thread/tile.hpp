// SPDX-License-Identifier: Apache-2.0
//
// A 2-D tile: what a block reads or writes of an array with two strides. A thread owns NX x NY items of it, dim_x and
// dim_y apart, so that neighbouring threads always touch neighbouring items:
//     register iy * NX + ix of thread (tx, ty)   is   item (tx + ix * dim_x, ty + iy * dim_y) of the tile.
// Which of them exist is counted once per thread and direction, in 64 bits; from then on a check is one comparison of
// small integers, and no address of an item that does not exist is ever formed.
#pragma once

#include "fuse/ops/types/compute_type.hpp"
#include "fuse/primitives/machine/thread_block.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

/// Sizes and strides of a tile, all in items. A size counts what is left of the array from the tile's first item on:
/// more than the block covers, less, or nothing (zero or negative). A stride may be zero or negative.
struct TileShape {
    index_t size_x;
    index_t size_y;
    index_t stride_x;
    index_t stride_y;

    /// Items from the tile's first item to item (x, y).
    FUSE_HD constexpr index_t offset(index_t x, index_t y) const { return x * stride_x + y * stride_y; }

    /// The tile that begins at item (x, y) of this one.
    FUSE_HD constexpr TileShape from(index_t x, index_t y) const {
        return {size_x - x, size_y - y, stride_x, stride_y};
    }
};

/// Which of a thread's NX x NY registers hold items that exist: the first `x` columns of the first `y` rows.
template <int NX, int NY>
struct TileCount {
    int x;
    int y;

    FUSE_HD constexpr bool holds(int ix, int iy) const { return ix < x && iy < y; }
};

namespace detail {

/// How many of first, first + step, ..., N of them, are below `size`.
template <int N>
FUSE_HD constexpr int strided_count(unsigned first, unsigned step, index_t size) {
    int count = 0;
    FUSE_UNROLL
    for (int i = 0; i < N; ++i) {
        count += first + static_cast<index_t>(i) * step < size ? 1 : 0;
    }
    return count;
}

/// The count that says what is known at compile time: without a boundary every register holds an item.
template <int NX, int NY, bool IsBoundary, ThreadBlock B>
FUSE_HD TileCount<NX, NY> count_items(B& block, index_t size_x, index_t size_y) {
    if constexpr (IsBoundary) {
        return {strided_count<NX>(block.thread_x(), block.dim_x(), size_x),
                strided_count<NY>(block.thread_y(), block.dim_y(), size_y)};
    } else {
        return {NX, NY};
    }
}

/// Between memory and registers: unchanged, or through the compute type and rounded once.
template <class To, class From>
FUSE_HD constexpr To convert_item(const From& item) {
    if constexpr (std::is_same_v<To, From>) {
        return item;
    } else {
        return bit_cast<To>(from_compute<To>(to_compute(item)));
    }
}

}  // namespace detail

/// Column of register column ix in the tile.
template <ThreadBlock B>
FUSE_HD index_t tile_x(B& block, int ix) {
    return block.thread_x() + static_cast<index_t>(ix) * block.dim_x();
}

/// Row of register row iy in the tile.
template <ThreadBlock B>
FUSE_HD index_t tile_y(B& block, int iy) {
    return block.thread_y() + static_cast<index_t>(iy) * block.dim_y();
}

/// This thread's share of a tile, for primitives that must leave out items that do not exist (see ElementwiseAny).
template <int NX, int NY, ThreadBlock B>
FUSE_HD TileCount<NX, NY> tile_count(B& block, const TileShape& tile) {
    return detail::count_items<NX, NY, true>(block, tile.size_x, tile.size_y);
}

FUSE_END_NAMESPACE
