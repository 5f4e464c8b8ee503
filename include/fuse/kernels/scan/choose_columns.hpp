// SPDX-License-Identifier: Apache-2.0
//
// The launch of a scan along columns: strips of them.
#pragma once

#include "fuse/kernels/columns/tiles.hpp"
#include "fuse/kernels/scan/ladder.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
Launch choose_scan_columns(const Facts& f, const Layout& layout, const Policy& policy, const Device& device);
template <class Facts>
Launch choose_scan_columns(const Facts& f, const Layout& layout, const Policy&, const Cpu&);

#else

template <class Facts>
FUSE_COLD Launch choose_scan_columns(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    Launch l;
    l.name = "scan columns";
    l.vector = f.vector;
    l.vectors = scan_vectors<Device>;
    // Narrow strips: a warp has several rows of them, and joins these by shuffles.
    l.dim_x = smallest(policy.column_min_x_threads, threads_along(f, layout));
    l.dim_y = largest(1U, smallest(smallest(policy.column_threads, most_column_threads(f)) / l.dim_x,
                                   threads_for(layout.walked_size, scan_vectors<Device>)));
    l.dim_y = whole_warps(l.dim_x, l.dim_y);
    l.grid = limited(column_tiles_of(f, layout, l.dim_x), 1, max_grid);
    l.why = "a strip of columns per block";
    // Pieces are read twice; of few elements each block has few threads.
    constexpr index_t fewest_shares = 4;
    constexpr unsigned few_threads = 128;
    const auto steps = [&] { return ceil_div(layout.walked_size, static_cast<index_t>(l.dim_y) * l.vectors); };
    const auto units = static_cast<index_t>(device.units);
    const unsigned whole = l.dim_y;
    while (l.dim_x * l.dim_y > few_threads && l.dim_y % 2 == 0 && l.grid * steps() < units) {
        l.dim_y /= 2;
    }
    const index_t group = smallest(steps(), units * (device.threads_per_unit / l.threads()) / l.grid);
    if (group >= fewest_shares && !layout.stretched) {
        l.name = "scan columns shared";
        l.row = layout.walked_size;
        l.group = group;
        l.share = ceil_div(l.row, l.group);
        l.grid *= l.group;
        l.why =
            "few strips of columns: several blocks share one, each folds its piece and then walks down it from there";
    } else {
        l.dim_y = whole;
    }
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
