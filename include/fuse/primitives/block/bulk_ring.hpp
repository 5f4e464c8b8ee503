// SPDX-License-Identifier: Apache-2.0
//
// BulkRing: slots of shared memory through which a block reads what is larger than they are. Bulk copies fill a slot, all
// threads read it, and the warp that is the last to leave it has it filled again at once: no thread ever waits for a slot
// to be free, and there is no barrier of the block.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

/// The most slots of a ring.
inline constexpr unsigned max_ring_slots = 32;

/// What a ring needs in own_memory besides its slots.
struct BulkRingMemory {
    std::uint64_t arrived[max_ring_slots];
    unsigned left[max_ring_slots];  ///< warps that have left the slot
};

/// Where a thread is in a ring: slots follow each other, with parity 0 the first time round, then 1, 0, ...
struct RingPosition {
    unsigned slot = 0;
    unsigned parity = 0;

    FUSE_HD void next(unsigned slots) {
        if (++slot == slots) {
            slot = 0;
            parity ^= 1U;
        }
    }
};

/// Blocks of whole warps.
template <BulkCopies B>
class BulkRing {
public:
    /// All threads must call; a barrier of the block.
    FUSE_HD BulkRing(B& block, BulkRingMemory& memory) : block_(block), memory_(memory) {
        static_assert(max_ring_slots <= B::warp_size);
        if (linear_thread(block_) < max_ring_slots) {
            block_.begin_bytes(&memory_.arrived[linear_thread(block_)]);
            memory_.left[linear_thread(block_)] = 0;
        }
        block_.sync();
    }

    /// By one thread: `bytes` are going to be copied into a slot that is new, or that all have left. The barrier that the
    /// copies name.
    FUSE_HD std::uint64_t* fill(unsigned slot, unsigned bytes) {
        block_.expect_bytes(&memory_.arrived[slot], bytes);
        return &memory_.arrived[slot];
    }

    /// Until what fills the slot is there. Before a thread reads a slot for the first time.
    FUSE_HD void wait(const RingPosition& at) { block_.wait_bytes(&memory_.arrived[at.slot], at.parity); }

    /// By all threads of a warp, when they will not read the slot again. True in one thread of the block, after all warps
    /// have left: it may fill the slot.
    FUSE_HD bool leave(unsigned slot) {
        block_.sync_warp();
        const unsigned warps = block_threads(block_) / B::warp_size;
        return linear_thread(block_) % B::warp_size == 0 &&
               block_.fetch_next_shared(&memory_.left[slot], warps - 1) == warps - 1;
    }

private:
    B& block_;
    BulkRingMemory& memory_;
};

FUSE_END_NAMESPACE
