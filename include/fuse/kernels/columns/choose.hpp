// SPDX-License-Identifier: Apache-2.0
//
// The launch of reductions along columns: the width of a tile, and how its threads and blocks share the columns.
#pragma once

#include "fuse/kernels/columns/choose_one_phase.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Columns of several phases that nothing holds: a tile is one block's, or where that leaves most of a device idle, several
/// blocks share it.
template <class Facts>
FUSE_COLD void sweep_columns(Launch& l, const Facts& facts, const Layout& layout, const Policy& policy,
                             const Device& device) {
    constexpr index_t least = 4;  // elements of a column per thread of one of several blocks
    ProgramFacts f = facts;
    f.fold_bytes = facts.sweep_bytes;
    const auto units = static_cast<index_t>(device.units);
    const index_t n = layout.walked_size;
    l.kernel = static_cast<int>(ColumnsKernels::swept);
    l.rereads = true;
    l.name = "columns swept";
    l.why = "long columns: read again by each phase";
    l.row = n;
    l.dim_x = tile_width(f, layout, policy, units, 1);
    const bool shared = n * layout.kept_size * layout.x_size * f.item_bytes > policy.shared_column_bytes &&
                        column_tiles_of(f, layout, l.dim_x) < units;
    if (shared) {
        // The widest tiles that a block of full size folds, or narrower ones of which groups leave fewer places empty.
        l.name = "columns shared";
        l.why = "few long columns: several blocks share a tile, and wait for each other between the phases";
        const unsigned narrowest = l.dim_x;
        index_t used = 0;
        for (unsigned dim_x = widest_tile(f, layout, policy); dim_x >= narrowest && dim_x > 0; dim_x /= 2) {
            const index_t tiles = column_tiles_of(f, layout, dim_x);
            const index_t share = 100 * tiles * largest<index_t>(1, units / tiles) / (ceil_div(tiles, units) * units);
            if ((most_folding_threads(f, dim_x) >= policy.column_threads || dim_x == narrowest) && share > used + 5) {
                used = share;
                l.dim_x = dim_x;
            }
        }
    }
    l.dim_x = fold_width(f, l.dim_x);
    l.dim_y = tile_depth(f, layout, policy.column_threads, l.dim_x);
    const index_t tiles = column_tiles_of(f, layout, l.dim_x);
    if (shared) {
        l.group = limited(resident_blocks(policy, device) / largest<index_t>(1, tiles), 1,
                          ceil_div(n, static_cast<index_t>(l.dim_y) * least));
    }
    l.share = ceil_div(n, l.group);
    l.grid = limited(l.group * tiles, 1, max_grid);
}

/// Whether tiles of this width are held, and by how many threads each column.
template <class Facts>
FUSE_COLD bool hold_tiles(Launch& l, const Facts& f, const Layout& layout, const Policy& policy, unsigned dim_x) {
    const unsigned most = smallest(resident_column_threads, most_folding_threads(f, dim_x));
    for (const ColumnsKernels kernel : {ColumnsKernels::four, ColumnsKernels::eight}) {
        const int held = column_ladder[static_cast<int>(kernel)];
        for (unsigned depth = tile_depth(f, layout, policy.column_threads, dim_x); depth * dim_x <= most; depth *= 2) {
            if (layout.walked_size <= static_cast<index_t>(depth) * held) {
                l.name = "columns resident";
                l.kernel = static_cast<int>(kernel);
                l.vectors = held;
                l.dim_x = dim_x;
                l.dim_y = depth;
                l.why = "short columns, held in registers";
                return true;
            }
        }
    }
    return false;
}
/// The same by threads with one column each, if at least half of what they can hold is used.
template <class Facts>
FUSE_COLD bool hold_single_columns(Launch& l, const Facts& f, const Layout& layout, unsigned dim_x) {
    constexpr index_t held = single_column_elements;
    const unsigned depth = whole_warps(dim_x, threads_for(layout.walked_size, held));
    if (depth * dim_x > smallest(resident_column_threads, most_folding_threads(f, dim_x)) ||
        2 * layout.walked_size < static_cast<index_t>(depth) * held) {
        return false;
    }
    l.name = "columns resident";
    l.kernel = static_cast<int>(ColumnsKernels::single);
    l.vector = 1;
    l.vectors = single_column_elements;
    l.dim_x = dim_x;
    l.dim_y = depth;
    l.why = "short columns, held in registers; no vectors";
    return true;
}
/// Whether columns are held: in the widest tiles of which there are as many as half of the multiprocessors, or that
/// have room for a column. hold(dim_x) says whether tiles of that width have.
template <class Hold>
bool hold_widest(const ProgramFacts& f, const Layout& layout, const Policy& policy, const Device& device,
                 unsigned narrowest, Hold&& hold) {
    for (unsigned dim_x = widest_tile(f, layout, policy);; dim_x /= 2) {
        const bool last = dim_x <= narrowest;
        const bool many = 2 * column_tiles_of(f, layout, dim_x) >= static_cast<index_t>(device.units);
        if ((many || last) && hold(dim_x)) {
            return true;
        }
        if (last) {
            return false;
        }
    }
}
template <class Facts>
FUSE_COLD bool hold_columns(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                            const Device& device) {
    if (f.ordered || layout.stretched || f.one_phase() || layout.walked_size == 0) {
        return false;
    }
    if (!layout.vectors && f.vector > 1) {
        ProgramFacts single = f;
        single.vector = 1;
        single.fold_bytes = f.fold_bytes / f.vector;
        if (hold_widest(single, layout, policy, device, 8,
                        [&](unsigned dim_x) { return hold_single_columns(l, single, layout, dim_x); })) {
            return true;
        }
    }
    constexpr unsigned sector = 2;  // threads whose vectors fill one
    return hold_widest(f, layout, policy, device, sector,
                       [&](unsigned dim_x) { return hold_tiles(l, f, layout, policy, dim_x); });
}

template <class Facts>
FUSE_COLD Launch choose_columns(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    Launch l;
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    if (f.one_phase()) {
        if (!sweep_alone(l, f, layout, policy, device)) {
            split_columns(l, f, layout, policy, device);
        }
    } else if (hold_columns(l, f, layout, policy, device)) {
        const index_t width = static_cast<index_t>(l.dim_x) * l.vector;
        l.grid = limited(ceil_div(layout.x_size, width) * layout.kept_size, 1, max_grid);
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

}  // namespace detail

FUSE_END_NAMESPACE
