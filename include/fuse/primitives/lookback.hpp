// SPDX-License-Identifier: Apache-2.0
//
// Lookback: how the blocks of one launch hand running folds along, in one pass over the data. The idea is the decoupled
// look-back of Merrill and Garland (2016, "Single-pass parallel prefix scan with decoupled look-back"): a block takes the
// next tile by a ticket, publishes the tile's total as soon as it knows it, and collects the totals of the tiles before
// it. What differs is the grouping. There a block adds up whatever its predecessors have published by then, so that the
// bits of a float result change from run to run. Here tiles stand in groups of as many as a block has threads:
//   prefix of a tile = prefix of its group + the totals of the tiles before it in the group, folded by BlockReduce;
//   the last tile of a group publishes the prefix of the next one.
// The order of combinations is thus a function of the shape alone. The chain from group to group is short: 2^28 floats
// in tiles of 12288 are 86 groups of 256.
//
// A message is sent as 64-bit words that carry 32 bits of value and a tag, each written and read by one atomic access:
// a word is there as a whole or not at all, and no fence is needed, whatever the size of the value. The tag is the number
// of the launch, which comes with the ticket: messages of earlier launches are void, and no launch has to clear anything.
// So that a tag may come back after 2^32 - 1 launches, each of them clears a few words that it does not use. No launch has
// tag 0, which is that of words that are clear.
#pragma once

#include <cstring>

#include "fuse/primitives/block_reduce.hpp"
#include "fuse/primitives/lookback_state.hpp"

FUSE_BEGIN_NAMESPACE

/// Where a block's tile lies: tile number `index` of row `row`.
struct LookbackTile {
    unsigned row;
    unsigned index;
};

/// A: accumulator. The grid has rows * tiles blocks; each calls take(), publish() and collect() once.
template <class A>
class Lookback {
  public:
    static constexpr int words = static_cast<int>((sizeof(A) + 3) / 4);

    /// tiles: per row. capacity: 64-bit words of the whole state, at least lookback_state_words(...).
    FUSE_HD Lookback(std::uint64_t* state, index_t capacity, index_t tiles, index_t rows)
        : state_(state), capacity_(capacity), tiles_(tiles), rows_(rows) {}

    /// Bytes of one half of scratch memory.
    static constexpr std::size_t scratch_bytes(unsigned dim_x, unsigned dim_y) {
        const std::size_t fold = block_reduce_scratch_bytes(dim_x, dim_y, sizeof(A));
        return fold < sizeof(std::uint64_t) ? scratch_round_up(sizeof(std::uint64_t)) : fold;
    }

    /// The block's tile, by a ticket. Tickets are drawn in order, so every tile before this one belongs to a block that
    /// already runs: waiting for it cannot deadlock. One barrier.
    template <ThreadBlock B>
    FUSE_HD LookbackTile take(B& block) {
        auto* shared = block.template scratch<std::uint64_t>(1);
        if (linear_thread(block) == 0) {
            const std::uint64_t drawn = block.fetch_add_relaxed(state_, 1);
            *shared = drawn;
            if (static_cast<index_t>(drawn & 0xffffffffU) == tiles_ * rows_ - 1) {  // nobody else will draw
                block.store_relaxed(state_, ((drawn >> 32) + 1) % 0xffffffffU << 32);
            }
        }
        block.sync();
        const std::uint64_t drawn = *shared;
        tag_ = static_cast<unsigned>(drawn >> 32) + 1;
        const auto number = static_cast<unsigned>(drawn);
        const auto row = static_cast<unsigned>(rows_ == 1 ? 0 : number / tiles_);
        if (number == 0) {
            clear_unused(block);
        }
        return {row, number - row * static_cast<unsigned>(tiles_)};
    }

    /// Tells the tiles after this one its total, which thread 0 holds.
    template <ThreadBlock B>
    FUSE_HD void publish(B& block, const LookbackTile& tile, const A& total) const {
        if (linear_thread(block) == 0 && !closes(block, tile)) {
            send(block, message(tile.row, tile.index), total);
        }
    }

    /// The fold of the tiles before this one in its row, in every thread; total: the tile's own, in thread 0. Barriers of
    /// one BlockReduce.
    template <ThreadBlock B, class R>
    FUSE_HD A collect(B& block, const R& r, const LookbackTile& tile, const A& total) const {
        const unsigned thread = linear_thread(block);
        const unsigned member = tile.index % block_threads(block);
        const unsigned group = tile.index - member;  // its first tile
        A before = r.init();
        // The tiles just before this one are loaded at the same time. Whoever asks too early only delays them: all blocks of
        // a group ask for the same few words. An H200 scans 2^28 floats in tiles of 6144 in 849 us with this pause, in 937
        // without.
        block.relax(600);
        if (thread == 0 && group > 0) {
            before = receive(block, prefix(block, tile.row, group));
        } else if (thread > 0 && thread <= member) {
            before = receive(block, message(tile.row, group + thread - 1));
        }
        before = BlockReduce(block, before, r);
        if (thread == 0 && closes(block, tile)) {
            send(block, prefix(block, tile.row, tile.index + 1), r.combine(before, total));
        }
        return before;
    }

  private:
    /// Whether a tile is the last of its group, with more to come in the row.
    template <ThreadBlock B>
    FUSE_HD bool closes(B& block, const LookbackTile& tile) const {
        return (tile.index + 1) % block_threads(block) == 0 && tile.index + 1 < tiles_;
    }

    FUSE_HD std::uint64_t* message(index_t row, index_t tile) const {
        return state_ + lookback_header_words + (row * tiles_ + tile) * words;
    }
    /// The fold of all before the group that starts with a tile.
    template <ThreadBlock B>
    FUSE_HD std::uint64_t* prefix(B& block, index_t row, index_t tile) const {
        const index_t size = block_threads(block);
        return message(rows_, 0) + (row * ((tiles_ + size - 1) / size) + tile / size) * words;
    }

    template <ThreadBlock B>
    FUSE_HD void send(B& block, std::uint64_t* to, const A& value) const {
        unsigned part[words] = {};
        memcpy(part, &value, sizeof(A));
        FUSE_UNROLL
        for (int i = 0; i < words; ++i) {
            block.store_relaxed(to + i, std::uint64_t{tag_} << 32 | part[i]);
        }
    }

    template <ThreadBlock B>
    FUSE_HD A receive(B& block, const std::uint64_t* from) const {
        unsigned part[words];
        FUSE_UNROLL
        for (int i = 0; i < words; ++i) {
            std::uint64_t word = block.load_relaxed(from + i);
            while (static_cast<unsigned>(word >> 32) != tag_) {
                block.relax();
                word = block.load_relaxed(from + i);
            }
            part[i] = static_cast<unsigned>(word);
        }
        A value;
        memcpy(&value, part, sizeof(A));
        return value;
    }

    /// One chunk of the words beyond this launch's, another one each time.
    template <ThreadBlock B>
    FUSE_HD void clear_unused(B& block) const {
        constexpr index_t chunk = 1024;
        const index_t used = lookback_state_words(tiles_, rows_, block_threads(block), words);
        const index_t chunks = (capacity_ + chunk - 1) / chunk;
        const index_t first = static_cast<index_t>(tag_) % chunks * chunk;
        for (index_t i = first + linear_thread(block); i < first + chunk && i < capacity_; i += block_threads(block)) {
            if (i >= used) {
                state_[i] = 0;
            }
        }
    }

    std::uint64_t* state_;
    index_t capacity_;
    index_t tiles_;
    index_t rows_;
    unsigned tag_ = 0;
};

FUSE_END_NAMESPACE
