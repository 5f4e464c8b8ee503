// SPDX-License-Identifier: Apache-2.0
//
// The launch of a reduction whose rows are shared by several blocks.
#pragma once

#include "fuse/kernels/launch/choice.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_COLD inline Launch choose_split(const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                     const Device& device) {
    const index_t rows = layout.kept_size;
    const index_t bytes = layout.walked_size * f.item_bytes;
    if (!f.full && (rows == 0 || bytes <= policy.one_block_bytes || rows >= 2 * static_cast<index_t>(device.units))) {
        return no_launch("rows that a block each can fold");
    }
    const index_t vectors = largest<index_t>(1, ceil_div(layout.walked_size, f.vector));
    const index_t blocks = resident_blocks(policy, device);
    Launch l;
    l.name = "split";
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.dim_x = policy.long_row_threads;
    l.row = layout.walked_size;
    l.group = bytes <= policy.one_block_bytes
                  ? 1
                  : limited(ceil_div(bytes, policy.split_min_bytes), 1, largest<index_t>(1, blocks / rows));
    l.least_group =
        limited(ceil_div(vectors, static_cast<index_t>(l.dim_x) * longest_share), 1, most_waves * blocks / rows);
    l.group = largest(l.group, l.least_group);
    l.share = ceil_div(l.row, l.group);
    l.grid = l.group * rows;
    l.why = l.group == 1 ? "one block: no counter, no workspace"
                         : "few long rows: several blocks share one, the last to arrive finishes it";
    return l;
}

FUSE_COLD inline Launch choose_split(const ProgramFacts& f, const Layout& layout, const Policy& policy, const Cpu&) {
    if (layout.walked_size <= policy.host_block_items) {
        return no_launch("short rows");
    }
    Launch l;
    l.name = "split";
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.row = layout.walked_size;
    // Shares begin where a vector may: one that began elsewhere would cross the end of a row.
    l.share = round_up(largest<index_t>(1, policy.host_block_items), f.vector);
    l.group = ceil_div(l.row, l.share);
    l.grid = l.group * layout.kept_size;
    l.why = "long rows: pieces of a row in parallel, combined pairwise";
    return l;
}

}  // namespace detail

FUSE_END_NAMESPACE
