// SPDX-License-Identifier: Apache-2.0
//
// BlockXReduce: fold along x. Each row of the block folds its dim_x values in thread order, whatever the
// shape.
#pragma once

#include "fuse/primitives/block/row_fold.hpp"

FUSE_BEGIN_NAMESPACE

/// Bytes of one half of the scratch memory that BlockXReduce needs: give the launch twice as much.
constexpr std::size_t x_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                             BlockTraits block = {}) {
    return detail::row_fold_scratch_bytes(dim_x, dim_y, accumulator_bytes, block);
}

/// Every thread of a row gets the fold of the row (or only thread x = 0, with OneThread). All threads must
/// call. No barrier for rows of 1, 2, 4, ... threads of one warp; one for other rows of up to 32; longer ones two, or
/// one with OneThread if they are whole warps or the only one. Values of more than 16 bytes in rows of whole warps:
/// one.
template <ThreadBlock B, class A, class R, class Mode = AllThreads>
FUSE_HD A BlockXReduce(B& block, A acc, const R& r, Mode = {}) {
    return detail::row_fold<Mode>(block, acc, r, block.thread_x(), block.dim_x(), block.thread_y(), block.dim_y());
}

FUSE_END_NAMESPACE
