// SPDX-License-Identifier: Apache-2.0
//
// The launch of a reduction whose rows are shared by several blocks.
#pragma once

#include <bit>

#include "fuse/kernels/launch/choice.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Facts>
Launch choose_split(const Facts& f, const Layout& layout, const Policy& policy, const Device& device);
template <class Facts>
Launch choose_split(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&);

#else

template <class Facts>
FUSE_COLD Launch choose_split(const Facts& f, const Layout& layout, const Policy& policy, const Device& device) {
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
    const index_t most = largest<index_t>(1, blocks / rows);
    l.group = bytes <= policy.one_block_bytes ? 1 : limited(ceil_div(bytes, policy.split_min_bytes), 1, most);
    const unsigned small = largest(32U, l.dim_x / 2);
    const index_t words = ceil_div(f.fold_bytes / f.vector, 4);
    if (l.group == 1) {
        l.dim_x = smallest(l.dim_x, largest(128U, round_up_warp(ceil_div(vectors, l.vectors))));
    } else if (f.full && bytes <= small * policy.full_most_bytes) {
        // As many blocks as one of them can hear of at once, a thread each; of several words, which it hears of longer than
        // a few blocks more would take to fold, no more than multiprocessors. Those of little are small: the fewer threads,
        // the sooner a block has begun, and is done.
        const bool few = words > 1 && bytes <= 2 * static_cast<index_t>(device.units) * policy.split_min_bytes;
        const unsigned heard = few ? std::bit_floor(device.units) : small;
        l.group = limited(ceil_div(bytes, policy.full_min_bytes), 1, smallest<index_t>(heard, most));
        l.dim_x = bytes > l.group * policy.split_min_bytes / (few ? 1 : 2) ? l.dim_x : small;
    }
    // Blocks that send what they have need room for that: also in whole waves, which are at most twice as many.
    const index_t room = f.full && words <= most_message_words ? (counter_bytes / 8 - 1) / words / 2 : max_grid;
    l.least_group = limited(ceil_div(vectors, static_cast<index_t>(l.dim_x) * longest_share), 1,
                            smallest(room, most_waves * blocks / rows));
    l.group = smallest(l.group, room);
    l.group = largest(l.group, l.least_group);
    l.share = ceil_div(l.row, l.group);
    l.grid = l.group * rows;
    l.why = l.group == 1 ? "one block: no counter, no workspace"
                         : "few long rows: several blocks share one, the last to arrive finishes it";
    return l;
}

template <class Facts>
FUSE_COLD Launch choose_split(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&) {
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

#endif

}  // namespace detail

FUSE_END_NAMESPACE
