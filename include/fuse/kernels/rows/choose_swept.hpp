// SPDX-License-Identifier: Apache-2.0
//
// How many threads share a row that nothing holds.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/rows/ladder.hpp"

FUSE_BEGIN_NAMESPACE

#if !FUSE_ON_DEVICE  // where nobody chooses

namespace detail {

/// Whether rows that nothing reads again are folded in one light phase, and are so many that blocks of few threads fill the
/// device. Each thread then takes several turns: the more blocks are resident, the less it costs that their threads wait for
/// each other.
FUSE_RARE inline bool fills_with_turns(const ProgramFacts& f, const Layout& layout, const Device& device) {
    return f.one_light_phase() && f.staged_bytes == 0 && layout.kept_size >= 4 * static_cast<index_t>(device.units);
}

/// Threads of rows that are read again by each phase. Alone: a thread has each.
FUSE_RARE inline void sweep_rows(Launch& l, const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                 const Device& device, bool alone) {
    const index_t vectors = largest<index_t>(1, ceil_div(layout.walked_size, f.vector));
    l.name = "rows swept";
    l.kernel = static_cast<int>(RowsKernels::swept);
    l.rereads = true;
    l.vectors = f.sweep_vectors;
    const bool turns = f.one_light_phase() && !f.ordered && !layout.stretched;  // two for each thread, at least
    constexpr unsigned few = 128;
    const unsigned most =
        turns && fills_with_turns(f, layout, device) ? smallest(few, policy.long_row_threads) : policy.long_row_threads;
    l.dim_x = alone ? 1 : smallest(round_up_warp(ceil_div(vectors, turns ? 2 * l.vectors : 1)), most);
    l.why = f.ordered             ? "an op that does not commute: contiguous pieces per thread"
            : layout.stretched    ? "operands of extent 1 that others stretch: element by element"
            : alone               ? "rows of very few elements: a thread each, read again from the cache"
            : f.staged_bytes == 0 ? "rows that nothing reads again, larger than the registers of a block"
            : layout.vectors || (layout.alike && f.rows_alone)
                ? "rows larger than what is held on chip: read again by each phase"
            : layout.alike
                ? "rows larger than registers, between vectors, of several operands: read again by each phase"
                : "rows larger than registers, operands not aligned alike: read again by each phase";
}

/// The same of rows that are read once. Each thread has as much to do besides its elements as for forty of them, and the
/// fewer share a row, the less its folds cost: so each takes a few turns, up to a warp a row, as far as enough of them fill
/// half of the device, which is enough with so many loads in flight.
FUSE_RARE inline void read_rows_once(Launch& l, const ProgramFacts& f, const Layout& layout, const Policy& policy,
                                     const Device& device) {
    sweep_rows(l, f, layout, policy, device, false);
    l.rereads = false;
    l.why = "rows that are read once, a maximum and the sums it shifts in one sweep";
    constexpr index_t few_turns = 4;
    constexpr unsigned least = 2;  // one alone would read of each line a small part at a time
    const index_t turns = ceil_div(ceil_div(layout.walked_size, f.vector), f.sweep_vectors);
    const index_t resident = static_cast<index_t>(device.units) * device.threads_per_unit;
    const index_t filling = ceil_div(resident / 2, largest<index_t>(1, layout.kept_size));
    const index_t most = smallest<index_t>(turns, policy.long_row_threads);
    l.dim_x = smallest(32U, threads_for(most, few_turns));
    l.dim_x = largest(l.dim_x, smallest(least, threads_for(most, 1)));
    while (l.dim_x < filling && 2 * static_cast<index_t>(l.dim_x) <= most) {
        l.dim_x *= 2;
    }
}

/// Rows so few that blocks of their own would leave most of the device idle: as many blocks for each as are resident together,
/// `blocks` on a multiprocessor, and have enough to do to be worth their meetings. False: a block each.
FUSE_RARE inline bool share_rows(Launch& l, const ProgramFacts& f, const Layout& layout, int blocks,
                                 const Policy& policy, const Device& device) {
    const unsigned threads = smallest(policy.long_row_threads, device.block_threads);
    const index_t rows = largest<index_t>(1, layout.kept_size);
    const index_t bytes = layout.walked_size * f.item_bytes;
    const index_t resident =
        device.units * smallest(static_cast<index_t>(blocks), index_t{device.threads_per_unit / threads});
    const index_t most = smallest<index_t>(resident / rows, threads);
    const index_t group = smallest(ceil_div(bytes, policy.split_min_bytes), most);
    if (!f.shares_rows() || layout.stretched || group < 2 || bytes * (f.read_once ? 1 : 2) <= policy.shared_row_bytes) {
        return false;
    }
    l.name = "rows shared";
    l.kernel = static_cast<int>(RowsKernels::swept);
    l.vectors = f.sweep_vectors;
    l.rereads = !f.read_once;
    l.dim_x = threads;
    l.dim_y = 1;
    l.row = layout.walked_size;
    l.group = group;
    l.share = ceil_div(l.row, l.group);
    l.grid = l.group * rows;
    l.why = "few long rows: several blocks share one, and wait for each other between the phases";
    return true;
}

}  // namespace detail

#endif

FUSE_END_NAMESPACE
