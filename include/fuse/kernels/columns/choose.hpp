// SPDX-License-Identifier: Apache-2.0
//
// The launch of reductions along columns: the width of a tile, and how its threads and blocks share the columns.
#pragma once

#include "fuse/kernels/columns/ladder.hpp"
#include "fuse/kernels/launch/choice.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Tiles of `threads` vectors of columns.
template <class Facts>
index_t column_tiles_of(const Facts& f, const Layout& layout, unsigned threads) {
    return ceil_div(layout.x_size, static_cast<index_t>(threads) * f.vector) * layout.kept_size;
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
    return smallest(policy.column_x_threads, threads_for(ceil_div(layout.x_size, f.vector), 1));
}
/// Threads along the columns: narrow tiles while there are fewer than `wanted`. Short vectors need more threads for what
/// is read well.
template <class Facts>
FUSE_COLD unsigned tile_width(const Facts& f, const Layout& layout, const Policy& policy, index_t wanted,
                              index_t blocks_per_tile) {
    const unsigned narrowest = policy.column_min_x_threads * (f.buffered_bytes <= 8 ? 2 : 1);
    unsigned threads = widest_tile(f, layout, policy);
    while (threads > narrowest && column_tiles_of(f, layout, threads) * blocks_per_tile < wanted) {
        threads /= 2;
    }
    return threads;
}

/// Threads that share a column of a tile that is dim_x wide, in a block of so many.
template <class Facts>
unsigned tile_depth(const Facts& f, const Layout& layout, unsigned threads, unsigned dim_x) {
    const unsigned most = smallest(threads, most_folding_threads(f, dim_x)) / dim_x;
    const unsigned depth = smallest(most, threads_for(largest<index_t>(1, layout.walked_size), 1));
    return whole_warps(dim_x, largest(1U, depth));
}

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
    if (most_folding_threads(f, l.dim_x) < 32) {
        l.dim_x = 32;  // one thread per column folds alone
    }
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
    constexpr index_t least = 4;  // elements of a column per thread of one of several blocks
    const index_t n = layout.walked_size;
    const index_t wanted = resident_blocks(policy, device);
    Launch l;
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    // Narrow tiles when there are few: more blocks, and less for the last of them to fold. Only one phase can be shared.
    l.dim_x = f.one_phase() ? tile_width(f, layout, policy, wanted, policy.column_max_group)
                            : tile_width(f, layout, policy, static_cast<index_t>(device.units), 1);
    if (most_folding_threads(f, l.dim_x) < 32) {
        l.dim_x = 32;  // one thread per column folds alone
    }
    // What is folded once meets once: the fewer threads share a column, the less that costs.
    const unsigned once = policy.column_threads / 2;
    l.dim_y = tile_depth(f, layout, f.one_phase() ? once : policy.column_threads, l.dim_x);
    const index_t tiles = column_tiles_of(f, layout, l.dim_x);
    if (f.one_phase() && tiles < wanted && n > 2 * l.dim_y * least) {
        l.name = "column split";
        l.kernel = static_cast<int>(ColumnsKernels::split);
        // Of many tiles a wave has too few places left over to do without some waves (complete.hpp).
        const index_t waves = tiles > wanted / 8 ? 4 : 1;
        l.row = n;
        l.group =
            limited(waves * wanted / largest<index_t>(1, tiles), 1, ceil_div(n, static_cast<index_t>(l.dim_y) * least));
        l.group = largest(l.group, limited(ceil_div(n, l.dim_y * longest_share), 1, most_waves * wanted / tiles));
        l.share = ceil_div(n, l.group);
        l.group = ceil_div(n, l.share);
        l.grid = l.group * tiles;
        l.why = "few column tiles: several blocks share one, the last to arrive finishes it";
        return l;
    }
    if (!hold_columns(l, f, layout, policy, device)) {
        if (!f.one_phase()) {
            sweep_columns(l, f, layout, policy, device);
            return l;
        }
        l.name = "columns swept";
        l.kernel = static_cast<int>(ColumnsKernels::swept);
        l.rereads = true;
        l.why = "one sweep per column";
        if (tiles >= wanted) {
            // As many as fill the device anyway: two threads per column of a tile twice as wide, if that has no empty
            // places and few registers.
            const index_t wide = column_tiles_of(f, layout, 2 * l.dim_x);
            const bool fits = 2 * l.dim_x <= once / 2;
            if (f.one_light_phase() && fits && 2 * wide == tiles && 4 * wide >= 3 * wanted) {
                l.dim_x *= 2;
            }
            l.dim_y = tile_depth(f, layout, once / 2, l.dim_x);
        }
    }
    const index_t width = static_cast<index_t>(l.dim_x) * l.vector;
    l.grid = limited(ceil_div(layout.x_size, width) * layout.kept_size, 1, max_grid);
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
