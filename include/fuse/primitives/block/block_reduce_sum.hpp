// SPDX-License-Identifier: Apache-2.0
//
// BlockReduceSum and BlockReduceMax under the names and shapes of PyTorch, for kernels that are ported from there.
// They are BlockReduce (Block2D) and BlockXReduce (Block1D) with fuse's reductions: right for any block shape, safe to
// call in a row, and the maximum of anything and NaN is NaN.
#pragma once

#include "fuse/ops/reductions/min_max.hpp"
#include "fuse/ops/reductions/sum_prod.hpp"
#include "fuse/primitives/block/block_reduce.hpp"
#include "fuse/primitives/block/block_x_reduce.hpp"

FUSE_BEGIN_NAMESPACE

/// Threads are counted along x alone: the block has one row. Rows of a taller block are folded one by one.
struct Block1D {
    /// Bytes of one half of the scratch memory: give the launch twice as much.
    static constexpr std::size_t scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t value_bytes,
                                               BlockTraits block = {}) {
        return x_reduce_scratch_bytes(dim_x, dim_y, value_bytes, block);
    }

    template <class Mode, ThreadBlock B, class A, class R>
    FUSE_HD static A fold(B& block, A value, const R& r) {
        return BlockXReduce(block, value, r, Mode{});
    }
};

/// Threads are counted over x and y, in linear order.
struct Block2D {
    /// Bytes of one half of the scratch memory: give the launch twice as much.
    static constexpr std::size_t scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t value_bytes,
                                               BlockTraits block = {}) {
        return block_reduce_scratch_bytes(dim_x, dim_y, value_bytes, block);
    }

    template <class Mode, ThreadBlock B, class A, class R>
    FUSE_HD static A fold(B& block, A value, const R& r) {
        return BlockReduce(block, value, r, Mode{});
    }
};

/// The sum over the block, in every thread (or only in thread 0, with OneThread). T adds with +; it is the type that
/// accumulates, so narrow integers wrap around and 16-bit floats round. At most two barriers (see BlockReduce). All
/// threads must call.
template <class Shape = Block1D, ThreadBlock B, class T, class Mode = AllThreads>
FUSE_HD T BlockReduceSum(B& block, T value, Mode = {}) {
    return Shape::template fold<Mode>(block, value, SumReduction<T, T>{});
}

/// The largest value of the block, NaN if there is one. T is an arithmetic type. The rest as for BlockReduceSum.
template <class Shape = Block1D, ThreadBlock B, class T, class Mode = AllThreads>
FUSE_HD T BlockReduceMax(B& block, T value, Mode = {}) {
    return Shape::template fold<Mode>(block, value, MaxReduction<T>{});
}

FUSE_END_NAMESPACE
