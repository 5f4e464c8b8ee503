// SPDX-License-Identifier: Apache-2.0
//
// The launch of reductions along short rows.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/short_rows/ladder.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
Launch choose_short_rows(const Facts& f, std::size_t (*shared_bytes)(const Launch&), const Layout& layout,
                         const Policy& policy, const Device& device);

#else

/// Blocks that take rows by way of shared memory, each by so many threads. shared_bytes(launch): all dynamic shared memory.
template <class Bytes>
FUSE_RARE Launch lay_row_tiles(const Bytes& shared_bytes, const Layout& layout, unsigned threads, const Policy& policy,
                               const Device& device) {
    constexpr std::size_t any_launch_has = 48 * 1024;
    const index_t n = layout.walked_size;
    const index_t rows = layout.kept_size;
    Launch l;
    l.vectors = short_row_elements;
    l.dim_x = threads;
    const auto teams = static_cast<unsigned>(limited(rows, 1, short_row_threads / l.dim_x));
    l.dim_y = whole_warps(l.dim_x, teams);
    // Of very short rows a thread takes several, where there are enough to fill the device all the same.
    const index_t filling = ceil_div(rows, resident_blocks(policy, device)) / l.dim_y;
    index_t turns = limited(smallest(filling, short_rows_elements * l.dim_x / n), 1, short_row_elements);
    while (true) {
        l.share = turns * l.dim_y * n;
        l.shared_bytes = shared_bytes(l);
        if (l.shared_bytes <= any_launch_has / 2 || (turns <= 1 && l.threads() <= 32)) {
            break;
        }
        if (turns > 1) {
            turns /= 2;
        } else {
            l.dim_y = whole_warps(l.dim_x, l.dim_y / 2);
        }
    }
    if (l.shared_bytes > any_launch_has) {
        return no_launch("more operands than shared memory holds");
    }
    l.grid = limited(ceil_div(rows, turns * l.dim_y), 1, max_grid);
    return l;
}

template <class Facts>
FUSE_RARE Launch choose_short_rows(const Facts& f, std::size_t (*shared_bytes)(const Launch&), const Layout& layout,
                                   const Policy& policy, const Device& device) {
    const index_t n = layout.walked_size;
    const index_t rows = layout.kept_size;
    const index_t alone = smallest<index_t>(short_row_elements, policy.thread_row_elements);
    // Longer ones cost less in the registers of a few threads, and so do few: reads of shared memory wait for each other.
    const index_t longest = f.ordered || rows < 8 * static_cast<index_t>(device.units)
                                ? alone
                                : limited(alone + more_short_vectors * f.vector, alone, alone * short_row_lanes);
    if (n < 1 || n > longest) {
        return no_launch("rows without elements, or of more than a few threads read in shared memory");
    }
    if (layout.stretched) {
        return no_launch("operands of extent 1 that others stretch");
    }
    if (layout.vectors && n % f.vector == 0) {
        return no_launch("rows of whole vectors");
    }
    Launch l = lay_row_tiles(shared_bytes, layout, threads_for(n, alone), policy, device);
    if (l.grid == 0) {
        return l;
    }
    l.name = "rows short";
    const index_t persistent = static_cast<index_t>(device.units) * largest(1U, device.threads_per_unit / l.threads());
    l.grid = f.epilogue ? smallest(l.grid, persistent) : l.grid;
    l.group = f.epilogue ? l.grid : 1;
    l.why =
        l.dim_x > 1 ? "a few threads per row, by way of shared memory" : "a thread per row, by way of shared memory";
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
