// SPDX-License-Identifier: Apache-2.0
//
// The launch of a full reduction, or of few long rows, with several phases.
#pragma once

#include "fuse/kernels/launch/choice.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
Launch choose_grid(const Facts& f, const Layout& layout, const Policy& policy, const Device& device);
template <class Facts>
Launch choose_grid(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&);

#else

template <class Facts>
FUSE_COLD Launch choose_grid(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
    const index_t rows = layout.kept_size;
    const index_t bytes = layout.walked_size * f.item_bytes;
    const index_t most = resident_blocks(policy, device) / largest<index_t>(1, rows);
    if (!f.full && (rows == 0 || most < 2 || bytes <= policy.register_row_bytes)) {
        return no_launch("rows that a block each can take");
    }
    if (!f.full && device.bulk_copies && layout.lines && fits_cluster(f.staged_bytes, layout, device)) {
        return no_launch("rows that a cluster of blocks can hold");
    }
    // Items in pieces that are no vectors cost a sweep twice the time: fewer rows are better held then.
    const bool singles = layout.walked.count > 1 && !layout.vectors && !layout.shared;
    // Those beside items that are the same for a vector, and not in lines, no block holds in shared memory.
    const bool holds = layout.vectors || !layout.shared;
    if (!f.full && holds && fits_one_block(f.staged_bytes, layout, device) &&
        (layout.walked.count > 1 || layout.walked_size % f.vector == 0) &&
        4 * rows >= (singles ? 2 : 3) * static_cast<index_t>(device.units)) {
        return no_launch("rows that a block each can hold, as many as keep most multiprocessors busy");
    }
    Launch l;
    l.name = "grid";
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.rereads = true;
    l.backwards = rows * layout.walked_size * (f.buffered_bytes / f.vector) > policy.backwards_bytes;
    l.dim_x = policy.long_row_threads;
    l.row = layout.walked_size;
    l.group = limited(ceil_div(bytes, policy.split_min_bytes), 1, largest<index_t>(1, most));
    l.share = ceil_div(l.row, l.group);
    l.grid = l.group * largest<index_t>(1, rows);
    l.why = f.full ? "several phases over everything: all blocks wait for each other between them"
                   : "few long rows: several blocks share one, and wait for each other between the phases";
    return l;
}

template <class Facts>
FUSE_COLD Launch choose_grid(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&) {
    constexpr index_t most_pieces = 64;
    if (layout.walked_size <= policy.host_block_items) {
        return no_launch("short: one thread does it");
    }
    Launch l;
    l.name = "grid";
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.row = layout.walked_size;
    const index_t pieces = ceil_div(l.row, round_up(largest<index_t>(1, policy.host_block_items), f.vector));
    l.share = round_up(ceil_div(l.row, smallest(pieces, most_pieces)), f.vector);
    l.grid = ceil_div(l.row, l.share);
    l.group = l.grid;
    l.why = "one long row with several phases: pieces in parallel";
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
