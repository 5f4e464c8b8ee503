// SPDX-License-Identifier: Apache-2.0
//
// BlockYReduce: fold along y. Each column of the block folds its dim_y values in thread order, whatever the
// shape. The threads of a column sit in different warps, so they meet in scratch memory, where a warp reads
// neighbouring columns without bank conflicts. One barrier up to 32 rows, two above, none for one row.
#pragma once

#include "fuse/primitives/row_fold.hpp"

FUSE_BEGIN_NAMESPACE

/// Bytes of one half of the scratch memory that BlockYReduce needs: give the launch twice as much.
constexpr std::size_t y_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes) {
    if (dim_y == 1) {
        return 0;
    }
    if (dim_x == 1) {
        return detail::row_fold_scratch_bytes(dim_y, 1, accumulator_bytes);
    }
    return scratch_round_up(detail::scratch_fold_slots(dim_y, dim_x) * accumulator_bytes);
}

/// Every thread of a column gets the fold of the column (or only thread y = 0, with OneThread). All threads
/// must call.
template <ThreadBlock B, class A, class R, class Mode = AllThreads>
FUSE_HD A BlockYReduce(B& block, A acc, const R& r, Mode = {}) {
    if (block.dim_y() == 1) {
        return acc;
    }
    if (block.dim_x() == 1) {  // a single column is a row of consecutive threads
        return detail::row_fold<Mode>(block, acc, r, block.thread_y(), block.dim_y(), 0, 1);
    }
    return detail::scratch_fold<Mode>(
        block, acc, r, detail::FoldPlace{block.thread_y(), block.dim_y(), block.thread_x(), block.dim_x(), true});
}

FUSE_END_NAMESPACE
