// SPDX-License-Identifier: Apache-2.0
//
// The launch of scans along short rows.
#pragma once

#include <bit>

#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/kernels/short_rows/choose.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
Launch choose_short_scan(const Facts& f, std::size_t (*shared_bytes)(const Launch&), const Layout& layout,
                         const Policy& policy, const Device& device);

#else

/// shared_bytes: of a launch, all dynamic shared memory.
template <class Facts>
FUSE_COLD Launch choose_short_scan(const Facts& f, std::size_t (*shared_bytes)(const Launch&), const Layout& layout,
                                   const Policy& policy, const Device& device) {
    const index_t n = layout.walked_size;
    const index_t few = smallest<index_t>(short_row_elements, policy.thread_row_elements);
    if (n < 2 || n > longest_tiled_scan) {
        return no_launch("rows of one element, or of more than a few threads read in shared memory");
    }
    if (layout.stretched) {
        return no_launch("operands of extent 1 that others stretch");
    }
    if (!layout.one_piece && n > few) {
        return no_launch("rows that each thread would copy by itself");
    }
    constexpr index_t filling = 64;
    if (!f.backwards && layout.vectors && n >= filling && std::has_single_bit(static_cast<std::uint64_t>(n))) {
        return no_launch("rows of whole vectors that fill their threads");
    }
    constexpr index_t all_banks = 128;  // bytes
    constexpr index_t most_conflicts = 4;
    constexpr std::size_t many_warps_have = 24 * 1024;
    constexpr unsigned warp = 32;
    const index_t alone = largest(few, ceil_div(n, warp));
    unsigned threads = threads_for(n, alone);
    // Rows that are a multiple of many banks apart share a warp with fewer others.
    const index_t bytes = n * f.item_bytes;
    const index_t apart = smallest(bytes & -bytes, all_banks);
    while (threads < warp && n >= few && warp / threads * apart > most_conflicts * all_banks) {
        threads *= 2;
    }
    Launch l = lay_row_tiles(shared_bytes, layout, threads, policy, device);
    if (alone > few && l.shared_bytes > many_warps_have) {
        return no_launch("rows of which a multiprocessor holds too few");
    }
    l.name = "scan short";
    l.kernel = static_cast<int>(ScanKernels::tiled);
    l.why =
        l.dim_x > 1 ? "a few threads per row, by way of shared memory" : "a thread per row, by way of shared memory";
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
