// SPDX-License-Identifier: Apache-2.0
//
// What the threads of one emulated block share: the barrier, a shuffle per warp, the scratch memory. Threads
// arrive one at a time (fibers); everything that hardware would answer with a hang, a wrong value or
// undefined behaviour is found on arrival, by comparing with those that already wait, and thrown as
// emulation_error in the arriving thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "support/emulated/byte_barriers.hpp"
#include "support/emulated/cluster_state.hpp"
#include "support/emulated/emulation_error.hpp"
#include "support/emulated/launch_state.hpp"
#include "support/emulated/scratch_memory.hpp"
#include "support/emulated/thread_state.hpp"

namespace fuse::testing {

class BlockState {
public:
    BlockState(LaunchState& launch, ClusterState& cluster, Dim2 index, std::size_t half_bytes, std::size_t own_bytes)
        : launch_(launch), cluster_(cluster), rank_((index.y * launch.grid.x + index.x) % cluster.blocks()),
          index_(index), scratch_(half_bytes), own_memory_(new OwnWord[own_bytes / sizeof(OwnWord)]),
          byte_barriers_(launch, own_memory(), own_bytes), threads_(launch.block.count()),
          warps_((threads_.size() + launch.warp_size - 1) / launch.warp_size) {
        std::memset(own_memory_.get(), 0xCD, own_bytes);
        for (unsigned i = 0; i < threads_.size(); ++i) {
            threads_[i].linear = i;
        }
        cluster_.join(rank_, own_memory(), own_bytes, byte_barriers_, threads_);
    }

    BlockState(const BlockState&) = delete;
    BlockState& operator=(const BlockState&) = delete;

    LaunchState& launch() { return launch_; }
    Dim2 index() const { return index_; }
    ClusterState& cluster() { return cluster_; }
    unsigned rank() const { return rank_; }
    std::size_t half_bytes() const { return scratch_.half_bytes(); }
    unsigned char* own_memory() { return reinterpret_cast<unsigned char*>(own_memory_.get()); }
    std::vector<ThreadState>& threads() { return threads_; }

    void arrive_at_barrier(ThreadState& me, Site site) {
        const Unobserved scope;
        Warp& warp = warp_of(me);
        if (exited_ > 0) {
            fail(me, "barrier", site,
                 "but thread " + name(find_exited(0, static_cast<unsigned>(threads_.size()))) + " has exited");
        }
        if (warp.at_shuffle > 0) {
            fail(me, "barrier", site, "but " + describe(*warp.first_at_shuffle));
        }
        if (at_barrier_ > 0) {
            const ThreadState& other = *first_at_barrier_;
            if (other.site != site) {
                fail(me, "barrier", site, "but " + describe(other) + ": divergent barrier");
            }
            if (other.scratch_calls != me.scratch_calls) {
                fail(me, "barrier", site, "but " + describe(other) + " and scratch() was called by only one of them");
            }
        }
        ++launch_.progress;
        first_at_barrier_ = at_barrier_ == 0 ? &me : first_at_barrier_;
        ++at_barrier_;
        ++warp.at_barrier;
        me.site = site;
        // Two tokens in turn: one token would also order a late waker behind what early ones did since.
        char* token = &barrier_tokens_[generation_ % 2];
        release(token);
        if (at_barrier_ < threads_.size()) {
            me.wait = ThreadState::Wait::barrier;
            suspend(me);
            acquire(token);
            return;
        }
        acquire(token);
        ++generation_;
        ++launch_.counts.barriers;
        at_barrier_ = 0;
        for (Warp& any : warps_) {
            any.at_barrier = 0;
        }
        for (ThreadState& thread : threads_) {
            thread.wait = ThreadState::Wait::none;
        }
    }

    /// A shuffle that also orders memory.
    void arrive_at_warp_barrier(ThreadState& me, Site site) {
        const Unobserved scope;
        char* token = &warp_of(me).tokens[me.warp_barriers++ % 2];
        release(token);
        const char own = 0;
        char result = 0;
        arrive_at_shuffle(me, ShuffleCall{ShuffleKind::index, static_cast<int>(launch_.warp_size),
                                          me.linear - warp_first(me), &own, &result, 1, site});
        acquire(token);
    }

    void arrive_at_shuffle(ThreadState& me, const ShuffleCall& call) {
        const Unobserved scope;
        Warp& warp = warp_of(me);
        const unsigned first = warp_first(me);
        const unsigned lanes = warp_lanes(me);
        if (call.width < 1 || call.width > static_cast<int>(launch_.warp_size) ||
            (call.width & (call.width - 1)) != 0) {
            fail(me, "shuffle", call.site, "with width " + std::to_string(call.width));
        }
        if (call.source_lane >= lanes) {
            fail(me, "shuffle", call.site,
                 "and names lane " + std::to_string(call.source_lane) + ", absent in a warp of " +
                     std::to_string(lanes) + " threads");
        }
        if (warp.exited > 0) {
            fail(me, "shuffle", call.site, "but thread " + name(find_exited(first, first + lanes)) + " has exited");
        }
        if (warp.at_barrier > 0) {
            fail(me, "shuffle", call.site, "but " + describe(find_at_barrier(first, first + lanes)));
        }
        if (warp.at_shuffle > 0) {
            const ThreadState& other = *warp.first_at_shuffle;
            if (other.call->kind != call.kind || other.call->width != call.width || other.call->bytes != call.bytes ||
                other.call->site != call.site) {
                fail(me, "shuffle", call.site,
                     "of width " + std::to_string(call.width) + " but " + describe(other) + " with width " +
                         std::to_string(other.call->width) + ": different shuffles in one warp");
            }
        }
        ++launch_.progress;
        warp.first_at_shuffle = warp.at_shuffle == 0 ? &me : warp.first_at_shuffle;
        ++warp.at_shuffle;
        me.site = call.site;
        me.call = call;
        if (warp.at_shuffle < lanes) {
            me.wait = ThreadState::Wait::shuffle;
            suspend(me);
            return;
        }
        ++launch_.counts.shuffles;
        // All values still sit in the callers' frames: copy for everybody before anybody moves on.
        warp.at_shuffle = 0;
        for (unsigned i = first; i < first + lanes; ++i) {
            const ShuffleCall& target = *threads_[i].call;
            std::memcpy(target.out, threads_[first + target.source_lane].call->in, target.bytes);
            threads_[i].wait = ThreadState::Wait::none;
        }
    }

    void arrive_in_cluster(ThreadState& me, Site site) {
        const Unobserved scope;
        const std::string complaint = cluster_.arrive(me);
        if (!complaint.empty()) {
            fail(me, "arrival at the cluster's barrier", site, complaint);
        }
    }

    void wait_for_cluster(ThreadState& me, Site site) {
        const Unobserved scope;
        if (!me.in_cluster_barrier) {
            fail(me, "wait for the cluster", site, "but it has not arrived there");
        }
        me.site = site;
        if (cluster_.must_wait(me)) {
            me.wait = ThreadState::Wait::cluster;
            suspend(me);
        }
        cluster_.pass(me);
    }

    unsigned char* peer(ThreadState& me, unsigned char* own, std::size_t bytes, unsigned rank) {
        const Unobserved scope;
        std::string complaint;
        unsigned char* const there = cluster_.peer(rank_, own, bytes, rank, complaint);
        if (there == nullptr) {
            fail(me, "access to block " + std::to_string(rank) + " of the cluster", {}, complaint);
        }
        return there;
    }

    void* take_scratch(ThreadState& me, std::size_t bytes) {
        const Unobserved scope;
        std::string complaint;
        void* memory = scratch_.take(++me.scratch_calls, bytes, complaint);
        if (memory == nullptr) {
            fail(me, "scratch of " + std::to_string(bytes) + " bytes", {}, complaint);
        }
        return memory;
    }

    void start_copy(ThreadState& me, const PendingCopy& copy) {
        const Unobserved scope;
        if (reinterpret_cast<std::uintptr_t>(copy.to) % copy.bytes != 0 ||
            reinterpret_cast<std::uintptr_t>(copy.from) % copy.bytes != 0) {
            fail(me, "copy of " + std::to_string(copy.bytes) + " bytes", {}, "that is not aligned");
        }
        me.copies.push_back(copy);
    }

    void finish_copies(ThreadState& me) {
        for (const PendingCopy& copy : me.copies) {
            std::memcpy(copy.to, copy.from, copy.bytes);
        }
        const Unobserved scope;
        me.copies.clear();
    }

    void begin_bytes(ThreadState& me, const std::uint64_t* barrier) {
        const Unobserved scope;
        complain(me, "barrier of bytes", byte_barriers_.begin(barrier));
    }
    void expect_bytes(ThreadState& me, const std::uint64_t* barrier, std::size_t bytes) {
        const Unobserved scope;
        complain(me, "expects bytes of a barrier", byte_barriers_.expect(barrier, bytes));
    }
    void copy_bulk(ThreadState& me, const PendingCopy& copy, const std::uint64_t* barrier) {
        const std::string complaint = byte_barriers_.copy(copy, barrier);
        const Unobserved scope;
        complain(me, "bulk copy of " + std::to_string(copy.bytes) + " bytes", complaint);
    }
    void send(ThreadState& me, unsigned* own, unsigned word, unsigned rank, std::uint64_t* barrier) {
        unsigned char* const to = peer(me, reinterpret_cast<unsigned char*>(own), sizeof word, rank);
        unsigned char* const counted = peer(me, reinterpret_cast<unsigned char*>(barrier), sizeof *barrier, rank);
        const std::string complaint = cluster_.barriers(rank).receive(reinterpret_cast<unsigned*>(to), word,
                                                                      reinterpret_cast<std::uint64_t*>(counted));
        const Unobserved scope;
        complain(me, "word for block " + std::to_string(rank) + " of the cluster", complaint);
    }
    void wait_bytes(ThreadState& me, const std::uint64_t* barrier, unsigned parity) {
        bool must_wait = false;
        do {
            const std::string complaint = byte_barriers_.wait(barrier, parity, must_wait);
            const Unobserved scope;
            complain(me, "waits for a barrier of bytes", complaint);
            if (must_wait) {
                suspend(me);
            }
        } while (must_wait);
    }

    void exit(ThreadState& me) {
        const Unobserved scope;
        if (exited_ + 1 == threads_.size() && !byte_barriers_.idle()) {
            fail(me, "exit", {}, "but bulk copies are under way that nobody has waited for");
        }
        if (!me.copies.empty()) {
            fail(me, "exit", {}, "without waiting for the copies it has started");
        }
        Warp& warp = warp_of(me);
        if (at_barrier_ > 0) {
            fail(me, "exit", {}, "but " + describe(*first_at_barrier_));
        }
        if (warp.at_shuffle > 0) {
            fail(me, "exit", {}, "but " + describe(*warp.first_at_shuffle));
        }
        cluster_.leave(rank_);
        ++launch_.progress;
        ++exited_;
        ++warp.exited;
        me.wait = ThreadState::Wait::exited;
    }

    /// Lets other threads run; the scheduler comes back when `me` does not wait.
    void suspend(ThreadState& me) {
        const Unobserved scope;
        me.fiber->suspend();
        if (launch_.unwinding) {
            throw UnwindFiber{};
        }
    }

private:
    struct Warp {
        unsigned at_barrier = 0;
        unsigned at_shuffle = 0;
        const ThreadState* first_at_shuffle = nullptr;
        unsigned exited = 0;
        char tokens[2] = {};  ///< as the block's barrier has them
    };

    Warp& warp_of(const ThreadState& thread) { return warps_[thread.linear / launch_.warp_size]; }
    unsigned warp_first(const ThreadState& thread) const { return thread.linear - thread.linear % launch_.warp_size; }
    unsigned warp_lanes(const ThreadState& thread) const {
        return std::min(launch_.warp_size, static_cast<unsigned>(threads_.size()) - warp_first(thread));
    }

    const ThreadState& find_at_barrier(unsigned from, unsigned to) const {
        return *std::find_if(threads_.data() + from, threads_.data() + to,
                             [](const ThreadState& thread) { return thread.wait == ThreadState::Wait::barrier; });
    }

    const ThreadState& find_exited(unsigned from, unsigned to) const {
        return *std::find_if(threads_.data() + from, threads_.data() + to,
                             [](const ThreadState& thread) { return thread.wait == ThreadState::Wait::exited; });
    }

    std::string name(const ThreadState& thread) const {
        std::string text = "(";
        text += std::to_string(thread.linear % launch_.block.x);
        text += ", ";
        text += std::to_string(thread.linear / launch_.block.x);
        return text += ")";
    }

    std::string describe(const ThreadState& thread) const {
        return "thread " + name(thread) + " waits at " +
               (thread.wait == ThreadState::Wait::barrier ? "the barrier " : "the shuffle ") + to_string(thread.site);
    }

    void complain(const ThreadState& me, const std::string& what, const std::string& why) const {
        if (!why.empty()) {
            fail(me, what, {}, why);
        }
    }
    [[noreturn]] void fail(const ThreadState& me, const std::string& what, Site site, const std::string& why) const {
        throw emulation_error("block (" + std::to_string(index_.x) + ", " + std::to_string(index_.y) + "), thread " +
                              name(me) + ": " + what + (site.line > 0 ? " at " + to_string(site) : "") + " " + why);
    }

    LaunchState& launch_;
    ClusterState& cluster_;
    unsigned rank_;
    Dim2 index_;
    struct alignas(16) OwnWord {
        unsigned char bytes[16];
    };

    ScratchMemory scratch_;
    std::unique_ptr<OwnWord[]> own_memory_;
    ByteBarriers byte_barriers_;
    std::vector<ThreadState> threads_;
    std::vector<Warp> warps_;
    unsigned at_barrier_ = 0;
    const ThreadState* first_at_barrier_ = nullptr;
    unsigned exited_ = 0;
    unsigned generation_ = 0;
    char barrier_tokens_[2] = {};
};

}  // namespace fuse::testing
