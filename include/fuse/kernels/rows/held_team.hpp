// SPDX-License-Identifier: Apache-2.0
//
// The threads that hold a row in their registers: those of a block along x, or those of all blocks of a cluster, where rows are
// few and long. Then nothing lies between a thread and the memory, no ring, no ticket, and blocks send each other what they have
// folded.
#pragma once

#include "fuse/primitives/block/block_x_reduce.hpp"
#include "fuse/primitives/cluster/cluster_exchange.hpp"

#if FUSE_HAS_DEVICE_BODIES

FUSE_BEGIN_NAMESPACE

/// May: whether a launch may have clusters; of one that has them a block has one row, and whole warps.
template <class B, bool May>
class HeldTeam {
public:
    FUSE_HD HeldTeam(B& block, std::size_t) : block_(block) {}
    FUSE_HD unsigned blocks() const { return 1; }
    FUSE_HD unsigned thread_x() const { return block_.thread_x(); }
    FUSE_HD unsigned dim_x() const { return block_.dim_x(); }
    FUSE_HD void meet() {}

    template <class A, class R>
    FUSE_HD A fold(const A& part, const R& r) {
        return BlockXReduce(block_, part, r);
    }

private:
    B& block_;
};

template <class B>
class HeldTeam<B, true> {
    /// What is sent, in words of 32 bits.
    template <class A>
    struct alignas(alignof(A) < 4 ? 4 : alignof(A)) WholeWords {
        A value;
    };

public:
    /// value_bytes: of the largest that is folded. All threads must call, and then `meet`.
    FUSE_HD HeldTeam(B& block, std::size_t value_bytes)
        : block_(block), blocks_(block.cluster_blocks()), exchange_(block, block.own_memory(), value_bytes) {
        if (blocks_ > 1) {
            exchange_.begin();
        }
    }
    FUSE_HD unsigned blocks() const { return blocks_; }
    FUSE_HD unsigned thread_x() const { return block_.cluster_rank() * block_.dim_x() + block_.thread_x(); }
    FUSE_HD unsigned dim_x() const { return blocks_ * block_.dim_x(); }
    /// Before the first fold: until all blocks have begun.
    FUSE_HD void meet() {
        if (blocks_ > 1) {
            exchange_.meet();
        }
    }

    /// The fold of what the threads of a row bring, in every one of them. All threads must call.
    template <class A, class R>
    FUSE_HD A fold(const A& part, const R& r) {
        const A own = BlockXReduce(block_, part, r);
        if (blocks_ == 1) {
            return own;
        }
        // Lanes take the values of a power of two blocks, and fold them in a loop: straight code takes longer to compile.
        A total = exchange_(WholeWords<A>{own})[block_.thread_x() % blocks_].value;
        FUSE_NO_UNROLL
        for (unsigned distance = 1; distance < blocks_; distance *= 2) {
            total = r.combine(total, block_.shuffle_xor(total, static_cast<int>(distance), B::warp_size));
        }
        return total;
    }

private:
    B& block_;
    unsigned blocks_;
    ClusterExchange<B> exchange_;
};

/// As over the threads of a block.
template <class B, bool May, class A, class R>
FUSE_HD A BlockXReduce(HeldTeam<B, May>& team, const A& part, const R& r) {
    return team.fold(part, r);
}

FUSE_END_NAMESPACE

#endif
