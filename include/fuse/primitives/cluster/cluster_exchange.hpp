// SPDX-License-Identifier: Apache-2.0
//
// ClusterExchange: what each block of a cluster has to tell the others, again and again, without a barrier of the cluster:
// each sends its value to all, and waits for theirs. Values of two rounds have places, so that a block that is a round ahead
// overwrites nothing; further ahead it cannot be, as it waits for the value of the slowest.
#pragma once

#include <cstring>
#include <type_traits>

#include "fuse/primitives/machine/block_traits.hpp"

FUSE_BEGIN_NAMESPACE

/// Bytes of own_memory that exchanges of values of so many bytes need, at the same place in every block.
FUSE_HD constexpr std::size_t cluster_exchange_bytes(std::size_t value_bytes) {
    return 16 + 2 * max_cluster_blocks * scratch_round_up(value_bytes);
}

template <ClusterSends B>
class ClusterExchange {
public:
    /// value_bytes: of the largest value. All threads of the cluster must call, and then `meet`.
    FUSE_HD ClusterExchange(B& block, unsigned char* memory, std::size_t value_bytes)
        : block_(block), arrived_(reinterpret_cast<std::uint64_t*>(memory)), values_(memory + 16),
          round_bytes_(static_cast<unsigned>(max_cluster_blocks * scratch_round_up(value_bytes))) {
        if (linear_thread(block_) < 2) {
            block_.begin_bytes(arrived_ + linear_thread(block_));
        }
        block_.cluster_arrive();
    }
    /// Until all blocks have begun. Before the first exchange; what lies between overlaps with their start.
    FUSE_HD void meet() { block_.cluster_wait(); }

    /// All threads of the cluster must call, with what their block has to tell. The values of all blocks, in the order of
    /// their ranks; they stay until the next call but one, before which all threads of the block meet.
    template <class A>
    FUSE_HD const A* operator()(const A& own) {
        static_assert(std::is_trivially_copyable_v<A> && sizeof(A) % 4 == 0 && alignof(A) <= 16);
        const unsigned blocks = block_.cluster_blocks();
        const unsigned thread = linear_thread(block_);
        auto* const values = reinterpret_cast<A*>(values_ + round_ % 2 * round_bytes_);
        std::uint64_t* const arrived = arrived_ + round_ % 2;
        if (thread == 0) {
            block_.expect_bytes(arrived, blocks * static_cast<unsigned>(sizeof(A)));
        }
        if (thread < blocks) {
            unsigned words[sizeof(A) / 4];
            memcpy(words, &own, sizeof(A));
            auto* const to = reinterpret_cast<unsigned*>(values + block_.cluster_rank());
            FUSE_UNROLL
            for (unsigned i = 0; i < sizeof(A) / 4; ++i) {
                block_.send(to + i, words[i], thread, arrived);
            }
        }
        block_.wait_bytes(arrived, round_ / 2 % 2);
        ++round_;
        return values;
    }

private:
    B& block_;
    std::uint64_t* arrived_;
    unsigned char* values_;
    unsigned round_bytes_;
    unsigned round_ = 0;
};

FUSE_END_NAMESPACE
