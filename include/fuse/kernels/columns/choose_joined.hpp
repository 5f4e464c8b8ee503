// SPDX-License-Identifier: Apache-2.0
//
// The launch of columns whose rows are joined (plan/joined_rows.hpp).
#pragma once

#include "fuse/kernels/columns/joined_folds.hpp"
#include "fuse/kernels/columns/tiles.hpp"
#include "fuse/plan/joined_rows.hpp"

#if !FUSE_ON_DEVICE

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Threads along y of a block for so many lines of some vectors: each has a few lines, and what they fold has `room` bytes.
template <class Facts>
unsigned depth_of_lines(const Facts& f, index_t lines, unsigned vectors, unsigned threads, std::size_t room) {
    constexpr index_t least = 4;
    const auto bytes = static_cast<std::size_t>(f.sweep_bytes);
    auto depth = static_cast<unsigned>(limited(threads / vectors, 1, ceil_div(lines, least)));
    while (depth > 1 && halving_fold_scratch_bytes(depth, vectors, bytes) > room) {
        --depth;
    }
    return depth;
}

/// Bytes of what a block folds of so many columns.
template <class Facts>
index_t columns_bytes(const Facts& f, index_t columns) {
    return columns * (f.sweep_bytes / f.vector);
}

/// Whether columns in lines of several rows are faster than in other ways; held: these hold them in registers. What is folded once
/// without a division is read as fast in vectors of one row, if it has such, and clusters finish it sooner where it is little.
template <class Facts>
FUSE_COLD bool joins_rows(const Facts& f, const Layout& layout, const Policy& policy, bool held) {
    constexpr index_t few = 64;
    constexpr index_t some = 128;
    const index_t items = policy.joined_column_items;
    const index_t columns = layout.x_size;
    const index_t of_one_index = layout.walked_size * columns;
    const index_t elements = of_one_index * layout.kept_size;
    const bool vectors = columns % f.vector == 0;
    const bool many = elements >= 8 * items;
    if (!layout.joined || along_memory(layout)) {
        return layout.joined;
    }
    if (held) {
        return !vectors && columns > 2 && layout.kept_size >= few && 2048 * of_one_index >= items;
    }
    if (!f.one_phase()) {
        return 128 * of_one_index >= items && (columns <= some || many);
    }
    if (layout.kept_size > 1 && (vectors || 4 * of_one_index < items)) {
        return false;
    }
    if (f.folds_runs ? 4 * elements < items : vectors || elements < items) {
        return false;
    }
    return columns <= few || (!vectors && columns <= some && many);
}

/// False: others are faster, or no block has room for what so many columns fold.
template <class Facts>
FUSE_COLD bool choose_joined(Launch& l, const Facts& f, const Layout& layout, const Policy& policy,
                             const Device& device, bool held) {
    constexpr index_t least = 4;  // lines for each thread of one of several blocks
    if (!joins_rows(f, layout, policy, held)) {
        return false;
    }
    const JoinedRows line(layout.x_size, f.vector);
    const auto vectors = static_cast<unsigned>(line.vectors);
    const index_t lines = ceil_div(layout.walked_size, line.rows);
    // Of blocks of half as many threads a multiprocessor has two or more, one of which reads while another folds.
    const bool many = layout.kept_size >= static_cast<index_t>(device.units);
    const unsigned threads = policy.column_threads / (many ? 2 : 1);
    const unsigned depth = depth_of_lines(f, lines, vectors, threads, column_fold_bytes);
    if (vectors * depth < layout.x_size || vectors > policy.column_threads) {
        return false;
    }
    l.joined = true;
    l.kernel = static_cast<int>(ColumnsKernels::joined);
    l.dim_x = vectors;
    l.dim_y = depth;
    l.rereads = !f.one_sweep;
    const index_t tiles = limited(layout.kept_size, 1, max_grid);
    const index_t wanted = resident_blocks(policy, device);
    if (f.one_sweep) {
        const index_t most = largest<index_t>(1, most_waves * wanted / tiles);
        l.least_group = limited(ceil_div(lines, longest_share * l.dim_y), 1, most);
    }
    l.group = largest(l.least_group, limited(wanted / tiles, 1, ceil_div(lines, least * l.dim_y)));
    // Little: a cluster meets sooner than blocks that do not run together.
    const index_t clustered = smallest<index_t>(smallest(device.cluster_blocks, max_cluster_blocks), l.group);
    if (!f.one_sweep && clustered > 1 && l.group <= 2 * clustered &&
        columns_bytes(f, layout.x_size) <= static_cast<index_t>(joined_cluster_bytes)) {
        l.cluster = std::bit_floor(static_cast<unsigned>(clustered));
        l.dim_y = depth_of_lines(f, lines, vectors, threads, joined_fold_bytes);
        l.group = 1;
        l.share = ceil_div(layout.walked_size, l.cluster);
    }
    l.grid = tiles * l.group * l.cluster;
    l.name = l.cluster > 1 ? "joined columns clustered" : l.group > 1 ? "joined columns shared" : "joined columns";
    return true;
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
