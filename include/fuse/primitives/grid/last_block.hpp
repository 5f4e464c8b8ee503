// SPDX-License-Identifier: Apache-2.0
//
// How blocks of one launch hand data to each other: the block that arrives last carries on alone
// (last_block), does something that the others wait for (GroupRounds), or all of them wait for each other (grid_sync);
// blocks that wait must be resident together. Why a plain store of
// one block may be read with a plain load in another, in the terms of the PTX memory model (C++ has the same
// chain):
//   1. the store comes before the block's barrier, and the barrier synchronises with thread 0 of that block;
//   2. thread 0's fetch_add is a release at gpu scope; causality order is transitive, so the release covers what the
//      barrier made visible to thread 0, not only its own stores;
//   3. every arrival is a read-modify-write of the same counter, an acquire as well: the last one has read from a
//      chain that passes through all the others, so all their releases synchronise with it;
//   4. its thread 0 meets its own block at a barrier, after which every thread is ordered after every store of 1.
// Loads of step 4 must not take the read-only path (ld.global.nc, const __restrict__), which promises that
// the data does not change during the kernel.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

/// Bytes of one half of the scratch memory that last_block and GroupRounds need (grid_sync needs none).
inline constexpr std::size_t last_block_scratch_bytes = scratch_round_up(sizeof(unsigned));

/// True in every thread of the last of `total` blocks to call it, false in all others. What any thread of
/// those blocks wrote before the call may then be read by every thread of that block. `*counter` starts at 0
/// and is 0 again after the last call, so the same word serves the next launch.
template <DeviceAtomics B>
FUSE_HD bool last_block(B& block, unsigned* counter, unsigned total) {
    unsigned* arrived_before = block.template scratch<unsigned>(1);
    block.sync();
    if (linear_thread(block) == 0) {
        const unsigned before = block.fetch_add(counter, 1);
        if (before == total - 1) {
            *counter = 0;  // nobody else will touch it: all have arrived
        }
        *arrived_before = before;
    }
    block.sync();
    return *arrived_before == total - 1;
}

/// Rounds in which the `blocks` blocks of a group, all resident, meet: the last to arrive does something for all of them,
/// and the others wait until it is done. `*counter` starts at 0 and is 0 again when all blocks have left. It counts the
/// arrivals of a round and one more for its end, so that each round has numbers of its own.
class GroupRounds {
public:
    FUSE_HD GroupRounds(unsigned* counter, unsigned blocks) : counter_(counter), blocks_(blocks) {}

    /// Calls last() in all threads of the block that arrives last. What any of these blocks wrote before may be read there,
    /// and what is written there by all of them afterwards.
    template <DeviceAtomics B, class Last>
    FUSE_HD void meet(B& block, Last&& last) {
        unsigned* arrived_before = block.template scratch<unsigned>(1);
        block.sync();
        if (linear_thread(block) == 0) {
            *arrived_before = block.fetch_add(counter_, 1);
        }
        block.sync();
        const unsigned end = begin_ + blocks_;
        if (*arrived_before == end - 1) {
            last();
            block.sync();
            if (linear_thread(block) == 0) {
                block.fetch_add(counter_, 1);
            }
        } else if (linear_thread(block) == 0) {
            while (block.load_acquire(counter_) <= end) {
                block.relax();
            }
        }
        block.sync();
        begin_ = end + 1;
    }
    /// After the last round.
    template <DeviceAtomics B>
    FUSE_HD void leave(B& block) {
        if (linear_thread(block) == 0 && block.fetch_add(counter_, 1) == begin_ + blocks_ - 1) {
            *counter_ = 0;
        }
    }

private:
    unsigned* counter_;
    unsigned blocks_;
    unsigned begin_ = 0;  ///< what the counter is when a round begins
};

/// Round number `round`, from 0 on, in which the `blocks` blocks of a group, all resident, wait until all have arrived. What any
/// of them wrote before may be read by all of them afterwards. `*counter` starts at 0.
template <DeviceAtomics B>
FUSE_HD void meet_group(B& block, unsigned* counter, unsigned blocks, unsigned round) {
    block.sync();
    if (linear_thread(block) == 0) {
        block.fetch_add(counter, 1);
        while (block.load_acquire(counter) < (round + 1) * blocks) {
            block.relax();
        }
    }
    block.sync();
}
/// After so many rounds: `*counter` is 0 again when all blocks have left.
template <DeviceAtomics B>
FUSE_HD void leave_group(B& block, unsigned* counter, unsigned blocks, unsigned rounds) {
    if (linear_thread(block) == 0 && block.fetch_add(counter, 1) == (rounds + 1) * blocks - 1) {
        *counter = 0;
    }
}

/// Barrier over the `blocks` blocks of a launch, which must all be resident (cooperative launch). What was
/// written before it may be read after it by all. words[0] counts arrivals, words[1] is the generation: both
/// start at 0 once and are never reset, the barrier can be used again and again, and by later launches.
template <DeviceAtomics B>
FUSE_HD void grid_sync(B& block, unsigned* words, unsigned blocks) {
    block.sync();
    if (linear_thread(block) == 0) {
        // Read before arriving: afterwards the last block may already have moved on.
        const unsigned generation = block.load_acquire(words + 1);
        if (block.fetch_add(words, 1) == blocks - 1) {
            words[0] = 0;  // released to the others by the next line, before any of them can arrive again
            block.fetch_add(words + 1, 1);
        } else {
            while (block.load_acquire(words + 1) == generation) {
                block.relax();
            }
        }
    }
    block.sync();
}

FUSE_END_NAMESPACE
