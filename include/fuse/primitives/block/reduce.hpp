// SPDX-License-Identifier: Apache-2.0
//
// ReduceGlobal, the global mode of the Reduce primitive: folds each register of a thread over the threads, all of them
// together at the price of one fold's barriers. The local mode is thread/reduce_local.hpp.
#pragma once

#include <type_traits>

#include "fuse/primitives/block/batched_reduce.hpp"
#include "fuse/primitives/thread/reduce_local.hpp"

FUSE_BEGIN_NAMESPACE

/// The threads that ReduceGlobal folds over: the whole block in linear order, each row, or each column.
struct OverBlock {};
struct OverX {};
struct OverY {};

/// Bytes of one half of the scratch memory that ReduceGlobal of N values needs: give the launch twice as much.
template <int N, class Over = OverBlock>
constexpr std::size_t reduce_global_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                                  BlockTraits block = {}) {
    if constexpr (std::is_same_v<Over, OverX>) {
        return batched_x_reduce_scratch_bytes<N>(dim_x, dim_y, accumulator_bytes, block);
    } else if constexpr (std::is_same_v<Over, OverY>) {
        return batched_y_reduce_scratch_bytes<N>(dim_x, dim_y, accumulator_bytes, block);
    } else {
        static_assert(std::is_same_v<Over, OverBlock>);
        return batched_block_reduce_scratch_bytes<N>(dim_x, dim_y, accumulator_bytes, block);
    }
}

/// Replaces each of the N values, at most as many as a warp has lanes, by its fold over the block, the row or the
/// column, in each of its threads (or only in its first one, with OneThread; others are undefined). At most two
/// barriers, however many values. All threads must call.
template <class Over = OverBlock, ThreadBlock B, class A, int N, class R, class Mode = AllThreads>
FUSE_HD void ReduceGlobal(B& block, A (&values)[N], const R& r, Mode mode = {}) {
    if constexpr (std::is_same_v<Over, OverX>) {
        BatchedBlockXReduce(block, values, r, mode);
    } else if constexpr (std::is_same_v<Over, OverY>) {
        BatchedBlockYReduce(block, values, r, mode);
    } else {
        static_assert(std::is_same_v<Over, OverBlock>);
        BatchedBlockReduce(block, values, r, mode);
    }
}

template <class Over = OverBlock, ThreadBlock B, class A, int V, class R, class Mode = AllThreads>
FUSE_HD void ReduceGlobal(B& block, Pack<A, V>& values, const R& r, Mode mode = {}) {
    ReduceGlobal<Over>(block, values.item, r, mode);
}

FUSE_END_NAMESPACE
