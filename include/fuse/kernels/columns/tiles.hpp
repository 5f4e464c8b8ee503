// SPDX-License-Identifier: Apache-2.0
//
// The sizes of a tile of columns: how many threads lie along the columns, and how many share one.
#pragma once

#include "fuse/kernels/columns/ladder.hpp"
#include "fuse/kernels/launch/choice.hpp"
#include "fuse/plan/column_packing.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

inline PackedColumns packed_columns(const Layout& layout, int v) {
    return {layout.packing, layout.x_size, layout.kept_size, v};
}
/// Tiles of `threads` vectors of columns.
template <class Facts>
index_t column_tiles_of(const Facts& f, const Layout& layout, unsigned threads) {
    return packs_columns(layout.packing)
               ? packed_columns(layout, f.vector).tiles(threads)
               : ceil_div(layout.x_size, static_cast<index_t>(threads) * f.vector) * layout.kept_size;
}
/// Threads of the widest tile that there are columns for.
template <class Facts>
unsigned threads_along(const Facts& f, const Layout& layout) {
    return threads_for(packs_columns(layout.packing) ? packed_columns(layout, f.vector).tiles(1)
                                                     : ceil_div(layout.x_size, f.vector),
                       1);
}
/// Threads of a tile that its largest collective has shared memory for: what a scan brings there, each thread for itself.
template <class Facts>
unsigned most_column_threads(const Facts& f) {
    return std::bit_floor(static_cast<unsigned>(column_fold_bytes / f.fold_bytes));
}
/// The same for a fold.
template <class Facts>
unsigned most_folding_threads(const Facts& f, unsigned dim_x) {
    const auto bytes = static_cast<std::size_t>(f.fold_bytes);
    unsigned threads = max_block_threads;
    while (threads > dim_x &&
           y_reduce_scratch_bytes(dim_x, threads / dim_x, bytes, planned_block) > column_fold_bytes) {
        threads /= 2;
    }
    return threads;
}
/// Threads along the columns of a tile that is as wide as the policy allows.
template <class Facts>
unsigned widest_tile(const Facts& f, const Layout& layout, const Policy& policy) {
    return smallest(policy.column_x_threads, threads_along(f, layout));
}

/// Threads that share a column of a tile that is dim_x wide, in a block of so many.
template <class Facts>
unsigned tile_depth(const Facts& f, const Layout& layout, unsigned threads, unsigned dim_x) {
    const unsigned most = smallest(threads, most_folding_threads(f, dim_x)) / dim_x;
    const unsigned depth = smallest(most, threads_for(largest<index_t>(1, layout.walked_size), 1));
    return whole_warps(dim_x, largest(1U, depth));
}

/// The width of a tile, or that of one whose threads fold a column each alone, where no others have room to.
template <class Facts>
unsigned fold_width(const Facts& f, unsigned dim_x) {
    return most_folding_threads(f, dim_x) < 32 ? 32 : dim_x;
}

}  // namespace detail

FUSE_END_NAMESPACE
