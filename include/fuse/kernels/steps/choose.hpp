// SPDX-License-Identifier: Apache-2.0
//
// The launch of one step. All steps of a launch have blocks of so many threads, in shapes of their own. Facts are
// ProgramFacts: a program without steps reads templates, and does not compile them.
#pragma once

#include "fuse/kernels/columns/tiles.hpp"
#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/steps/ladder.hpp"
#include "fuse/plan/one_pass.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whole warps, and a power of two: steps divide them among rows or columns, and none may be left over.
inline unsigned step_threads(const Policy& policy) {
    return std::bit_floor(static_cast<unsigned>(limited(policy.row_block_threads, 32, most_walk_threads)));
}
/// A policy for blocks of `times` as many threads, and of so many at the most.
inline Policy with_step_threads(Policy policy, unsigned most, unsigned times = 1) {
    policy.row_block_threads = smallest(times * step_threads(policy), most);
    return policy;
}

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
bool choose_walk(Launch& l, const Facts& f, const Layout& layout, const Policy& policy, const Device& device, int held);
template <class Facts>
bool choose_beside(Launch& l, const Facts& f, const Layout& layout, const Launch& walk, const Layout& rows,
                   const Device& device);

#else

/// Rows: a few lanes each, a warp, or a block; held in registers if several sweeps read them and they fit.
template <class Facts>
FUSE_COLD Launch choose_rows_step(const Facts& f, const Layout& layout, const Policy& policy, const Device& device,
                                  bool may_hold) {
    const unsigned threads = step_threads(policy);
    const index_t vectors = largest<index_t>(1, ceil_div(layout.walked_size, f.vector));
    const index_t filling = static_cast<index_t>(device.units) * device.threads_per_unit / 2;
    Launch l;
    l.name = "rows swept";
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.rereads = true;
    // A warp, or more where each thread has two turns, or where the device has places left for them.
    l.dim_x = largest(smallest(32U, threads_for(vectors, 2)), threads_for(vectors, 2 * l.vectors));
    while (vectors > 64 && l.dim_x < vectors && layout.kept_size * l.dim_x < filling) {
        l.dim_x *= 2;
    }
    l.dim_x = smallest(l.dim_x, threads);
    const bool whole =
        layout.vectors && !layout.stretched && layout.walked_size % f.vector == 0 && layout.walked_size > 0;
    if (may_hold && whole && vectors <= static_cast<index_t>(threads) * held_step_vectors) {
        // As few lanes as can hold a row: the more loads each has in flight, and the more rows meet at a barrier.
        l.name = "rows resident";
        l.dim_x = smallest(threads, threads_for(vectors, held_step_vectors));
        l.kernel = static_cast<int>(StepKernels::other);
        l.vectors = held_step_vectors;
        l.rereads = false;
    }
    l.dim_y = threads / l.dim_x;
    l.grid = limited(ceil_div(layout.kept_size, l.dim_y), 1, max_grid);
    return l;
}

/// Few long rows, or everything: `group` blocks share each.
template <class Facts>
FUSE_COLD Launch choose_split_step(const Facts& f, const Layout& layout, const Policy& policy, const Device& device,
                                   StepKernels kernel) {
    const unsigned threads = step_threads(policy);
    const index_t rows = layout.kept_size;
    const index_t vectors = largest<index_t>(1, ceil_div(layout.walked_size, f.vector));
    const index_t bytes = layout.walked_size * f.item_bytes;
    Launch l;
    l.kernel = static_cast<int>(kernel);
    l.name = "split";
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.dim_x = threads;
    l.row = layout.walked_size;
    const index_t blocks = resident_blocks(policy, device);
    const index_t most = largest<index_t>(1, blocks / largest<index_t>(1, rows));
    const index_t least = limited(ceil_div(vectors, static_cast<index_t>(threads) * longest_share), 1,
                                  largest<index_t>(1, most_waves * blocks / largest<index_t>(1, rows)));
    l.group = largest(least, limited(ceil_div(bytes, policy.full_min_bytes), 1, most));
    l.share = ceil_div(l.row, l.group);
    l.grid = l.group * rows;
    return l;
}
/// Whether rows are long, and too few for a block each.
template <class Facts>
bool shares_rows(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    return layout.kept_size > 0 && layout.kept_size < 2 * static_cast<index_t>(device.units) &&
           layout.walked_size * f.item_bytes > policy.split_min_bytes;
}

/// Threads along the columns: narrow tiles while even shared by many blocks each they leave some of `wanted` without. Short
/// vectors need more threads for what is read well.
template <class Facts>
FUSE_COLD unsigned tile_width(const Facts& f, const Layout& layout, const Policy& policy, index_t wanted) {
    constexpr index_t many = 64;
    const unsigned narrowest = policy.column_min_x_threads * (f.buffered_bytes <= 8 ? 2U : 1U);
    unsigned threads = widest_tile(f, layout, policy);
    while (threads > narrowest && column_tiles_of(f, layout, threads) * many < wanted) {
        threads /= 2;
    }
    return threads;
}

/// Tiles of columns: each one block's, which takes them one after the other, or where that leaves places empty, shared by
/// as many blocks as there are places for.
template <class Facts>
FUSE_COLD Launch choose_columns_step(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    constexpr index_t least = 4;  // elements of a column per thread of one of several blocks
    const unsigned threads = step_threads(policy);
    const index_t n = layout.walked_size;
    const index_t wanted = resident_blocks(policy, device);
    Launch l;
    l.name = "columns swept";
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.rereads = true;
    l.dim_x = std::bit_floor(smallest(threads, tile_width(f, layout, policy, wanted)));
    // Threads of a column fold what they have through shared memory; where that is too much, each has its own columns.
    if (most_folding_threads(f, l.dim_x) < threads) {
        l.dim_x = threads;
    }
    l.dim_y = threads / l.dim_x;
    const index_t all = column_tiles_of(f, layout, l.dim_x);
    const index_t tiles = largest<index_t>(1, all);
    index_t group = limited(ceil_div(n, static_cast<index_t>(l.dim_y) * least), 1, largest<index_t>(1, wanted / tiles));
    group = largest(group, limited(ceil_div(n, static_cast<index_t>(l.dim_y) * longest_share), 1,
                                   largest<index_t>(1, most_waves * wanted / tiles)));
    if (group > 1) {
        l.name = "column split";
        l.kernel = static_cast<int>(StepKernels::other);
        l.rereads = false;
        l.row = n;
        l.share = ceil_div(n, group);
        l.group = ceil_div(n, l.share);
    }
    l.grid = limited(l.group * all, 0, max_grid);
    return l;
}
/// The same where each tile is one block's, also of scans.
template <class Facts>
FUSE_COLD Launch choose_strips_step(const Facts& f, const Layout& layout, const Policy& policy, int vectors) {
    const unsigned threads = step_threads(policy);
    Launch l;
    l.name = f.scan ? "scan columns" : "columns swept";
    l.vector = f.vector;
    l.vectors = vectors;
    l.rereads = !f.scan;
    const unsigned most = f.scan ? most_column_threads(f) : most_folding_threads(f, policy.column_min_x_threads);
    const unsigned narrow = smallest(policy.column_min_x_threads, threads_for(ceil_div(layout.x_size, f.vector), 1));
    l.dim_x = most < threads ? threads : std::bit_floor(static_cast<unsigned>(limited(narrow, 1, threads)));
    l.dim_y = threads / l.dim_x;
    l.grid = limited(column_tiles_of(f, layout, l.dim_x), 1, max_grid);
    return l;
}

/// Scans along rows.
template <class Facts>
FUSE_COLD Launch choose_scan_step(const Facts& f, const Layout& layout, const Policy& policy, int vectors) {
    const unsigned threads = step_threads(policy);
    Launch l;
    l.name = "scan rows";
    l.vector = f.vector;
    l.vectors = vectors;
    const unsigned lanes = threads_for(layout.walked_size, static_cast<index_t>(f.vector) * vectors);
    l.dim_x = lanes <= 32 ? largest(1U, lanes) : threads;
    l.dim_y = threads / l.dim_x;
    l.grid = limited(ceil_div(layout.kept_size, l.dim_y), 1, max_grid);
    return l;
}

/// Blocks of a walk that a device has at a time: as many as threads have registers for.
inline index_t walking_blocks(unsigned threads, const Device& device) {
    return static_cast<index_t>(device.units) * (threads > most_step_threads ? 1 : 2);
}
/// A walk along rows, with columns on the way: as few lanes as can hold a row, or where rows are few as have most_held_items
/// each. False: they cannot hold it.
template <class Facts>
FUSE_COLD bool choose_walk(Launch& l, const Facts& f, const Layout& layout, const Policy& policy, const Device& device,
                           int held) {
    constexpr index_t few_turns = 8;
    const unsigned threads = step_threads(policy);
    const index_t vectors = layout.walked_size / f.vector;
    if (!layout.vectors || layout.stretched || vectors * f.vector != layout.walked_size || vectors == 0 ||
        vectors > static_cast<index_t>(threads) * held) {
        return false;
    }
    l = Launch();
    l.name = "rows and columns";
    l.kernel = static_cast<int>(StepKernels::one_pass);
    l.vector = f.vector;
    l.vectors = held;
    const unsigned usual = threads_for(vectors, smallest(held, largest(1, most_held_items / f.vector)));
    const bool few = layout.kept_size * usual <= few_turns * walking_blocks(threads, device) * threads;
    l.dim_x = few && usual <= threads ? usual : threads_for(vectors, held);
    l.dim_y = threads / l.dim_x;
    l.grid = limited(ceil_div(layout.kept_size, l.dim_y), 1, max_grid);
    l.why = "rows held in registers, and columns folded on the way";
    return true;
}
/// Its columns: tiles for their last fold, one for each block, wide where few blocks leave parts of a column. False: they do
/// not lie in the rows as the walk goes, or blocks would leave so much that reading everything again is less.
template <class Facts>
FUSE_COLD bool choose_beside(Launch& l, const Facts& f, const Layout& layout, const Launch& walk, const Layout& rows,
                             const Device& device) {
    const index_t blocks = smallest(walk.grid, walking_blocks(walk.threads(), device));
    const index_t left = blocks * (f.fold_bytes / f.vector);
    if (layout.stretched || layout.kept_size != 1 || layout.x_size != rows.walked_size ||
        layout.walked_size != rows.kept_size || 2 * left > layout.walked_size * (f.buffered_bytes / f.vector)) {
        return false;
    }
    const index_t of_lane = static_cast<index_t>(walk.dim_x) * walk.vector;
    const index_t places = ceil_div(rows.walked_size, of_lane) * of_lane;
    l = Launch();
    l.name = "columns beside rows";
    l.kernel = static_cast<int>(StepKernels::one_pass);
    constexpr index_t loads = 8;  // parts of a column that a thread has in flight, and threads of a column
    const index_t depth = limited(ceil_div(blocks, loads), 1, loads);
    const unsigned widest = walk.threads() / std::bit_ceil(static_cast<unsigned>(depth));
    l.dim_x = static_cast<unsigned>(limited(threads_for(places, blocks), 4, widest));
    l.dim_y = walk.threads() / l.dim_x;
    l.grid = walk.grid;
    l.why = "folded on the way along the rows";
    return true;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
