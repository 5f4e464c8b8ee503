// SPDX-License-Identifier: Apache-2.0
//
// ClusterReduce: fold over the blocks of a cluster, without global memory. Each block writes its value into the shared
// memory of all the others, and reads theirs from its own. Writing is all that ever crosses: so a block may leave when
// it has read what it waited for.
#pragma once

#include <type_traits>

#include "fuse/primitives/machine/block_traits.hpp"

FUSE_BEGIN_NAMESPACE

/// Bytes of own_memory that the fold needs for accumulators of so many bytes.
FUSE_HD constexpr std::size_t cluster_reduce_bytes(std::size_t accumulator_bytes) {
    return max_cluster_blocks * scratch_round_up(accumulator_bytes);
}

/// Before the first ClusterReduce of a kernel, by all threads: says that the block has begun, and may be written to. What
/// a thread does between this and the fold overlaps with the start of the other blocks.
template <Clusters B>
FUSE_HD void BeginClusterReduce(B& block) {
    block.cluster_arrive();
}

/// fold(slots, blocks), in every thread of every block, of one value of each block, in the order of their ranks. Each block
/// brings one, which all its threads hold. slots: own_memory for one value of each block, at the same place in every block.
/// All threads of the cluster must call. Two barriers of the cluster, one of which is met by the next fold: what lies
/// between them overlaps with it.
template <Clusters B, class A, class Fold>
FUSE_HD A ClusterFold(B& block, A* slots, const A& value, Fold&& fold) {
    static_assert(std::is_trivially_copyable_v<A> && alignof(A) <= 16);
    block.cluster_wait();  // until all have begun, or have read what the last fold left
    const unsigned blocks = block.cluster_blocks();
    if (linear_thread(block) < blocks) {
        *block.peer(slots + block.cluster_rank(), linear_thread(block)) = value;
    }
    block.cluster_arrive();
    block.cluster_wait();
    const A total = fold(static_cast<const A*>(slots), blocks);
    block.cluster_arrive();
    return total;
}

/// The same by reduction R, one value after the other.
template <Clusters B, class A, class R>
FUSE_HD A ClusterReduce(B& block, A* slots, const A& value, const R& r) {
    return ClusterFold(block, slots, value, [&r](const A* values, unsigned blocks) FUSE_INLINE_LAMBDA {
        A total = values[0];
        for (unsigned rank = 1; rank < blocks; ++rank) {
            total = r.combine(total, values[rank]);
        }
        return total;
    });
}

FUSE_END_NAMESPACE
