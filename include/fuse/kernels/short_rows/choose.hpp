// SPDX-License-Identifier: Apache-2.0
//
// The launch of reductions along short rows.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/short_rows/ladder.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// shared_bytes: of a launch, all dynamic shared memory.
FUSE_COLD inline Launch choose_short_rows(const ProgramFacts& f, std::size_t (*shared_bytes)(const Launch&),
                                          const Layout& layout, const Policy& policy, const Device& device) {
    constexpr std::size_t any_launch_has = 48 * 1024;
    constexpr index_t shortest = 5;  // of fewer elements each the lines of memory that a warp touches meet in the cache
    const index_t n = layout.walked_size;
    const index_t rows = layout.kept_size;
    if (n < shortest || n > smallest<index_t>(longest_short_row, policy.thread_row_elements)) {
        return no_launch("rows of very few elements, or that several threads share");
    }
    if (layout.stretched) {
        return no_launch("operands of extent 1 that others stretch");
    }
    if (layout.vectors && n % f.vector == 0) {
        return no_launch("rows of whole vectors");
    }
    Launch l;
    l.name = "rows short";
    l.vectors = longest_short_row;
    l.dim_y = smallest(short_row_threads, round_up_warp(largest<index_t>(1, rows)));
    while (shared_bytes(l) > any_launch_has / 2 && l.dim_y > 32) {
        l.dim_y = whole_warps(1, l.dim_y / 2);
    }
    if (shared_bytes(l) > any_launch_has) {
        return no_launch("more operands than shared memory holds");
    }
    const index_t blocks = limited(ceil_div(rows, l.dim_y), 1, max_grid);
    const index_t persistent = static_cast<index_t>(device.units) * largest(1U, device.threads_per_unit / l.dim_y);
    l.grid = f.epilogue ? smallest(blocks, persistent) : blocks;
    l.group = f.epilogue ? l.grid : 1;
    l.why = "a thread per row, by way of shared memory";
    return l;
}

}  // namespace detail

FUSE_END_NAMESPACE
