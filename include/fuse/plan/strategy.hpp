// SPDX-License-Identifier: Apache-2.0
//
// The run-time choice inside a family: which kernel of the ladder, how many threads share a row or a column, how many
// blocks. Pure functions of numbers, tested by a golden table and on shapes far beyond any memory.
#pragma once

#include "fuse/plan/scan_strategy.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_COLD inline Strategy choose_rows(const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                      const Device& device) {
    const index_t n = layout.seq_size;
    const index_t rows = layout.outer_size;
    const index_t bytes = n * f.item_bytes;
    const index_t vectors = std::max<index_t>(1, ceil_div(n, f.vector));
    const index_t resident_blocks = static_cast<index_t>(device.units) * policy.blocks_per_unit;
    Strategy s;
    s.vector = f.vector;

    const bool one_phase = f.phases == 1 && !f.writes_items && !f.epilogue;
    const bool few_long_rows = bytes > policy.one_block_bytes && rows < 2 * static_cast<index_t>(device.units);
    if (one_phase && (f.full || few_long_rows)) {
        s.kernel = KernelKind::split;
        s.vectors = sweep_vectors;
        s.dim_x = policy.long_row_threads;
        s.group = bytes <= policy.one_block_bytes ? 1
                                                  : limited(ceil_div(bytes, policy.split_min_bytes), 1,
                                                            std::max<index_t>(1, resident_blocks / rows));
        s.least_group = limited(ceil_div(vectors, static_cast<index_t>(s.dim_x) * longest_share), 1,
                                most_waves * resident_blocks / rows);
        s.group = std::max(s.group, s.least_group);
        s.chunk = ceil_div(n, s.group);
        s.grid = s.group * rows;
        s.why = s.group == 1 ? "one block: no counter, no workspace"
                             : "few long rows: several blocks share one, the last to arrive finishes it";
        return s;
    }
    if (f.full && !one_phase) {
        s.kernel = KernelKind::grid;
        s.vectors = sweep_vectors;
        s.dim_x = policy.long_row_threads;
        s.grid = limited(ceil_div(bytes, policy.split_min_bytes), 1, resident_blocks);
        s.group = s.grid;
        s.chunk = ceil_div(n, s.grid);
        s.why = "several phases over everything: all blocks wait for each other between them";
        return s;
    }

    // Held whole: in vectors where they divide the row, else item by item.
    const bool items = n % f.vector != 0 || !layout.vectors;
    const index_t units = items ? n : std::max<index_t>(1, n / f.vector);
    const index_t per_thread = items ? item_ladder[0] : resident_ladder[2];
    const index_t preferred = items ? per_thread : std::min<index_t>(per_thread, policy.row_block_vectors);
    if (f.ordered || n == 0 || layout.stretched || units > row_threads * per_thread) {
        s.kernel = KernelKind::rows_swept;
        s.vectors = sweep_vectors;
        s.dim_x = std::min(round_up_warp(vectors), policy.long_row_threads);
        s.why = f.ordered          ? "an op that does not commute: contiguous pieces per thread"
                : layout.stretched ? "operands of extent 1 that others stretch: element by element"
                                   : "rows larger than the registers of a block: read again by each phase";
    } else {
        s.kernel = KernelKind::rows_resident;
        s.vector = items ? 1 : f.vector;
        if (bytes <= policy.short_row_bytes) {
            s.dim_x = std::min(policy.short_row_lanes, lanes_for(units, policy.short_row_vectors * (items ? 4 : 1)));
            s.why = "short rows: a few lanes each";
        } else if (bytes <= policy.warp_row_bytes && rows >= static_cast<index_t>(device.units)) {
            s.dim_x = 32;
            s.why = "a warp per row, no barrier";
        } else {
            s.dim_x = round_up_warp(ceil_div(units, preferred));
            if (static_cast<index_t>(s.dim_x) > row_block_threads(static_cast<int>(preferred))) {
                s.dim_x = round_up_warp(ceil_div(units, per_thread));
            }
            s.why = "a block per row, held in registers";
        }
        const auto step = [&] {
            const index_t each = ceil_div(units, s.dim_x);
            return items ? ladder_step(item_ladder, each) : ladder_step(resident_ladder, each);
        };
        while (step() == 0) {
            s.dim_x *= 2;
        }
        s.vectors = step();
    }
    // Rows of one block wait for each other at barriers, so only rows that need none share a block.
    s.dim_y = s.dim_x > 32 ? 1 : std::max(1U, policy.row_block_threads / s.dim_x);
    s.dim_y = static_cast<unsigned>(std::min<index_t>(s.dim_y, std::max<index_t>(1, rows)));
    s.dim_y = whole_warps(s.dim_x, s.dim_y);
    const index_t blocks = std::max<index_t>(1, ceil_div(rows, s.dim_y));
    const index_t persistent =
        static_cast<index_t>(device.units) * std::max(1U, device.threads_per_unit / std::max(32U, s.dim_x * s.dim_y));
    s.grid = f.epilogue ? std::min(blocks, persistent) : std::min(blocks, max_grid);
    s.group = f.epilogue ? s.grid : 1;
    return s;
}

FUSE_COLD inline Strategy choose_columns(const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                         const Device& device) {
    Strategy s;
    s.vector = f.vector;
    const index_t n = layout.seq_size;
    const index_t vectors = std::max<index_t>(1, ceil_div(layout.x_size, f.vector));
    const index_t wanted = static_cast<index_t>(device.units) * policy.blocks_per_unit;
    const auto tiles_of = [&](unsigned lanes) {
        return ceil_div(layout.x_size, static_cast<index_t>(lanes) * f.vector) * layout.outer_size;
    };
    s.dim_x = std::min(policy.column_lanes, lanes_for(vectors, 1));
    // Narrow tiles when there are few: more blocks, and less for the last of them to fold.
    while (s.dim_x > policy.column_min_lanes && tiles_of(s.dim_x) * policy.column_max_group < wanted) {
        s.dim_x /= 2;
    }
    const unsigned most = std::bit_floor(static_cast<unsigned>(column_fold_bytes / f.fold_bytes));
    if (most < 32) {
        s.dim_x = 32;  // one thread per column folds alone
    }
    s.dim_y = std::min(std::min(policy.column_threads, most) / s.dim_x, lanes_for(std::max<index_t>(1, n), 1));
    s.dim_y = whole_warps(s.dim_x, std::max(1U, s.dim_y));
    const index_t tiles = tiles_of(s.dim_x);
    if (f.phases == 1 && !f.writes_items && tiles < wanted && n > 2 * s.dim_y * sweep_vectors) {
        s.kernel = KernelKind::column_split;
        s.vectors = sweep_vectors;
        s.group = limited(wanted / std::max<index_t>(1, tiles), 1,
                          ceil_div(n, static_cast<index_t>(s.dim_y) * sweep_vectors));
        s.group = std::max(s.group, limited(ceil_div(n, s.dim_y * longest_share), 1, most_waves * wanted / tiles));
        s.chunk = ceil_div(n, s.group);
        s.group = ceil_div(n, s.chunk);
        s.grid = s.group * tiles;
        s.why = "few column tiles: several blocks share one, the last to arrive finishes it";
        return s;
    }
    s.grid = limited(tiles, 1, max_grid);
    for (const int step : column_ladder) {
        for (unsigned depth = s.dim_y; s.vectors == 1 && depth * s.dim_x <= std::min(resident_column_threads, most);
             depth *= 2) {
            if (!f.ordered && !layout.stretched && (f.phases > 1 || f.writes_items) &&
                n <= static_cast<index_t>(depth) * step) {
                s.kernel = KernelKind::columns_resident;
                s.vectors = step;
                s.dim_y = depth;
                s.why = "short columns, held in registers";
            }
        }
    }
    if (s.kernel != KernelKind::columns_resident) {
        s.kernel = KernelKind::columns_swept;
        s.vectors = sweep_vectors;
        s.why = f.phases > 1 || f.writes_items ? "long columns: read again by each phase" : "one sweep per column";
    }
    return s;
}

FUSE_COLD inline Strategy choose_map(const ProgramFacts& f, const Layout& layout, const Policy& policy) {
    Strategy s;
    s.vector = f.vector;
    s.kernel = KernelKind::map;
    s.dim_x = policy.row_block_threads;
    s.vectors = map_vectors;
    s.chunk = static_cast<index_t>(s.dim_x) * f.vector * s.vectors;
    s.grid = limited(ceil_div(std::max(layout.seq_size, layout.fill_size), s.chunk), 1, max_grid);
    s.why = "no reduction: one pass, every block its own tile";
    return s;
}

FUSE_COLD inline Strategy choose_host_family(const ProgramFacts& f, const Layout& layout, const Policy& policy) {
    Strategy s;
    s.vector = f.vector;
    const index_t n = layout.seq_size;
    // Shares begin where a vector may: one that began elsewhere would cross the end of a row.
    const index_t piece = round_up(std::max<index_t>(1, policy.host_block_items), f.vector);
    const index_t blocks = std::max<index_t>(1, ceil_div(n, piece));
    if (!f.reduces) {
        s.chunk = piece;
        s.grid = limited(ceil_div(std::max(n, layout.fill_size), piece), 1, max_grid);
        s.why = "no reduction: one pass, a piece per block";
    } else if (f.columns) {
        s.kernel = KernelKind::columns_swept;
        s.grid = limited(ceil_div(layout.x_size, f.vector) * layout.outer_size, 1, max_grid);
        s.why = "a strip of columns per block";
    } else if (f.phases == 1 && !f.writes_items && !f.epilogue && n > policy.host_block_items) {
        s.kernel = KernelKind::split;
        s.group = blocks;
        s.chunk = piece;
        s.grid = blocks * layout.outer_size;
        s.why = "long rows: pieces of a row in parallel, combined pairwise";
    } else if (f.full && n > policy.host_block_items) {
        s.kernel = KernelKind::grid;
        s.chunk = round_up(ceil_div(n, std::min<index_t>(blocks, 64)), f.vector);
        s.grid = ceil_div(n, s.chunk);
        s.group = s.grid;
        s.why = "one long row with several phases: pieces in parallel";
    } else {
        const index_t rows_per_block = std::max<index_t>(1, policy.host_block_items / std::max<index_t>(1, n));
        s.kernel = KernelKind::rows_swept;
        s.grid = limited(ceil_div(layout.outer_size, rows_per_block), 1, max_grid);
        s.group = f.epilogue ? s.grid : 1;
        s.why = "rows spread over the cores";
    }
    return s;
}

}  // namespace detail

/// The strategy on a GPU for a program of these facts (plan_facts): a file compiles the choice of its own families alone.
template <class Facts>
FUSE_COLD Strategy choose(const Layout& layout, const Policy& policy, const Device& device) {
    constexpr ProgramFacts f = Facts::value;
    if constexpr (f.sort_bytes > 0) {
        return detail::choose_sort(f, layout, device);
    } else if constexpr (f.scan) {
        return detail::choose_scan(f, layout, policy, device);
    } else if constexpr (f.reduces && f.columns) {
        return detail::choose_columns(f, layout, policy, device);
    } else if constexpr (f.reduces) {
        return detail::choose_rows(f, layout, policy, device);
    } else {
        return detail::choose_map(f, layout, policy);
    }
}

/// The strategy on the host: one thread per block, blocks of policy.host_block_items elements, so that the result
/// depends on the shape only, not on the number of cores.
template <class Facts>
FUSE_COLD Strategy choose_host(const Layout& layout, const Policy& policy) {
    constexpr ProgramFacts f = Facts::value;
    if constexpr (f.sort_bytes > 0) {
        return detail::choose_host_sort(layout);
    } else if constexpr (f.scan) {
        return detail::choose_host_scan(f, layout, policy);
    } else {
        return detail::choose_host_family(f, layout, policy);
    }
}

FUSE_END_NAMESPACE
