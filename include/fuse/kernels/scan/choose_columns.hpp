// SPDX-License-Identifier: Apache-2.0
//
// The launch of a scan along columns: strips of them.
#pragma once

#include "fuse/kernels/columns/choose.hpp"
#include "fuse/kernels/scan/ladder.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_COLD inline Launch choose_scan_columns(const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                            const Device& device) {
    Launch l;
    l.name = "scan columns";
    l.vector = f.vector;
    l.vectors = scan_vectors<Device>;
    // Narrow strips when there are few: more blocks.
    l.dim_x = tile_width(f, layout, policy, static_cast<index_t>(device.units), 1);
    l.dim_y = largest(1U, smallest(smallest(policy.column_threads, most_column_threads(f)) / l.dim_x,
                                   threads_for(layout.walked_size, scan_vectors<Device>)));
    l.dim_y = whole_warps(l.dim_x, l.dim_y);
    l.grid = limited(column_tiles_of(f, layout, l.dim_x), 1, max_grid);
    l.why = "a strip of columns per block";
    return l;
}

FUSE_COLD inline Launch choose_scan_columns(const ProgramFacts& f, const Layout& layout, const Policy&, const Cpu&) {
    Launch l;
    l.name = "scan columns";
    l.vector = f.vector;
    l.vectors = scan_vectors<Cpu>;
    l.grid = limited(column_tiles_of(f, layout, 1), 1, max_grid);
    l.why = "a strip of columns per block";
    return l;
}

}  // namespace detail

FUSE_END_NAMESPACE
