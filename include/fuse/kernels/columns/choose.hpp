// SPDX-License-Identifier: Apache-2.0
//
// The launch of reductions along columns: the width of a tile, and how its threads and blocks share the columns.
#pragma once

#include "fuse/kernels/columns/choose_joined.hpp"
#include "fuse/kernels/columns/choose_one_phase.hpp"
#include "fuse/plan/column_packing.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
Launch choose_columns(const Facts& f, const Layout& layout, const Policy& policy, const Device& device);
template <class Facts>
Launch choose_columns(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&);

#else

/// Columns of several phases that nothing holds: a tile is one block's, or where that leaves most of a device idle, several
/// blocks share it: tiles of so many columns, or wider or narrower ones of which two blocks for each multiprocessor leave
/// fewer places empty.
template <class Facts>
FUSE_COLD void sweep_columns(Launch& l, const Facts& facts, const Layout& layout, const Policy& policy,
                             const Device& device) {
    constexpr index_t least = 4;  // elements of a column per thread of one of several blocks
    constexpr index_t all = 100;
    constexpr index_t better = 5;
    ProgramFacts f = facts;
    f.fold_bytes = facts.sweep_bytes;
    const auto units = static_cast<index_t>(device.units);
    const index_t n = layout.walked_size;
    const bool shared = n * layout.kept_size * layout.x_size * f.item_bytes > policy.shared_column_bytes;
    const unsigned widest = widest_tile(f, layout, policy);
    const unsigned columns = layout.vectors ? 64 : 128;
    const unsigned first = largest(sector_threads, std::bit_floor(columns / static_cast<unsigned>(f.vector)));
    index_t used = -better;
    for (const unsigned wanted : {first, first / 2, 2 * first, first / 4, first / 8}) {
        const unsigned dim_x = fold_width(f, smallest(largest(1U, wanted), widest));
        const unsigned depth = tile_depth(f, layout, policy.column_threads / 2, dim_x);
        const index_t tiles = largest<index_t>(1, column_tiles_of(f, layout, dim_x));
        const index_t group =
            shared ? limited(2 * units / tiles, 1, ceil_div(n, static_cast<index_t>(depth) * least)) : 1;
        const index_t blocks = tiles * group;
        const index_t places = blocks <= 2 * units ? 2 * units : ceil_div(blocks, units) * units;
        // Narrow tiles read lines again: only where wide ones leave half of the device idle.
        if (all * blocks > (used + better) * places && (wanted >= first / 2 || 2 * used < all)) {
            used = all * blocks / places;
            l.dim_x = dim_x;
            l.dim_y = depth;
            l.group = group;
        }
    }
    l.kernel = static_cast<int>(ColumnsKernels::swept);
    l.rereads = !f.one_sweep;
    l.name = l.group > 1 ? "columns shared" : "columns swept";
    l.why = l.group > 1   ? "few long columns: several blocks share a tile, and wait for each other between the phases"
            : f.one_sweep ? "long columns: read once"
                          : "long columns: read again by each phase";
    l.row = n;
    l.share = ceil_div(n, l.group);
    l.grid = limited(l.group * column_tiles_of(f, layout, l.dim_x), 1, max_grid);
}

/// Columns in the registers of as few threads as hold them, with twice as many where there is little to read: tiles of half
/// a line, or of a sector where those leave half of the multiprocessors idle, or have no room.
template <class Facts>
FUSE_COLD bool hold_tiles(Launch& l, const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    constexpr index_t little = 3;  // vectors for each thread that a multiprocessor may have
    const auto units = static_cast<index_t>(device.units);
    const index_t n = layout.walked_size;
    const unsigned widest = widest_tile(f, layout, policy);
    const unsigned narrowest = smallest(widest, sector_threads);
    const auto fits = [&](unsigned dim_x, unsigned depth) {
        return dim_x * depth <= smallest(resident_column_threads, most_folding_threads(f, dim_x));
    };
    ColumnsKernels kernel = ColumnsKernels::eight;
    unsigned depth = threads_for(n, column_ladder[static_cast<int>(kernel)]);
    unsigned dim_x = smallest(widest, line_threads / 2);
    while (dim_x * depth < 32 && dim_x < widest) {
        dim_x *= 2;
    }
    while (dim_x > narrowest && (2 * column_tiles_of(f, layout, dim_x) < units || !fits(dim_x, depth))) {
        dim_x /= 2;
    }
    if (n * column_tiles_of(f, layout, 1) < little * units * policy.column_threads &&
        2 * depth * dim_x <= policy.column_threads / 2) {
        kernel = ColumnsKernels::four;
        depth = threads_for(n, column_ladder[static_cast<int>(kernel)]);
    }
    depth = whole_warps(dim_x, depth);
    if (!fits(dim_x, depth)) {
        return false;
    }
    l.name = "columns resident";
    l.kernel = static_cast<int>(kernel);
    l.vectors = column_ladder[l.kernel];
    l.dim_x = dim_x;
    l.dim_y = depth;
    l.grid = limited(column_tiles_of(f, layout, dim_x), 1, max_grid);
    return true;
}
/// The same by threads with one column each, if at least half of what they can hold is used: in the widest tiles of which
/// there are as many as half of the multiprocessors, or that have room for a column.
template <class Facts>
FUSE_COLD bool hold_single_columns(Launch& l, const Facts& facts, const Layout& layout, const Policy& policy,
                                   const Device& device) {
    constexpr index_t held = single_column_elements;
    ProgramFacts f = facts;
    f.vector = 1;
    f.fold_bytes = facts.fold_bytes / facts.vector;
    Layout alone = layout;
    if (packs_columns(layout.packing)) {
        alone.packing = pack_columns(layout, 1);
    }
    for (unsigned dim_x = widest_tile(f, alone, policy); dim_x > 0; dim_x = dim_x > line_threads ? dim_x / 2 : 0) {
        const unsigned depth = whole_warps(dim_x, threads_for(layout.walked_size, held));
        const bool many = 2 * column_tiles_of(f, alone, dim_x) >= static_cast<index_t>(device.units);
        if ((many || dim_x <= line_threads) &&
            depth * dim_x <= smallest(resident_column_threads, most_folding_threads(f, dim_x)) &&
            2 * layout.walked_size >= static_cast<index_t>(depth) * held) {
            l.name = "columns resident";
            l.kernel = static_cast<int>(ColumnsKernels::single);
            l.vector = 1;
            l.vectors = single_column_elements;
            l.dim_x = dim_x;
            l.dim_y = depth;
            l.grid = limited(column_tiles_of(f, alone, dim_x), 1, max_grid);
            return true;
        }
    }
    return false;
}
template <class Facts>
FUSE_COLD bool hold_columns(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                            const Device& device) {
    // One sweep in whole lines, where holding makes tiles narrow and reads nothing again.
    constexpr index_t few = 256;
    constexpr index_t much = index_t{20} << 20U;
    const index_t n = layout.walked_size;
    const index_t least = f.read_once || f.vector <= 4 ? few : 2 * few;
    const bool sweeps = f.one_sweep && n > least && n * layout.kept_size * layout.x_size * f.item_bytes > much;
    if (f.ordered || layout.stretched || f.one_phase() || n == 0 || sweeps) {
        return false;
    }
    if (!layout.vectors && f.vector > 1 && hold_single_columns(l, f, layout, policy, device)) {
        return true;
    }
    return hold_tiles(l, f, layout, policy, device);
}

template <class Facts>
FUSE_COLD Launch choose_columns(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    Launch l;
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    Launch held = l;
    const bool holds = hold_columns(held, f, layout, policy, device);
    if (choose_joined(l, f, layout, policy, device, holds)) {
        l.why = "few columns: read in lines of several rows";
    } else if (holds) {
        l = held;
        l.why =
            l.vector < f.vector ? "short columns, held in registers; no vectors" : "short columns, held in registers";
    } else if (f.one_phase()) {
        choose_one_phase(l, f, layout, policy, device);
    } else {
        sweep_columns(l, f, layout, policy, device);
    }
    return l;
}

template <class Facts>
FUSE_COLD Launch choose_columns(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&) {
    constexpr index_t many = 64;  // blocks that keep the cores of most machines busy
    const index_t tiles = largest<index_t>(1, column_tiles_of(f, layout, 1));
    Launch l;
    l.name = f.columns ? "columns swept" : "rows side by side";
    l.rereads = true;
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.why = f.columns ? "a strip of columns per block" : "rows of few elements: many of them at a time";
    if (f.columns && f.one_phase() && tiles < many) {
        // A second stage folds what blocks have: worth it only for long pieces.
        const index_t columns = smallest<index_t>(f.vector, layout.x_size);
        const index_t least = ceil_div(largest<index_t>(1, 4 * policy.host_block_items), largest<index_t>(1, columns));
        const index_t pieces = limited(layout.walked_size / least, 1, many / tiles);
        l.share = ceil_div(layout.walked_size, pieces);
        l.group = l.share > 0 ? ceil_div(layout.walked_size, l.share) : 1;
    }
    if (l.group > 1) {
        l.name = "column split";
        l.why = "few strips of columns: pieces of them in parallel, combined in order";
    }
    l.grid = limited(tiles, 1, max_grid) * l.group;
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
