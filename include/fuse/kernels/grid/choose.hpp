// SPDX-License-Identifier: Apache-2.0
//
// The launch of a full reduction with several phases.
#pragma once

#include "fuse/kernels/launch/choice.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_COLD inline Launch choose_grid(const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                    const Device& device) {
    Launch l;
    l.name = "grid";
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.dim_x = policy.long_row_threads;
    l.row = layout.walked_size;
    l.grid = limited(ceil_div(l.row * f.item_bytes, policy.split_min_bytes), 1, resident_blocks(policy, device));
    l.group = l.grid;
    l.share = ceil_div(l.row, l.grid);
    l.why = "several phases over everything: all blocks wait for each other between them";
    return l;
}

FUSE_COLD inline Launch choose_grid(const ProgramFacts& f, const Layout& layout, const Policy& policy, const Cpu&) {
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

}  // namespace detail

FUSE_END_NAMESPACE
