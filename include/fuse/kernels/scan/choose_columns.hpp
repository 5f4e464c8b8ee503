// SPDX-License-Identifier: Apache-2.0
//
// The launch of a scan along columns: strips of them.
#pragma once

#include "fuse/kernels/columns/tiles.hpp"
#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/primitives/grid/lookback_state.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
Launch choose_scan_columns(const Facts& f, const Layout& layout, const Policy& policy, const Device& device);
template <class Facts>
Launch choose_scan_columns(const Facts& f, const Layout& layout, const Policy&, const Cpu&);

#else

/// Several blocks per strip, where strips as narrow as they may be are too few to fill the machine.
template <class Facts>
FUSE_COLD Launch share_strips(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    Launch l;
    l.name = "scan columns look-back";
    l.kernel = static_cast<int>(ColumnScanKernels::shared);
    l.vector = f.vector;
    l.vectors = column_lookback_vectors;
    l.dim_x = smallest(policy.column_min_x_threads, threads_along(f, layout));
    l.dim_y = smallest(column_lookback_threads, most_column_threads(f)) / l.dim_x;
    l.row = layout.walked_size;
    const auto units = static_cast<index_t>(device.units);
    const index_t strips = column_tiles_of(f, layout, l.dim_x);
    const index_t tiles = ceil_div(l.row, static_cast<index_t>(l.dim_y) * l.vectors);
    const bool worth = strips > 0 && 2 * strips <= units && tiles > 2 && l.dim_x * l.dim_y % 32 == 0;
    if (!worth || layout.stretched || f.fold_bytes > column_lookback_bytes || tiles * strips > max_grid) {
        return no_launch("strips that a block each can scan");
    }
    l.grid = smallest(strips * tiles, units * column_lookback_blocks);
    l.state_words = lookback_state_words(tiles, strips * l.dim_x, l.dim_y, f.scan_words * f.vector);
    l.why = "few strips of columns: many blocks each, one pass, tiles look back at those above them";
    return l;
}

template <class Facts>
FUSE_COLD Launch choose_scan_columns(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    const Launch shared = share_strips(f, layout, policy, device);
    if (shared.grid > 0) {
        return shared;
    }
    Launch l;
    l.name = "scan columns";
    l.kernel = static_cast<int>(ColumnScanKernels::strips);
    l.vector = f.vector;
    l.vectors = scan_vectors<Device>;
    // Narrow strips: a warp has several rows of them, and joins these by shuffles.
    l.dim_x = smallest(policy.column_min_x_threads, threads_along(f, layout));
    l.dim_y = largest(1U, smallest(smallest(policy.column_threads, most_column_threads(f)) / l.dim_x,
                                   threads_for(layout.walked_size, scan_vectors<Device>)));
    l.dim_y = whole_warps(l.dim_x, l.dim_y);
    l.grid = limited(column_tiles_of(f, layout, l.dim_x), 1, max_grid);
    l.why = "a strip of columns per block";
    return l;
}

template <class Facts>
FUSE_COLD Launch choose_scan_columns(const Facts& f, const Layout& layout, const Policy&, const Cpu&) {
    Launch l;
    l.name = f.columns ? "scan columns" : "scan rows side by side";
    l.vector = f.vector;
    l.vectors = scan_vectors<Cpu>;
    l.grid = limited(column_tiles_of(f, layout, 1), 1, max_grid);
    l.why = f.columns ? "a strip of columns per block" : "rows of few elements: many of them at a time";
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
