// SPDX-License-Identifier: Apache-2.0
//
// What the blocks of one emulated cluster share: the barrier, and each other's own memory. As in BlockState, what
// hardware would answer with a hang or undefined behaviour is a complaint.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/emulated/byte_barriers.hpp"
#include "support/emulated/launch_state.hpp"
#include "support/emulated/sanitizers.hpp"
#include "support/emulated/thread_state.hpp"

namespace fuse::testing {

class ClusterState {
public:
    ClusterState(LaunchState& launch, unsigned blocks) : launch_(launch), members_(blocks) {}

    ClusterState(const ClusterState&) = delete;
    ClusterState& operator=(const ClusterState&) = delete;

    unsigned blocks() const { return static_cast<unsigned>(members_.size()); }

    void join(unsigned rank, unsigned char* own, std::size_t own_bytes, ByteBarriers& barriers,
              std::vector<ThreadState>& threads) {
        members_[rank] = {own, own_bytes, &barriers, false};
        for (ThreadState& thread : threads) {
            threads_.push_back(&thread);
        }
    }
    ByteBarriers& barriers(unsigned rank) { return *members_[rank].barriers; }
    void leave(unsigned rank) { members_[rank].left = true; }

    /// Empty, or what is wrong.
    std::string arrive(ThreadState& me) {
        if (me.in_cluster_barrier) {
            return "but it has not waited since it arrived last";
        }
        me.in_cluster_barrier = true;
        me.cluster_generation = generation_;
        release(&tokens_[generation_ % 2]);
        ++launch_.progress;
        if (++arrived_ == threads_.size()) {
            arrived_ = 0;
            ++generation_;
            for (ThreadState* thread : threads_) {
                if (thread->wait == ThreadState::Wait::cluster) {
                    thread->wait = ThreadState::Wait::none;
                }
            }
        }
        return {};
    }
    /// Whether the barrier that the thread arrived at still lacks others.
    bool must_wait(const ThreadState& me) const { return me.cluster_generation == generation_; }
    void pass(ThreadState& me) {
        me.in_cluster_barrier = false;
        acquire(&tokens_[me.cluster_generation % 2]);
    }

    /// Where block `rank` has what block `own_rank` has at `own`, or null and a complaint.
    unsigned char* peer(unsigned own_rank, const unsigned char* own, std::size_t bytes, unsigned rank,
                        std::string& complaint) const {
        const Member& me = members_[own_rank];
        const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(own) - reinterpret_cast<std::uintptr_t>(me.own);
        if (rank >= blocks()) {
            complaint = "but the cluster has " + std::to_string(blocks()) + " blocks";
        } else if (offset > me.own_bytes || bytes > me.own_bytes - offset) {
            complaint = "with an address that is not in own_memory";
        } else if (rank != own_rank && generation_ == 0) {
            complaint = "but no barrier of the cluster says that it has begun";
        } else if (members_[rank].left) {
            complaint = "but threads of it have exited";
        } else {
            return members_[rank].own + offset;
        }
        return nullptr;
    }

private:
    struct Member {
        unsigned char* own = nullptr;
        std::size_t own_bytes = 0;
        ByteBarriers* barriers = nullptr;
        bool left = false;
    };

    LaunchState& launch_;
    std::vector<Member> members_;
    std::vector<ThreadState*> threads_{};
    std::size_t arrived_ = 0;
    unsigned generation_ = 0;
    char tokens_[2] = {};
};

}  // namespace fuse::testing
