// SPDX-License-Identifier: Apache-2.0
//
// Which rows are parked in shared memory, in what vectors, and by how many threads. A template, so that programs whose rows
// lie along one axis, and are never parked, have none of it.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/rows/ladder.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <int Operands>
bool park_rows(Launch& l, const ProgramFacts& f, const Layout& layout, const Policy& policy, const Device& device);

#else

/// Of rows that registers hold, those of which each thread would hold few elements are better there.
constexpr bool parks_better(const ProgramFacts& f, const Layout& layout, const Policy& policy) {
    const index_t vectors = layout.walked_size / f.vector;
    constexpr int narrow = 8;  // items in a vector
    const int each = f.vector >= narrow ? resident_ladder[2] : resident_ladder[1];
    return !layout.vectors || vectors > index_t{row_block_threads(each)} * each ||
           layout.walked_size * f.item_bytes > policy.register_row_bytes;
}

/// Rows in short pieces of so many operands, in shared memory as their own threads put them there, in the widest vectors in
/// which all of them lie. False: a block has no room for them, or other kernels are better.
template <int Operands>
FUSE_COLD bool park_rows(Launch& l, const ProgramFacts& f, const Layout& layout, const Policy& policy,
                         const Device& device) {
    const index_t n = layout.walked_size;
    const MergedDims& dims = layout.walked;
    const bool in_pieces =
        dims.count > 1 && (!layout.vectors || dims.extent[dims.count - 1] * f.staged_bytes < least_piece_bytes);
    // Of vectors beside what is the same for each of them registers and sweeps have straight code.
    if (!in_pieces || layout.stretched || (layout.shared && !layout.vectors) ||
        !fits_one_block(f.staged_bytes, layout, device) || !parks_better(f, layout, policy)) {
        return false;
    }
    l.vector = layout.vectors ? f.vector : layout.halves ? f.vector / 2 : 1;
    const index_t vectors = n / l.vector;
    constexpr index_t few = 64;  // a warp or less has a row then
    if (vectors <= few) {
        return false;
    }
    l.name = "rows parked";
    l.kernel = static_cast<int>(layout.vectors  ? RowsKernels::parked
                                : layout.halves ? RowsKernels::parked_halves
                                                : RowsKernels::parked_singles);
    l.vectors = parked_vectors(Operands, l.vector);
    l.share = n;
    // As many blocks of a multiprocessor as have room there, with all the threads that have registers, but for those without
    // which there are as many turns.
    const auto units = static_cast<index_t>(device.units);
    const index_t room = static_cast<index_t>(device.shared_bytes) / (n * f.staged_bytes + reserved_shared_bytes);
    const index_t blocks =
        limited(ceil_div(layout.kept_size, units), 1, limited(room, 1, parked_threads / least_staged_threads));
    const index_t most = smallest<index_t>(parked_threads / blocks / 32 * 32, device.block_threads);
    const index_t turns = ceil_div(vectors, most * l.vectors);
    l.dim_x = round_up_warp(ceil_div(vectors, turns * l.vectors));
    l.grid = smallest(largest<index_t>(1, layout.kept_size), f.epilogue ? units * blocks : max_grid);
    l.group = f.epilogue ? l.grid : 1;
    l.why = "a block per row, held in shared memory by the threads that load it: pieces too short for bulk copies";
    return true;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
