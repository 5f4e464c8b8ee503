// SPDX-License-Identifier: Apache-2.0
//
// The threads that share a row: those along x of one block, or of all blocks of a cluster when one block cannot hold the
// row.
#pragma once

#include "fuse/primitives/block/block_x_reduce.hpp"
#include "fuse/primitives/cluster/cluster_exchange.hpp"
#include "fuse/primitives/warp/warp_reduce.hpp"

FUSE_BEGIN_NAMESPACE

/// The fold over the threads of a block along x, in every one of them. All threads must call.
template <class B, class A, class Pr>
FUSE_HD A fold_row(B& block, const A& part, const Pr& product) {
    return product.fold(part,
                        [&](const auto& a, const auto& r) FUSE_INLINE_LAMBDA { return BlockXReduce(block, a, r); });
}

/// What the threads of a cluster bring together at the end of a sweep: the fold of what each has, and a word from the first.
template <class A>
struct TeamFold {
    A total;
    unsigned word;
};

/// Bytes of own_memory that a ClusterTeam needs for accumulators of so many bytes, a multiple of 16.
constexpr std::size_t cluster_team_bytes(std::size_t accumulator_bytes) {
    const std::size_t both = accumulator_bytes + alignof(TeamFold<double>);
    return cluster_exchange_bytes(both) + 2 * max_block_threads / 32 * scratch_round_up(both);
}

#if FUSE_HAS_DEVICE_BODIES

/// The threads of a cluster, which may be one block alone: whole warps, dim_y = 1.
template <ClusterSends B>
class ClusterTeam {
public:
    /// accumulator_bytes: of the largest. All threads must call.
    FUSE_HD ClusterTeam(B& block, unsigned char* memory, std::size_t accumulator_bytes)
        : block_(block), blocks_(block.cluster_blocks()),
          exchange_(block, memory, accumulator_bytes + alignof(TeamFold<double>)),
          parts_(memory + cluster_exchange_bytes(accumulator_bytes + alignof(TeamFold<double>))),
          parts_bytes_(static_cast<unsigned>(max_block_threads / 32 *
                                             scratch_round_up(accumulator_bytes + alignof(TeamFold<double>)))) {}

    /// Teams are numbered.
    FUSE_HD unsigned index() const { return block_.block_x() / blocks_; }
    FUSE_HD unsigned count() const { return block_.grid_x() / blocks_; }
    /// Blocks of a team, and this one's number among them.
    FUSE_HD unsigned blocks() const { return blocks_; }
    FUSE_HD unsigned rank() const { return block_.cluster_rank(); }
    FUSE_HD unsigned thread() const { return rank() * block_.dim_x() + block_.thread_x(); }
    FUSE_HD unsigned threads() const { return blocks_ * block_.dim_x(); }

    /// Before the first fold.
    FUSE_HD void meet() { exchange_.meet(); }

    /// The fold over the team's threads, in every one of them, and the word of its thread 0. All threads must call. A
    /// barrier of the block: each warp leaves its part, and folds all of them by itself; the same with those of the blocks.
    template <class A, class Pr>
    FUSE_HD TeamFold<A> fold(const A& part, const Pr& product, unsigned word) {
        static_assert(B::warp_size >= max_cluster_blocks && B::warp_size >= max_block_threads / B::warp_size);
        const unsigned lane = block_.thread_x() % B::warp_size;
        const unsigned warps = block_.dim_x() / B::warp_size;
        auto* const parts = reinterpret_cast<TeamFold<A>*>(parts_ + turn_ * parts_bytes_);
        turn_ ^= 1U;
        const A own = fold_warp(part, product);
        if (lane == 0) {
            parts[block_.thread_x() / B::warp_size] = {own, word};
        }
        block_.sync();
        const TeamFold<A> all = {fold_warp(lane < warps ? parts[lane].total : product.init(), product), parts[0].word};
        if (blocks_ == 1) {
            return all;
        }
        const TeamFold<A>* const brought = exchange_(all);
        return {fold_warp(lane < blocks_ ? brought[lane].total : product.init(), product), brought[0].word};
    }

private:
    template <class A, class Pr>
    FUSE_HD A fold_warp(const A& part, const Pr& product) {
        return product.fold(part, [&](const auto& a, const auto& r)
                                      FUSE_INLINE_LAMBDA { return WarpReduce(block_, a, r, B::warp_size); });
    }

    B& block_;
    unsigned blocks_;
    ClusterExchange<B> exchange_;
    unsigned char* parts_;
    unsigned parts_bytes_;
    unsigned turn_ = 0;
};

#endif

FUSE_END_NAMESPACE
