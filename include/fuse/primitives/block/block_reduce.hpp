// SPDX-License-Identifier: Apache-2.0
//
// BlockReduce: fold over the whole block in linear thread order (y * dim_x + x). It is BlockXReduce of a
// block with one row of dim_x * dim_y threads.
#pragma once

#include "fuse/primitives/block/row_fold.hpp"

FUSE_BEGIN_NAMESPACE

/// Bytes of one half of the scratch memory that BlockReduce needs: give the launch twice as much.
constexpr std::size_t block_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                                 BlockTraits block = {}) {
    return detail::row_fold_scratch_bytes(dim_x * dim_y, 1, accumulator_bytes, block);
}

/// Every thread gets the fold of the block (or only thread 0, with OneThread). All threads must call. Barriers as for
/// BlockXReduce of one row.
template <ThreadBlock B, class A, class R, class Mode = AllThreads>
FUSE_HD A BlockReduce(B& block, A acc, const R& r, Mode = {}) {
    return detail::row_fold<Mode>(block, acc, r, linear_thread(block), block_threads(block), 0, 1);
}

FUSE_END_NAMESPACE
