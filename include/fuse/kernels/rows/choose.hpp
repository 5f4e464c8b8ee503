// SPDX-License-Identifier: Apache-2.0
//
// The launch of reductions along rows: how many threads share a row, and whether they hold it.
#pragma once

#include "fuse/kernels/rows/choose_swept.hpp"
#include "fuse/kernels/rows/folds_numbers.hpp"
#include "fuse/primitives/block/bulk_ring.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The first kernel whose threads hold so many vectors each, of eight at the most.
constexpr RowsKernels holds(index_t vectors_per_thread) {
    return vectors_per_thread <= resident_ladder[0]   ? RowsKernels::two
           : vectors_per_thread <= resident_ladder[1] ? RowsKernels::four
                                                      : RowsKernels::eight;
}
constexpr int held_vectors(RowsKernels kernel) {
    return kernel == RowsKernels::two    ? resident_ladder[0]
           : kernel == RowsKernels::four ? resident_ladder[1]
                                         : resident_ladder[2];
}

/// What the choice has to know of the kernels: registers for an element that is held with more than the operands (0: with
/// them alone), threads of the kernel that holds peeled rows, vectors per thread of the one that stages them, bytes of
/// shared memory of a launch of it, blocks of a multiprocessor that the one that sweeps has registers for, whether registers are
/// swept quickly (family.hpp), and besides rows are one operand of 16 bits, nothing else moves along them, and what is written
/// has as many.
struct RowLimits {
    int crowded_words;
    unsigned peeled_threads;
    int staged_vectors;
    std::size_t (*staged_bytes)(const Launch&);
    int swept_blocks;
    bool quick;
    bool narrow;
    std::uint64_t repeats;
};

/// Narrow items of one operand, of which a row costs its threads more than they do: each takes twice as many.
constexpr bool few_bytes(const ProgramFacts& f, const Policy& policy) {
    return f.staged_bytes < 4 && 2 * policy.short_row_vectors * f.vector <= policy.register_items;
}

/// Most vectors per thread of the kernels that there are: of one light phase what would have more is swept.
constexpr int most_held_vectors(const ProgramFacts& f) {
    return resident_ladder[f.one_light_phase() ? 1 : 2];
}

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
Launch choose_rows(const ProgramFacts& f, const RowLimits& limits, const Layout& layout, const Policy& policy,
                   const Device& device);
Launch choose_rows(const ProgramFacts& f, const Layout& layout, const Policy& policy, const Cpu&);
void take_rows_together(Launch& l, const ProgramFacts& f, const Layout& layout);

#else

/// Vectors of each of so many threads that hold a row.
FUSE_RARE inline int held_by(index_t vectors, unsigned threads) {
    return held_vectors(holds(ceil_div(vectors, threads)));
}

/// Threads and kernel of rows that are held in whole vectors.
FUSE_RARE inline void hold_rows(Launch& l, const ProgramFacts& f, const RowLimits& limits, const Layout& layout,
                                const Policy& policy, const Device& device) {
    const index_t bytes = layout.walked_size * f.item_bytes;
    const index_t vectors = layout.walked_size / f.vector;
    const index_t per_thread = resident_ladder[2];
    // Few threads where joining them costs much, as of values with an index.
    const bool heavy = f.one_phase() && !f.one_light_phase() && f.buffered_bytes <= 16;
    const index_t preferred = held_vectors(holds(heavy ? policy.register_items / f.vector : policy.row_block_vectors));
    // With an epilogue a block takes one row after the other, and would wait at the barriers of each.
    const index_t warp_bytes = f.epilogue ? 2 * policy.warp_row_bytes : policy.warp_row_bytes;
    l.name = "rows resident";
    if (bytes <= policy.short_row_bytes) {
        constexpr unsigned least = 4;  // threads whose vectors are half a line of memory
        l.dim_x = threads_for(vectors, policy.short_row_vectors);
        if (few_bytes(f, policy)) {
            l.dim_x = largest(smallest(least, l.dim_x), threads_for(vectors, 2 * policy.short_row_vectors));
        }
        l.dim_x = smallest(policy.short_row_threads, l.dim_x);
        l.why = "short rows: a few lanes each";
    } else if (bytes <= warp_bytes && layout.kept_size >= static_cast<index_t>(device.units)) {
        l.dim_x = 32;
        l.why = "a warp per row, no barrier";
    } else {
        l.dim_x = round_up_warp(ceil_div(vectors, preferred));
        if (static_cast<index_t>(l.dim_x) > row_block_threads(static_cast<int>(preferred))) {
            l.dim_x = round_up_warp(ceil_div(vectors, per_thread));
        }
        l.why = "a block per row, held in registers";
    }
    while (ceil_div(vectors, l.dim_x) > resident_ladder[2]) {
        l.dim_x *= 2;
    }
    // Fewer elements per thread where each takes many registers, as far as there are threads for them.
    constexpr int most_words = 80;
    while (limits.crowded_words * f.vector * held_by(vectors, l.dim_x) > most_words &&
           held_by(vectors, l.dim_x) > resident_ladder[0] &&
           2 * l.dim_x <= static_cast<unsigned>(row_block_threads(held_by(vectors, 2 * l.dim_x)))) {
        l.dim_x *= 2;
    }
    const RowsKernels kernel = holds(ceil_div(vectors, l.dim_x));
    l.kernel = static_cast<int>(kernel);
    l.vectors = held_vectors(kernel);
    if (l.vectors > most_held_vectors(f)) {
        l.name = "rows swept";
        l.kernel = static_cast<int>(RowsKernels::swept);
        l.vectors = f.sweep_vectors;
        l.why = l.dim_x == 32 ? "a warp per row, in turns, no barrier" : "a block per row, in turns";
    }
}

/// Gives a block room for its part of each row and for as much of the next as there is memory for. The smaller the blocks,
/// the more of them wait at different times, so: as small as leave half of the next row room.
FUSE_RARE inline bool make_room(Launch& l, const ProgramFacts& f, const RowLimits& limits, index_t part,
                                const Policy& policy, const Device& device) {
    const unsigned most = smallest(2 * policy.long_row_threads, device.block_threads);
    for (l.dim_x = largest(least_staged_threads, most / 4); l.dim_x <= most; l.dim_x *= 2) {
        const index_t chunk = static_cast<index_t>(l.dim_x) * f.vector * l.vectors;
        const index_t chunks = ceil_div(part, chunk);
        l.share = 0;
        const index_t room = (device.shared_bytes + reserved_shared_bytes) * l.dim_x / most - reserved_shared_bytes -
                             static_cast<index_t>(limits.staged_bytes(l));
        const index_t fit = smallest<index_t>(room / (chunk * f.staged_bytes), max_ring_slots);
        if (room > 0 && fit >= (l.dim_x == most ? chunks : chunks + ceil_div(chunks, 2))) {
            l.share = smallest(2 * chunks, fit) * chunk;
            return true;
        }
    }
    return false;
}

/// Rows in shared memory, but for what lies in front of their first vector and behind the last. A cluster has as many blocks
/// as leave each a part small enough that the next row can be on its way, and more of them where rows are too few to fill
/// the device; where the largest cluster has too few, as large a part as a block may have. False: no cluster can hold the
/// row.
FUSE_RARE inline bool stage_rows(Launch& l, const ProgramFacts& f, const RowLimits& limits, const Layout& layout,
                                 const Policy& policy, const Device& device) {
    const index_t vectors = layout.walked_size / f.vector;
    l.name = "rows staged";
    l.kernel = static_cast<int>(RowsKernels::staged);
    l.vectors = limits.staged_vectors;
    for (l.cluster = 1; l.cluster <= device.cluster_blocks; l.cluster *= 2) {
        const index_t part = ceil_div(vectors, l.cluster) * f.vector;
        const index_t bytes = part * f.staged_bytes;
        const bool fills = layout.kept_size >= 2 * static_cast<index_t>(device.units) / l.cluster;
        const bool enough = bytes <= policy.staged_block_bytes && (fills || bytes <= least_staged_bytes);
        const bool last = 2 * l.cluster > device.cluster_blocks;
        // Bytes of shared memory are counted in 32 bits: only of a part that can be there are they asked for.
        if ((enough || last) && bytes < device.shared_bytes && make_room(l, f, limits, part, policy, device)) {
            const bool whole = (layout.vectors || layout.lines) && layout.walked_size % f.vector == 0;
            l.why = l.cluster > 1 ? whole ? "a cluster of blocks per row, held in their shared memory"
                                          : "a cluster of blocks per row, held in their shared memory but for its ends"
                    : whole       ? "a block per row, held in shared memory"
                                  : "a block per row, held in shared memory but for its ends";
            return true;
        }
    }
    l.cluster = 1;
    l.share = 0;
    return false;
}

/// The same of rows in which vectors begin where the memory is aligned. Pieces: others may be read in pieces.
FUSE_RARE inline void peel_rows(Launch& l, const ProgramFacts& f, const Layout& layout, bool pieces) {
    const index_t vectors = layout.walked_size / f.vector;
    l.name = "rows peeled";
    l.kernel = static_cast<int>(RowsKernels::peeled);
    l.vectors = peeled_vectors;
    if (vectors <= 32 * peeled_vectors) {
        l.dim_x = largest(peeled_min_threads, threads_for(vectors, peeled_vectors));
        l.why = "a few lanes per row, held in aligned vectors and the ends of the row";
    } else {
        l.dim_x = round_up_warp(ceil_div(vectors, peeled_vectors));
        l.why = "a block per row, held in aligned vectors and the ends of the row";
    }
    if (pieces && l.dim_x >= pieces_min_threads) {
        l.name = "rows peeled in pieces";
        l.kernel = static_cast<int>(RowsKernels::pieces);
    }
}

/// Blocks of a launch that step through the rows; of others there are as many as rows need.
FUSE_RARE inline index_t resident_row_blocks(const Launch& l, const ProgramFacts& f, const RowLimits& limits,
                                             const Device& device) {
    const auto units = static_cast<index_t>(device.units);
    const unsigned by_threads = device.threads_per_unit / largest(32U, l.threads());
    if (l.kernel != static_cast<int>(RowsKernels::staged)) {
        return f.epilogue ? units * largest(1U, by_threads) : max_grid;
    }
    const index_t bytes = static_cast<index_t>(limits.staged_bytes(l)) + reserved_shared_bytes;
    const index_t by_memory = (device.shared_bytes + reserved_shared_bytes) / bytes;
    const index_t by_registers = staged_threads / l.threads();
    return units * largest<index_t>(1, smallest<index_t>(by_memory, smallest<index_t>(by_threads, by_registers)));
}

/// Whether rows in vectors, of many items per thread, are better held in registers than in shared memory all the same: those of
/// four vectors; those of 16 bits alone, or that are swept more often than an online phase sweeps them; others of these that leave
/// few registers empty; and so few that each has a multiprocessor, as the ring would bring no other meanwhile.
constexpr bool fills_registers(const ProgramFacts& f, const RowLimits& limits, index_t vectors, bool held, bool few) {
    const index_t four = static_cast<index_t>(row_block_threads(resident_ladder[1])) * resident_ladder[1];
    if (vectors <= four || (!f.epilogue && held && (few || limits.narrow))) {
        return true;
    }
    return !f.online && ((held && f.staged_bytes == 2) || (vectors > four * 3 / 2 && vectors <= 2 * four));
}

FUSE_RARE inline Launch choose_rows(const ProgramFacts& f, const RowLimits& limits, const Layout& layout,
                                    const Policy& policy, const Device& device) {
    const index_t n = layout.walked_size;
    const index_t rows = layout.kept_size;
    Launch l;
    l.vector = f.vector;
    const bool whole = n % f.vector == 0 && layout.vectors;
    const bool beside_repeats = n % f.vector == 0 && (layout.repeats & ~limits.repeats) == 0;
    const bool held = whole || layout.shared || beside_repeats;  // as vectors
    const index_t peeled_threads = smallest(limits.peeled_threads, device.block_threads);
    const int longest = most_held_vectors(f);
    const index_t most =
        held ? static_cast<index_t>(row_block_threads(longest)) * longest : peeled_threads * peeled_vectors;
    // Tickets are numbers of 32 bits.
    const MergedDims& dims = layout.walked;
    const bool in_pieces = dims.count > 1 && dims.extent[dims.count - 1] * f.staged_bytes < least_piece_bytes;
    const bool alike = layout.alike && f.rows_alone && n >= shortest_in_pieces(f.vector);
    const bool may_stage = device.bulk_copies && ((!in_pieces && (whole || alike)) || layout.lines) &&
                           f.staged_bytes > 0 && rows < max_tickets;
    const int items = f.vector * resident_ladder[2];
    const bool few_rows =
        limits.quick && rows <= static_cast<index_t>(device.units) && items <= 2 * policy.register_items;
    const bool few_items = items <= policy.register_items || fills_registers(f, limits, n / f.vector, held, few_rows);
    // Rows that begin between vectors need many registers, for the items of their ends and the exponentials of an online
    // phase, and few blocks of long ones are resident. In shared memory the next is on its way meanwhile, once the ring is full.
    const bool long_peeled = !held && n > (f.online ? longest_peeled_online : longest_peeled) &&
                             rows > filled_ring_turns * static_cast<index_t>(device.units);
    const bool registers = n / f.vector <= most && (!held || n * f.item_bytes <= policy.register_row_bytes) &&
                           (!may_stage || (few_items && !long_peeled));
    if (f.ordered || n == 0 || layout.stretched) {
        sweep_rows(l, f, layout, policy, device, false);
    } else if (f.read_once) {
        if (share_rows(l, f, layout, limits.swept_blocks, policy, device)) {
            return l;
        }
        read_rows_once(l, f, layout, policy, device);
    } else if (may_stage && !registers && stage_rows(l, f, limits, layout, policy, device)) {
        // with all it takes
    } else if (n / f.vector > most && share_rows(l, f, layout, limits.swept_blocks, policy, device)) {
        return l;
    } else if (n / f.vector > most ||
               (!held && n >= shortest_in_turns(f.vector, f.finds_positions) && fills_with_turns(f, layout, device))) {
        sweep_rows(l, f, layout, policy, device, false);
    } else if (held) {
        hold_rows(l, f, limits, layout, policy, device);
    } else if (n < shortest_peeled(f.vector) || n <= policy.thread_row_elements) {
        sweep_rows(l, f, layout, policy, device, true);
    } else {
        peel_rows(l, f, layout, alike && f.has_beside && pieces_pay(f.vector));
    }
    // Rows of one block wait for each other at barriers, so only rows that need none share a block.
    const bool small = l.kernel < static_cast<int>(RowsKernels::staged) && whole && !f.epilogue && f.staged_bytes > 0 &&
                       few_bytes(f, policy);
    l.dim_y = l.dim_x > 32 ? 1 : largest(1U, policy.row_block_threads / (small ? 2 : 1) / l.dim_x);
    l.dim_y = static_cast<unsigned>(smallest<index_t>(l.dim_y, largest<index_t>(1, rows)));
    l.dim_y = whole_warps(l.dim_x, l.dim_y);
    const index_t teams = largest<index_t>(1, ceil_div(rows, l.dim_y));
    const index_t most_teams = largest<index_t>(1, resident_row_blocks(l, f, limits, device) / l.cluster);
    l.grid = smallest(teams, most_teams) * l.cluster;
    const bool groups = l.kernel == static_cast<int>(RowsKernels::swept) && f.shares_rows();  // of one block each
    l.group = f.epilogue && !groups ? l.grid : 1;
    return l;
}

FUSE_COLD inline Launch choose_rows(const ProgramFacts& f, const Layout& layout, const Policy& policy, const Cpu&) {
    Launch l;
    l.name = "rows swept";
    l.rereads = true;
    l.vector = f.vector;
    l.vectors = f.sweep_vectors;
    l.grid = host_row_blocks(layout, policy);
    l.group = f.epilogue ? l.grid : 1;
    l.why = "rows spread over the cores";
    return l;
}
/// Short rows of a program that may take them together.
FUSE_COLD inline void take_rows_together(Launch& l, const ProgramFacts& f, const Layout& layout) {
    const index_t n = layout.walked_size;
    const bool few = n <= longest_row_together && n * f.item_bytes <= longest_bytes_together;
    if (few && n >= shortest_row_together(f.one_phase()) && layout.walked.count <= 1 && !layout.stretched) {
        l.name = "rows together";
        l.kernel = 1;
        l.why = "short rows: each folded to a few lanes, and these for many rows at a time";
    }
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
