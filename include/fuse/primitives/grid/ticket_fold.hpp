// SPDX-License-Identifier: Apache-2.0
//
// TicketFold: the fold over all blocks of a launch by messages. A block draws a ticket when it begins, and knows its
// number long before its value. The one that drew the last ticket collects: all others have begun by then, wait for
// nobody, and have only to send. So the end of the launch is one message: no fence, no counter that is asked when the
// work is done, no second look at memory. Values are folded in the order of the blocks, whoever collects.
//
// A message is sent as 64-bit words of 32 bits of value and a flag, each written and read by one atomic access: a word
// is there as a whole or not at all. Whoever collects clears them, so that they are zero between launches.
#pragma once

#include <cstring>

#include "fuse/primitives/block/block_reduce.hpp"

FUSE_BEGIN_NAMESPACE

/// A: accumulator. The blocks of the grid are one row of them. Tickets begin again by themselves.
template <class A>
class TicketFold {
public:
    static constexpr int words = static_cast<int>((sizeof(A) + 3) / 4);

    /// 64-bit words of state for so many blocks. They are zero before their first use, and again after each launch.
    static constexpr index_t state_words(index_t blocks) { return 1 + blocks * words; }
    /// Bytes of one half of scratch memory.
    static constexpr std::size_t scratch_bytes(unsigned dim_x, unsigned dim_y, BlockTraits block = {}) {
        const std::size_t fold = block_reduce_scratch_bytes(dim_x, dim_y, sizeof(A), block);
        return fold < scratch_round_up(sizeof(Own)) ? scratch_round_up(sizeof(Own)) : fold;
    }

    FUSE_HD explicit TicketFold(std::uint64_t* state) : state_(state) {}

    /// To be called first: what the block then works on hides the way to the memory and back.
    template <DeviceAtomics B>
    FUSE_HD void draw(B& block) {
        if (linear_thread(block) == 0) {
            ticket_ = block.fetch_next_relaxed(reinterpret_cast<unsigned*>(state_), block.grid_x() - 1);
        }
    }

    /// Thread 0 brings the value of the block. True in all threads of the block that collects, whose thread 0 then has
    /// the fold of all blocks in `value`. One barrier, and there those of a BlockReduce.
    template <DeviceAtomics B, class R>
    FUSE_HD bool fold(B& block, A& value, const R& r) const {
        const unsigned blocks = block.grid_x();
        Own* own = block.template scratch<Own>(1);
        if (linear_thread(block) == 0) {
            const bool collects = ticket_ == blocks - 1;
            if (!collects) {
                send(block, value);
            }
            *own = {value, collects};
        }
        block.sync();
        if (!own->collects) {
            return false;
        }
        const unsigned threads = block_threads(block);
        const unsigned piece = blocks <= threads ? 1 : (blocks + threads - 1) / threads;
        const unsigned first = linear_thread(block) * piece;
        A total = r.init();
        const unsigned end = first + piece < blocks ? first + piece : blocks;
        for (unsigned from = first; from < end; ++from) {
            total = r.combine(total, from == block.block_x() ? own->value : receive(block, from));
        }
        value = BlockReduce(block, total, r, OneThread{});
        return true;
    }

private:
    /// What thread 0 tells the others.
    struct Own {
        A value;
        bool collects;
    };
    static constexpr std::uint64_t there = std::uint64_t{1} << 32;

    FUSE_HD std::uint64_t* message(unsigned block) const { return state_ + 1 + static_cast<index_t>(block) * words; }

    template <DeviceAtomics B>
    FUSE_HD void send(B& block, const A& value) const {
        unsigned part[words] = {};
        memcpy(part, &value, sizeof(A));
        FUSE_UNROLL
        for (int w = 0; w < words; ++w) {
            block.store_relaxed(message(block.block_x()) + w, there | part[w]);
        }
    }

    /// Asks for all words at once, again and again until all are there: one by one, each would take the way to the memory
    /// and back.
    template <DeviceAtomics B>
    FUSE_HD A receive(B& block, unsigned from) const {
        std::uint64_t word[words] = {};
        for (bool all = false; !all;) {
            FUSE_UNROLL
            for (int w = 0; w < words; ++w) {
                word[w] = block.load_relaxed(message(from) + w);
            }
            all = true;
            FUSE_UNROLL
            for (int w = 0; w < words; ++w) {
                all = all && word[w] != 0;
            }
            if (!all) {
                block.relax();
            }
        }
        unsigned part[words];
        FUSE_UNROLL
        for (int w = 0; w < words; ++w) {
            block.store_relaxed(message(from) + w, 0);
            part[w] = static_cast<unsigned>(word[w]);
        }
        A value;
        memcpy(&value, part, sizeof(A));
        return value;
    }

    std::uint64_t* state_;
    unsigned ticket_ = 0;  ///< in thread 0
};

FUSE_END_NAMESPACE
