// SPDX-License-Identifier: Apache-2.0
//
// The launch of reductions along columns that are read once: a block for each tile, a cluster of blocks, or many blocks.
// The numbers are measured (docs/journal.md, "Columns of one phase").
#pragma once

#include "fuse/error.hpp"
#include "fuse/kernels/columns/tiles.hpp"

#if !FUSE_ON_DEVICE

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Threads of a block, and of a device that reads columns as fast as its memory gives them: with more, blocks wait for places
/// that others have. Runs of several words take twice the registers of other reductions.
template <class Facts>
unsigned most_sweeping_threads(const Facts& f, const Policy& policy) {
    return policy.column_threads / (f.folds_runs ? 2 : 1);
}
/// A thread folds as fast as it reads: four items of anything but runs, or eight of a word each, as of a sum.
template <class Facts>
bool folds_quickly(const Facts& f) {
    return !f.folds_runs && (f.vector <= 4 || f.fold_bytes <= 4 * f.vector);
}
/// Elements of a column that are worth a thread.
template <class Facts>
index_t least_column_share(const Facts& f) {
    return f.folds_runs ? 12 : 6;
}
/// Threads along a tile whose vectors fill a line of the cache, or a sector.
inline constexpr unsigned line_threads = 8;
inline constexpr unsigned sector_threads = 2;
/// What tiles of some width are worth: neighbours read the rest of a narrow one's lines and sectors again.
constexpr index_t percent_of_width(unsigned dim_x) {
    if (dim_x >= line_threads) {
        return 100;
    }
    return dim_x > sector_threads ? 97 : dim_x == sector_threads ? 80 : 65;
}

/// Blocks of a cluster, 1 where values are too large for its memory.
template <class Facts>
index_t most_clustered_blocks(const Facts& f, const Device& device) {
    return f.fold_bytes <= clustered_column_bytes ? device.cluster_blocks : 1;
}

/// Tiles of one block each, if they are many or their columns short.
template <class Facts>
FUSE_COLD bool sweep_alone(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                           const Device& device) {
    const auto units = static_cast<index_t>(device.units);
    const index_t reading = units * most_sweeping_threads(f, policy);
    const index_t n = layout.walked_size;
    const index_t few = policy.column_threads / 8;  // threads of a block
    const unsigned widest = widest_tile(f, layout, policy);
    const auto tiles = [&](unsigned dim_x) { return column_tiles_of(f, layout, dim_x); };
    unsigned dim_x = fold_width(f, smallest(line_threads, widest));
    unsigned depth = 1;
    if (tiles(dim_x) * few >= reading) {
        // Many: as wide as leaves enough of them, and as few threads per column as they need. Long columns of narrow items,
        // of which wide tiles read several lines at a time anyway, are faster in more tiles.
        const bool wide = f.vector <= 4 || n <= 2 * policy.column_threads;
        const index_t threads = (layout.vectors ? few : 4 * few) * (wide ? 4 : 1);
        while (2 * dim_x <= widest && tiles(2 * dim_x) * threads >= reading) {
            dim_x *= 2;
        }
        depth = whole_warps(dim_x, 1);
        while (depth * dim_x < policy.column_threads &&
               (2 * n > longest_share * depth || (tiles(dim_x) * dim_x * depth < reading && n > 8 * index_t{depth}))) {
            depth *= 2;
        }
    } else if (n <= 8 * policy.column_threads) {
        // Short: so narrow that most multiprocessors have one.
        const unsigned narrowest = smallest(widest, layout.vectors ? sector_threads : 2 * sector_threads);
        while (dim_x > narrowest && 4 * tiles(dim_x) < 3 * units) {
            dim_x /= 2;
        }
        // Of long ones clusters have more blocks where those leave multiprocessors idle, or are narrow and go in turns.
        const bool idle = n > 2 * policy.column_threads
                              ? 5 * tiles(dim_x) < 2 * units || (dim_x <= narrowest && tiles(dim_x) > units)
                              : 4 * tiles(dim_x) < units;
        if (n > policy.column_threads && idle) {
            return false;
        }
        depth = threads_for(n, 2 * least_column_share(f));
        // All that a thread folds is on its way at once, while there are places for the threads.
        while (n > index_t{depth} * f.sweep_vectors && 2 * tiles(dim_x) * dim_x * depth <= reading &&
               2 * depth * dim_x <= most_sweeping_threads(f, policy)) {
            depth *= 2;
        }
        while (tiles(dim_x) * dim_x * depth > 2 * reading && depth * dim_x > few && 2 * n <= longest_share * depth) {
            depth /= 2;
        }
    } else {
        return false;
    }
    l.dim_x = fold_width(f, dim_x);
    l.dim_y = tile_depth(f, layout, smallest(depth * dim_x, most_sweeping_threads(f, policy)), l.dim_x);
    // Many tiles of columns in which a thread would add more than rounds well: some blocks each, a cluster or as many as leave
    // little between them. What is left has more than 60 GB, or accumulators that few threads have room for.
    constexpr index_t little = 32 << 20;
    const index_t all = tiles(l.dim_x);
    l.least_group = largest<index_t>(1, ceil_div(n, longest_share * l.dim_y));
    if (l.least_group <= most_clustered_blocks(f, device) && l.dim_x <= clustered_column_threads) {
        l.cluster = std::bit_ceil(static_cast<unsigned>(l.least_group));
    } else if (all <= counter_bytes / 8 && all * l.least_group * l.dim_x * f.fold_bytes <= little) {
        l.group = l.least_group;
    }
    return true;
}

/// Blocks of a cluster for each tile, or one: the sizes that leave the fewest of the threads idle that should read. False:
/// columns so long that more blocks should read each, or values that only a thread each has room for.
template <class Facts>
FUSE_COLD bool share_in_clusters(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                                 const Device& device) {
    constexpr index_t long_share = 48;
    constexpr index_t much = 64;  // vectors for each place: blocks as large as they may be, whatever they fold
    const auto units = static_cast<index_t>(device.units);
    const index_t n = layout.walked_size;
    const index_t vectors = n * column_tiles_of(f, layout, 1);
    const index_t places = units * policy.column_threads;
    const bool large = vectors >= much * places;
    const unsigned most_threads = large ? policy.column_threads : most_sweeping_threads(f, policy);
    const index_t most_blocks = most_clustered_blocks(f, device);
    const index_t wanted = limited(vectors / least_column_share(f), 1, units * most_threads);
    // Of columns that are no vectors the loads wait longer for each other, and many blocks hide that better.
    const bool odd = !layout.vectors && wanted == units * most_threads;
    if (n > long_share * most_blocks * (most_threads / line_threads) || fold_width(f, line_threads) > line_threads ||
        odd || (large && folds_quickly(f))) {
        return false;
    }
    const unsigned widest = smallest(widest_tile(f, layout, policy), clustered_column_threads);
    index_t best = 0;
    const auto weigh = [&](unsigned dim_x, unsigned threads, index_t percent) {
        const unsigned depth = tile_depth(f, layout, threads, dim_x);
        const index_t tiles = column_tiles_of(f, layout, dim_x);
        const index_t one = tiles * dim_x * depth;
        index_t blocks = 1;
        while (2 * blocks <= most_blocks && (f.folds_runs ? 20 : 18) * blocks * one <= 11 * wanted &&
               2 * blocks * depth <= n) {
            blocks *= 2;
        }
        // More multiprocessors read sooner; what does not fit them at a time waits.
        const index_t busy = units + smallest(2 * blocks * tiles, units);
        const bool fits = 2 * blocks * one <= (f.folds_runs ? 2 : 3) * places;
        const bool waits = blocks == 1 && !f.folds_runs && dim_x >= line_threads;
        const index_t worth = (fits ? percent : percent * 4 / 5) * busy * smallest(blocks * one, wanted);
        if (worth > best && (fits || waits) && n <= longest_share * depth * blocks) {
            best = worth;
            l.dim_x = dim_x;
            l.dim_y = depth;
            l.cluster = static_cast<unsigned>(blocks);
        }
    };
    for (unsigned dim_x = layout.vectors ? line_threads : 2 * line_threads; dim_x > 0; dim_x /= 2) {
        const index_t percent = percent_of_width(dim_x);
        if (dim_x <= widest) {
            weigh(dim_x, most_threads / 2, large ? percent - 5 : percent);
            weigh(dim_x, most_threads, large ? percent : percent - 15);
            if (large || !f.folds_runs) {
                weigh(dim_x, most_threads / 4, percent - (large ? 15 : 5));
            }
        }
    }
    return best > 0;
}

/// Gives each tile of columns of n elements a group of so many blocks; up to `most` if threads would fold more than rounds
/// well.
FUSE_COLD inline void share_tiles(Launch& l, index_t n, index_t group, index_t most) {
    constexpr index_t least = 4;  // elements of a column per thread of one of several blocks
    l.least_group = limited(ceil_div(n, l.dim_y * longest_share), 1, largest<index_t>(1, most));
    l.group = largest(l.least_group, limited(group, 1, ceil_div(n, l.dim_y * least)));
}

/// Many blocks for each tile, of which the memory alone sets the pace: three on each multiprocessor.
template <class Facts>
FUSE_COLD void split_quick_columns(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                                   const Device& device) {
    constexpr int columns = 128;  // of a tile: neighbours read the lines at its ends again
    const bool unaligned = layout.packing == ColumnPacking::unaligned;
    const bool slower = unaligned || (f.fold_bytes > 4 * f.vector && !layout.vectors);
    const index_t wanted = (slower ? 4 : 3) * static_cast<index_t>(device.units);
    const auto tiles = [&](unsigned dim_x) { return largest<index_t>(1, column_tiles_of(f, layout, dim_x)); };
    const auto most = static_cast<unsigned>(limited(columns / f.vector, line_threads, 4 * line_threads));
    unsigned dim_x = smallest(widest_tile(f, layout, policy), std::bit_floor(most));
    const auto halve_if = [&](auto better) {
        while (dim_x > line_threads && better(tiles(dim_x), tiles(dim_x / 2))) {
            dim_x /= 2;
        }
    };
    // Rather a tile for each block than two blocks for a tile; and of what is no vectors no more than is there.
    halve_if([&](index_t now, index_t then) { return now > wanted / 2 && 4 * then <= 5 * wanted; });
    halve_if([&](index_t now, index_t then) { return !layout.vectors && 5 * then <= 8 * now; });
    // One tile, a fifth of whose threads would have no column.
    if (dim_x == threads_along(f, layout) && 5 * tiles(1) < 4 * tiles(dim_x) * dim_x) {
        dim_x = smallest(dim_x, line_threads);
    }
    if (unaligned && tiles(1) <= line_threads) {
        dim_x = smallest(dim_x, line_threads / 2);
    }
    l.dim_x = fold_width(f, dim_x);
    l.dim_y = tile_depth(f, layout, policy.column_threads / 2, l.dim_x);
    const index_t all = tiles(l.dim_x);
    share_tiles(l, layout.walked_size, wanted / all, most_waves * wanted / all);
}

/// The same where threads have more to do.
template <class Facts>
FUSE_COLD void split_columns(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                             const Device& device) {
    const index_t wanted = resident_blocks(policy, device);
    const bool wide = 4 * column_tiles_of(f, layout, line_threads) >= index_t{device.units};
    l.dim_x = fold_width(f, smallest(widest_tile(f, layout, policy), wide ? 2 * line_threads : line_threads));
    // What is folded once meets once: the fewer threads share a column, the less that costs.
    l.dim_y = tile_depth(f, layout, policy.column_threads / 2, l.dim_x);
    const index_t tiles = largest<index_t>(1, column_tiles_of(f, layout, l.dim_x));
    // Of many tiles a wave has too few places left over to do without some waves (complete.hpp).
    const index_t waves = tiles > wanted / 8 ? 4 : 1;
    // Who folds runs rounds once for several elements; and there further waves cost a fifth of the time.
    share_tiles(l, layout.walked_size, waves * wanted / tiles, f.folds_runs ? 1 : most_waves * wanted / tiles);
}

/// Of a program with one phase.
template <class Facts>
FUSE_COLD void choose_one_phase(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                                const Device& device) {
    if (!sweep_alone(l, f, layout, policy, device) && !share_in_clusters(l, f, layout, policy, device)) {
        if (folds_quickly(f) && !packs_columns(layout.packing)) {
            split_quick_columns(l, f, layout, policy, device);
        } else {
            split_columns(l, f, layout, policy, device);
        }
    }
    l.kernel = static_cast<int>(ColumnsKernels::swept);
    l.row = layout.walked_size;
    if (l.group > 1) {
        l.share = ceil_div(l.row, l.group);
        l.group = ceil_div(l.row, l.share);
        l.why = "few column tiles: several blocks share one, the last to arrive finishes it";
    } else {
        l.share = ceil_div(l.row, l.cluster);
        l.why = l.cluster > 1 ? "few column tiles: a cluster of blocks shares one" : "one sweep per column";
    }
    const index_t blocks = l.group * l.cluster;
    l.name = blocks > 1 ? "column split" : "columns swept";
    const index_t tiles = column_tiles_of(f, layout, l.dim_x);
    if (tiles > max_grid / blocks) {
        throw shape_error(
            Text() << "a reduction of more columns than the blocks of a launch take: reduce parts of the kept axes");
    }
    l.grid = largest<index_t>(1, tiles) * blocks;
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
