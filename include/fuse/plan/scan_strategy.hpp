// SPDX-License-Identifier: Apache-2.0
//
// The run-time choice for scans.
#pragma once

#include "fuse/error.hpp"
#include "fuse/plan/strategy_types.hpp"
#include "fuse/primitives/grid/lookback_state.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

[[noreturn]] FUSE_COLD inline void throw_row_too_long(index_t n, index_t most) {
    throw shape_error(Text() << "a row of " << n << " elements is too long to sort: at most " << most
                             << " fit the shared memory of a block on this device");
}

/// A block per row, which it holds in one half of its shared memory.
FUSE_COLD inline Strategy choose_sort(const ProgramFacts& f, const Layout& layout, const Device& device) {
    constexpr index_t padding = 256;  // of several arrays, to 16 bytes each
    const index_t n = layout.seq_size;
    const index_t most = (device.shared_bytes / 2 - padding) / f.sort_bytes;
    if (n > most) {
        throw_row_too_long(n, most);
    }
    Strategy s;
    s.kernel = KernelKind::sort_rows;
    s.dim_x = std::max(32U, std::min(512U, lanes_for(n, 2)));
    s.grid = limited(layout.outer_size, 1, max_grid);
    s.chunk = n;
    s.why = "a block per row, sorted in its shared memory";
    return s;
}

FUSE_COLD inline Strategy choose_host_sort(const Layout& layout) {
    constexpr index_t most_blocks = 64;  // each has memory for a row
    if (layout.seq_size > 0x7fffffff) {
        throw_row_too_long(layout.seq_size, 0x7fffffff);
    }
    Strategy s;
    s.kernel = KernelKind::sort_rows;
    s.grid = limited(layout.outer_size, 1, most_blocks);
    s.chunk = layout.seq_size;
    s.why = "rows spread over the cores";
    return s;
}

/// Many blocks per row, with two tiles in hand each; false where that is not to be had.
FUSE_COLD inline bool choose_lookback(Strategy& s, const ProgramFacts& f, index_t n, index_t rows, const Policy& policy,
                                      const Device& device) {
    const int vectors = lookback_vectors(f);
    const auto units = static_cast<index_t>(device.units);
    const auto tiles = [&](unsigned threads) {
        return ceil_div(n, static_cast<index_t>(threads) * f.vector * vectors);
    };
    const auto fits = [&](unsigned threads) { return lookback_shared_bytes(f, threads) <= device.shared_bytes; };
    unsigned threads = policy.lookback_threads;
    while (threads > policy.lookback_min_threads && (!fits(threads) || rows * tiles(threads) < 2 * units)) {
        threads /= 2;
    }
    const index_t all = rows * tiles(threads);
    if (!fits(threads) || all > max_grid) {
        return false;
    }
    s.kernel = KernelKind::scan_lookback;
    s.vectors = vectors;
    s.dim_x = threads;
    // As many as are resident: two of 512 threads per multiprocessor.
    s.grid = std::min(all, units * 2 * static_cast<index_t>(policy.lookback_threads / threads));
    s.chunk = lookback_state_words(tiles(threads), rows, threads, f.scan_words);
    s.why = "few long rows: many blocks each, one pass, tiles look back at those before them";
    return true;
}

/// Rows are scanned by a few lanes, a warp or a block each; long rows that are too few to fill the device by many blocks
/// in one pass; columns by strips.
FUSE_COLD inline Strategy choose_scan(const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                      const Device& device) {
    Strategy s;
    s.vector = f.vector;
    s.vectors = scan_vectors;
    const index_t n = layout.seq_size;
    if (f.columns) {
        s.kernel = KernelKind::scan_columns;
        const index_t vectors = ceil_div(layout.x_size, f.vector);
        s.dim_x = std::min(policy.column_lanes, lanes_for(vectors, 1));
        // Narrow strips when there are few: more blocks.
        while (s.dim_x > policy.column_min_lanes &&
               ceil_div(vectors, s.dim_x) * layout.outer_size < static_cast<index_t>(device.units)) {
            s.dim_x /= 2;
        }
        const unsigned most = std::bit_floor(static_cast<unsigned>(column_fold_bytes / f.fold_bytes));
        s.dim_y = std::max(1U, std::min(std::min(policy.column_threads, most) / s.dim_x, lanes_for(n, scan_vectors)));
        s.dim_y = whole_warps(s.dim_x, s.dim_y);
        s.grid =
            limited(ceil_div(layout.x_size, static_cast<index_t>(s.dim_x) * f.vector) * layout.outer_size, 1, max_grid);
        s.why = "a strip of columns per block";
        return s;
    }
    const index_t rows = layout.outer_size;
    const index_t per_thread = static_cast<index_t>(f.vector) * scan_vectors;
    if (n > per_thread * policy.long_row_threads && rows > 0 && !layout.stretched &&
        rows < 2 * static_cast<index_t>(device.units) && choose_lookback(s, f, n, rows, policy, device)) {
        return s;
    }
    s.kernel = KernelKind::scan_rows;
    const unsigned lanes = lanes_for(n, per_thread);
    s.dim_x = lanes <= 32 ? lanes : std::min(round_up_warp(ceil_div(n, per_thread)), policy.long_row_threads);
    s.dim_y = s.dim_x > 32 ? 1 : static_cast<unsigned>(std::min<index_t>(policy.row_block_threads / s.dim_x, rows));
    s.dim_y = whole_warps(s.dim_x, std::max(1U, s.dim_y));
    s.grid = limited(ceil_div(rows, s.dim_y), 1, max_grid);
    s.why = s.dim_x > 32 ? "a block per row" : "a warp or less per row, no barrier";
    return s;
}

/// The same on the host. Pieces of long rows are as many as their length asks for, not as there are cores: results must
/// not depend on the machine.
FUSE_COLD inline Strategy choose_host_scan(const ProgramFacts& f, const Layout& layout, const Policy& policy) {
    constexpr index_t most_pieces = 64;
    Strategy s;
    s.vector = f.vector;
    const index_t n = layout.seq_size;
    const index_t rows = layout.outer_size;
    if (f.columns) {
        s.kernel = KernelKind::scan_columns;
        s.grid = limited(ceil_div(layout.x_size, f.vector) * rows, 1, max_grid);
        s.why = "a strip of columns per block";
    } else if (n > policy.host_block_items && rows < most_pieces && !layout.stretched) {
        s.kernel = KernelKind::scan_split;
        s.chunk = round_up(std::max(policy.host_block_items, ceil_div(n, most_pieces)), f.vector);
        s.group = ceil_div(n, s.chunk);
        s.grid = s.group * rows;
        s.why = "long rows: pieces in parallel, folded first, then scanned";
    } else {
        s.kernel = KernelKind::scan_rows;
        const index_t rows_per_block = std::max<index_t>(1, policy.host_block_items / std::max<index_t>(1, n));
        s.grid = limited(ceil_div(rows, rows_per_block), 1, max_grid);
        s.why = "rows spread over the cores";
    }
    return s;
}

}  // namespace detail

FUSE_END_NAMESPACE
