// SPDX-License-Identifier: Apache-2.0
//
// Which rows are held in the registers of clusters of blocks, and in how large ones. What the bounds are worth was measured
// (docs/journal.md, "Few long rows in the registers of clusters").
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/rows/ladder.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
bool cluster_rows(Launch& l, const ProgramFacts& f, const Layout& layout, const Policy& policy, const Device& device,
                  bool registers);

#else

/// Rows in vectors so few that clusters hold all of them at once. Registers: those of one block would hold a row else. False: they
/// are too many or too short, or no cluster can hold one.
FUSE_COLD inline bool cluster_rows(Launch& l, const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                   const Device& device, bool registers) {
    const index_t vectors = layout.walked_size / f.vector;
    if (vectors < policy.clustered_row_vectors || layout.kept_size == 0 || layout.stretched ||
        !(layout.shared || layout.vectors) || vectors * f.vector != layout.walked_size ||
        f.fold_bytes > clustered_value_bytes * f.vector) {
        return false;
    }
    // Most blocks on a multiprocessor. One phase is as fast in the registers of a block, until rows leave most of the device
    // idle, and beyond one_block_bytes several blocks share a row (kernels/split/); more phases are, but where the threads of
    // long rows read something else when they write. Shared memory has as many rows that one block holds as there are blocks
    // for; longer ones wait for each other, and an online phase costs more than those of registers.
    constexpr index_t one_block = index_t{row_block_threads(resident_ladder[2])} * resident_ladder[2];
    index_t most = policy.clustered_blocks_per_unit;
    if (f.one_phase()) {
        most = layout.walked_size * f.item_bytes > policy.one_block_bytes ? 2 * most : most / 4;
    } else if (registers) {
        most = f.has_beside ? most : vectors > one_block / 4 * 3 ? most / 2 : 0;
    } else {
        most *= f.online ? 8 : vectors > one_block ? 4 : 1;
    }
    // As many blocks as hold a row with all their threads, and more of fewer threads where these leave the device idle.
    const auto units = static_cast<index_t>(device.units);
    index_t threads = ceil_div(vectors, index_t{clustered_vectors});
    index_t blocks = layout.kept_size;  // of all rows
    l.cluster = 1;
    while (l.cluster < device.cluster_blocks &&
           (threads > clustered_threads || (blocks <= 2 * units && threads > clustered_min_threads))) {
        l.cluster *= 2;
        blocks *= 2;
        threads = (threads + 1) / 2;
    }
    if (threads > clustered_threads || blocks > most * units) {
        l.cluster = 1;
        return false;
    }
    l.name = "rows clustered";
    l.kernel = static_cast<int>(RowsKernels::four);
    l.vector = f.vector;
    l.vectors = clustered_vectors;
    l.dim_x = round_up_warp(threads);
    l.share = layout.walked_size;
    l.grid = blocks;
    l.why = "few long rows: a cluster of blocks each, held in their registers";
    return true;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
