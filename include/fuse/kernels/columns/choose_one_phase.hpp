// SPDX-License-Identifier: Apache-2.0
//
// The launch of reductions along columns that are read once: by blocks that share none, or by several for each tile.
#pragma once

#include "fuse/kernels/columns/tiles.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Threads that share a column of a sweep: of blocks of some sizes, those that leave the fewest places of a device empty, and
/// the smaller of two that leave as many. Where tiles fill it anyway, more of them are worth it if each loads twice at least.
template <class Facts>
FUSE_COLD unsigned sweep_depth(const Facts& f, const Layout& layout, const Policy& policy, const Device& device,
                               unsigned dim_x) {
    constexpr index_t whole = 100000;
    const index_t tiles = column_tiles_of(f, layout, dim_x);
    index_t used = 0;
    unsigned depth = 1;
    for (unsigned threads = largest(1U, policy.column_threads / 4); threads <= policy.column_threads; threads *= 2) {
        const unsigned of_these = tile_depth(f, layout, threads, dim_x);
        const index_t places = device.units * largest(1U, 2 * policy.column_threads / (dim_x * of_these));
        const index_t share = whole * tiles / (ceil_div(tiles, places) * places);
        const bool idle = tiles < static_cast<index_t>(device.units);
        const bool worth =
            depth == 1 || idle || layout.walked_size >= 2 * static_cast<index_t>(f.sweep_vectors) * of_these;
        if (worth && 20 * share > 21 * used) {
            used = share;
            depth = of_these;
        }
    }
    return depth;
}
/// One sweep by blocks that share no column: where there are as many tiles as multiprocessors, or columns are short.
template <class Facts>
FUSE_COLD bool sweep_alone(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                           const Device& device) {
    const auto units = static_cast<index_t>(device.units);
    l.dim_x = fold_width(f, tile_width(f, layout, policy, units, 1, 4));
    l.dim_y = sweep_depth(f, layout, policy, device, l.dim_x);
    const index_t tiles = column_tiles_of(f, layout, l.dim_x);
    if (tiles < units && layout.walked_size > policy.column_rounds * l.vectors * l.dim_y) {
        return false;
    }
    // Of as many as fill the device anyway: a tile twice as wide for half the threads per column, if that has no empty places
    // and few registers.
    const index_t wide = column_tiles_of(f, layout, 2 * l.dim_x);
    if (f.one_light_phase() && 2 * wide == tiles && 4 * wide >= 3 * resident_blocks(policy, device) &&
        8 * l.dim_x <= policy.column_threads) {
        l.dim_x *= 2;
        l.dim_y = tile_depth(f, layout, policy.column_threads / 4, l.dim_x);
    }
    l.name = "columns swept";
    l.kernel = static_cast<int>(ColumnsKernels::swept);
    l.rereads = true;
    l.why = "one sweep per column";
    l.grid = limited(column_tiles_of(f, layout, l.dim_x), 1, max_grid);
    return true;
}
/// One sweep by `group` blocks for each tile.
template <class Facts>
FUSE_COLD void split_columns(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                             const Device& device) {
    constexpr index_t least = 4;  // elements of a column per thread of one of several blocks
    const index_t n = layout.walked_size;
    const index_t wanted = resident_blocks(policy, device);
    // Narrow tiles when there are few: more blocks, and less for the last of them to fold. Where they would not fill whole
    // rows, what neighbours read twice of a large array costs more.
    l.dim_x = tile_width(f, layout, policy, wanted, policy.column_max_group, 2);
    const bool fill_rows = layout.x_size % (static_cast<index_t>(l.dim_x) * f.vector) == 0;
    if (!fill_rows && n * layout.kept_size * layout.x_size * f.item_bytes >= policy.wide_column_bytes) {
        l.dim_x = widest_tile(f, layout, policy);
    }
    l.dim_x = fold_width(f, l.dim_x);
    // What is folded once meets once: the fewer threads share a column, the less that costs.
    l.dim_y = tile_depth(f, layout, policy.column_threads / 2, l.dim_x);
    const index_t tiles = column_tiles_of(f, layout, l.dim_x);
    // Of many tiles a wave has too few places left over to do without some waves (complete.hpp).
    const index_t waves = tiles > wanted / 8 ? 4 : 1;
    l.row = n;
    l.group =
        limited(waves * wanted / largest<index_t>(1, tiles), 1, ceil_div(n, static_cast<index_t>(l.dim_y) * least));
    l.group = largest(l.group, limited(ceil_div(n, l.dim_y * longest_share), 1, most_waves * wanted / tiles));
    l.share = ceil_div(n, l.group);
    l.group = ceil_div(n, l.share);
    l.name = "column split";
    l.kernel = static_cast<int>(ColumnsKernels::split);
    l.grid = l.group * tiles;
    l.why = "few column tiles: several blocks share one, the last to arrive finishes it";
}

}  // namespace detail

FUSE_END_NAMESPACE
