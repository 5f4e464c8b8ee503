// SPDX-License-Identifier: Apache-2.0
//
// BlockYReduce: fold along y. Each column of the block folds its dim_y values in thread order, whatever the
// shape. The threads of a column sit in different warps, so they meet in scratch memory, where a warp reads
// neighbouring columns without bank conflicts. The lanes of one warp share the columns of narrow blocks; of values too
// large for that, or where registers are to be spared, the rows of each warp meet by shuffles first.
#pragma once

#include "fuse/primitives/block/column_rake.hpp"
#include "fuse/primitives/block/row_fold.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Blocks whose columns one warp rakes: 2, 4, 8, ... of them, fewer than it has lanes, long enough to share their
/// folds.
FUSE_HD constexpr bool rakes_columns(unsigned dim_x, unsigned dim_y, std::size_t bytes, unsigned warp_size) {
    return bytes <= rake_limit && dim_x < warp_size && power_of_two(dim_x) && dim_y > 8 && dim_x * dim_y >= warp_size;
}

/// The totals of the columns follow the slots of the values.
template <class Mode, Shuffles B, class A, class R>
FUSE_HD A column_rake_fold(B& block, A acc, const R& r) {
    const ColumnRake rake(block.dim_x(), block.dim_y(), B::warp_size);
    const unsigned column = block.thread_x();
    A* values = block.template scratch<A>(rake.slots() + rake.columns);
    A* totals = values + rake.slots();
    values[rake.slot(block.thread_y(), column)] = acc;
    block.sync();
    if (linear_thread(block) < static_cast<unsigned>(B::warp_size)) {
        acc = fold_columns(block, values, rake, r, block.thread_y(), column);
        if (Mode::all && block.thread_y() == 0) {
            totals[column] = acc;
        }
    }
    if (Mode::all) {
        block.sync();
        acc = totals[column];
    }
    return acc;
}

/// Blocks of whole warps, each with several rows of 2, 4, 8, ... columns: these rows meet by shuffles.
FUSE_HD constexpr bool shuffles_columns(unsigned dim_x, unsigned dim_y, unsigned warp_size) {
    return dim_x < warp_size && power_of_two(dim_x) && dim_x * dim_y % warp_size == 0;
}

/// The fold over the rows of the thread's warp, in all of its lanes.
template <Shuffles B, class A, class R>
FUSE_HD A fold_rows_of_warp(B& block, A acc, const R& r) {
    const unsigned lane = linear_thread(block) % B::warp_size;
    auto&& warp = complete_warps(block);
    FUSE_UNROLL
    for (unsigned distance = 1; distance < B::warp_size; distance *= 2) {
        if (distance >= block.dim_x()) {
            const A other = warp.shuffle_xor(acc, static_cast<int>(distance), B::warp_size);
            const bool upper = (lane & distance) != 0;
            acc = !R::commutative && upper ? r.combine(other, acc) : r.combine(acc, other);
        }
    }
    return acc;
}

/// What the warps have then meets in scratch: a warp_size-th of what all threads would bring, dim_x times over.
template <class Mode, Shuffles B, class A, class R>
FUSE_HD A column_shuffle_fold(B& block, A acc, const R& r) {
    const unsigned rows = B::warp_size / block.dim_x();  // of a warp
    const GroupMember me{block.thread_y(), block.dim_y() / rows, block.thread_x(), block.dim_x(), true};
    acc = fold_rows_of_warp(block, acc, r);
    if (me.count == 1) {
        return acc;
    }
    A* values = block.template scratch<A>(me.count * me.groups) + me.group;
    if (me.rank % rows == 0) {
        values[me.rank / rows * me.groups] = acc;
    }
    block.sync();
    return scratch_fold_once<Mode>(block, acc, values, r, me, me.groups);
}

/// Two or more columns of two or more threads.
template <class Mode, ThreadBlock B, class A, class R>
FUSE_HD A column_fold(B& block, A acc, const R& r) {
    if constexpr (Shuffles<B>) {
        if constexpr (!spares_registers<B>) {
            if (rakes_columns(block.dim_x(), block.dim_y(), sizeof(A), B::warp_size)) {
                return column_rake_fold<Mode>(block, acc, r);
            }
        }
        if (shuffles_columns(block.dim_x(), block.dim_y(), B::warp_size)) {
            return column_shuffle_fold<Mode>(block, acc, r);
        }
    }
    return scratch_fold<Mode>(block, acc, r,
                              GroupMember{block.thread_y(), block.dim_y(), block.thread_x(), block.dim_x(), true});
}

/// Columns of a block that a planner made, for kernels that have many folds: a shape that no warp folds has whole warps
/// along x, and so few rows that they take one level.
template <class Mode, Shuffles B, class A, class R>
FUSE_HD A planned_column_fold(B& block, A acc, const R& r) {
    static_assert(max_block_threads / B::warp_size <= scratch_fold_one_level);
    if (block.dim_x() < B::warp_size) {
        return column_shuffle_fold<Mode>(block, acc, r);
    }
    const GroupMember me{block.thread_y(), block.dim_y(), block.thread_x(), block.dim_x(), true};
    const ScratchValues<A> column = share_values(block, acc, me);
    return scratch_fold_once<Mode>(block, acc, column.values, r, me, column.stride);
}

}  // namespace detail

/// Bytes of one half of the scratch memory that BlockYReduce needs: give the launch twice as much.
constexpr std::size_t y_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                             BlockTraits block = {}) {
    if (dim_y == 1) {
        return 0;
    }
    if (dim_x == 1) {
        return detail::row_fold_scratch_bytes(dim_y, 1, accumulator_bytes, block);
    }
    if (!block.spares_registers && detail::rakes_columns(dim_x, dim_y, accumulator_bytes, block.warp_size)) {
        return scratch_round_up((detail::ColumnRake(dim_x, dim_y, block.warp_size).slots() + dim_x) *
                                accumulator_bytes);
    }
    if (detail::shuffles_columns(dim_x, dim_y, block.warp_size)) {
        const unsigned warps = dim_x * dim_y / block.warp_size;
        return warps == 1 ? 0 : scratch_round_up(warps * dim_x * accumulator_bytes);
    }
    return scratch_round_up(detail::scratch_fold_slots(dim_y, dim_x) * accumulator_bytes);
}

/// Every thread of a column gets the fold of the column (or only thread y = 0, with OneThread). All threads
/// must call. No barrier for one row; one for up to 4 and, with OneThread, for up to 32 rows and for columns that are
/// raked (2, 4, 8 or 16 of more than 8 values of up to 16 bytes) or shuffled (the same of larger values, in whole warps,
/// whose rows then count as one; none if there is one warp); else two. A single column is a row: see BlockXReduce.
template <ThreadBlock B, class A, class R, class Mode = AllThreads>
FUSE_HD A BlockYReduce(B& block, A acc, const R& r, Mode = {}) {
    if (block.dim_y() == 1) {
        return acc;
    }
    if constexpr (Shuffles<B> && regular_shape<B> && spares_registers<B>) {
        return detail::planned_column_fold<Mode>(block, acc, r);
    } else if (block.dim_x() == 1) {  // a single column is a row of consecutive threads
        return detail::row_fold<Mode>(block, acc, r, block.thread_y(), block.dim_y(), 0, 1);
    } else {
        return detail::column_fold<Mode>(block, acc, r);
    }
}

FUSE_END_NAMESPACE
