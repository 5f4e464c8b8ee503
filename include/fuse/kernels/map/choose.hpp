// SPDX-License-Identifier: Apache-2.0
//
// The launch of a map.
#pragma once

#include "fuse/kernels/launch/choice.hpp"

FUSE_BEGIN_NAMESPACE

/// Vectors per thread and leaf.
template <Target T>
inline constexpr int map_vectors = 2;
template <>
inline constexpr int map_vectors<Cpu> = 1;

namespace detail {

FUSE_COLD inline Launch choose_map(const ProgramFacts& f, const Layout& layout, const Policy& policy, const Device&) {
    Launch l;
    l.name = "map";
    l.vector = f.vector;
    l.vectors = map_vectors<Device>;
    l.dim_x = policy.row_block_threads;
    l.share = static_cast<index_t>(l.dim_x) * f.vector * l.vectors;
    l.grid = limited(ceil_div(largest(layout.walked_size, layout.fill_size), l.share), 1, max_grid);
    l.why = "no reduction: one pass, every block its own tile";
    return l;
}

FUSE_COLD inline Launch choose_map(const ProgramFacts& f, const Layout& layout, const Policy& policy, const Cpu&) {
    Launch l;
    l.name = "map";
    l.vector = f.vector;
    l.vectors = map_vectors<Cpu>;
    // Shares begin where a vector may: one that began elsewhere would cross the end of a row.
    l.share = round_up(largest<index_t>(1, policy.host_block_items), f.vector);
    l.grid = limited(ceil_div(largest(layout.walked_size, layout.fill_size), l.share), 1, max_grid);
    l.why = "no reduction: one pass, a piece per block";
    return l;
}

}  // namespace detail

FUSE_END_NAMESPACE
