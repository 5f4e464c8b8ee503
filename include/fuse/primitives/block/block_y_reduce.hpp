// SPDX-License-Identifier: Apache-2.0
//
// BlockYReduce: fold along y. Each column of the block folds its dim_y values in thread order, whatever the
// shape. The threads of a column sit in different warps, so they meet in scratch memory, where a warp reads
// neighbouring columns without bank conflicts. The lanes of one warp share the columns of narrow blocks.
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

/// Two or more columns of two or more threads.
template <class Mode, ThreadBlock B, class A, class R>
FUSE_HD A column_fold(B& block, A acc, const R& r) {
    if constexpr (Shuffles<B> && !spares_registers<B>) {
        if (rakes_columns(block.dim_x(), block.dim_y(), sizeof(A), B::warp_size)) {
            return column_rake_fold<Mode>(block, acc, r);
        }
    }
    return scratch_fold<Mode>(block, acc, r,
                              GroupMember{block.thread_y(), block.dim_y(), block.thread_x(), block.dim_x(), true});
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
    return scratch_round_up(detail::scratch_fold_slots(dim_y, dim_x) * accumulator_bytes);
}

/// Every thread of a column gets the fold of the column (or only thread y = 0, with OneThread). All threads
/// must call. No barrier for one row; one for up to 4 and, with OneThread, for up to 32 rows and for columns that are
/// raked (2, 4, 8 or 16 of more than 8 values of up to 16 bytes); else two. A single column is a row: see BlockXReduce.
template <ThreadBlock B, class A, class R, class Mode = AllThreads>
FUSE_HD A BlockYReduce(B& block, A acc, const R& r, Mode = {}) {
    if (block.dim_y() == 1) {
        return acc;
    }
    if (block.dim_x() == 1) {  // a single column is a row of consecutive threads
        return detail::row_fold<Mode>(block, acc, r, block.thread_y(), block.dim_y(), 0, 1);
    }
    return detail::column_fold<Mode>(block, acc, r);
}

FUSE_END_NAMESPACE
