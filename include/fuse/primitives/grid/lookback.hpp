// SPDX-License-Identifier: Apache-2.0
//
// Lookback: how the blocks of one launch hand running folds along, in one pass over the data. The idea is the decoupled
// look-back of Merrill and Garland (2016, "Single-pass parallel prefix scan with decoupled look-back"): a block takes
// the next tile by a ticket, publishes the tile's total as soon as it knows it, and collects the totals of the tiles
// before it. What differs is the grouping. There a block adds up whatever its predecessors have published by then, so
// that the bits of a float result change from run to run. Here tiles stand in groups of as many as a block has threads:
//   prefix of a tile = prefix of its group + the totals of the tiles before it in the group, folded by BlockReduce;
//   the last tile of a group publishes the prefix of the next one.
// The order of combinations is thus a function of the shape alone. The chain from group to group is short: 2^28 floats
// in tiles of 10240 are 52 groups of 512. It is also what everybody waits for, so a block goes on with it as soon as
// it has published the total of a group's last tile (docs/journal.md has the figures).
//
// A message is sent as 64-bit words that carry 32 bits of value and a tag, each written and read by one atomic access:
// a word is there as a whole or not at all, and no fence is needed, whatever the size of the value. The tag is the
// number of the launch, which comes with the ticket: messages of earlier launches are void, and no launch has to clear
// anything. So that a tag may come back after 2^32 - 1 launches, each of them clears a few words that it does not use.
// No launch has tag 0, which is that of words that are clear.
#pragma once

#include <cstring>

#include "fuse/primitives/block/block_reduce.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"
#include "fuse/primitives/grid/lookback_state.hpp"

FUSE_BEGIN_NAMESPACE

/// Where a block's tile lies: tile number `index` of row `row`, tile number `member` of its group.
struct LookbackTile {
    unsigned row;
    unsigned index;
    unsigned member;
};

/// Whether the threads of a block share one fold, or those of each of its columns.
enum class LookbackOver { rows, columns };

/// A: accumulator. Every block of the grid, whatever the grid's size, takes tiles until there are none. It publishes
/// them in the order in which it took them, and collects none before it is published: then blocks cannot wait for each
/// other in a circle. Over columns a row is a strip of them, as wide as the block, each of which has messages of its own;
/// the threads of a column, dim_y, are those that count as a block's above, and tickets go along the strips first.
template <class A, LookbackOver Over = LookbackOver::rows>
class Lookback {
public:
    static constexpr int words = static_cast<int>((sizeof(A) + 3) / 4);

    /// tiles: per row, at least 1. capacity: 64-bit words of the whole state, at least lookback_state_words(...). tiles
    /// * rows and the blocks of the grid are fewer than 2^32 together.
    FUSE_HD Lookback(std::uint64_t* state, index_t capacity, index_t tiles, index_t rows)
        : state_(state), capacity_(capacity), tiles_(static_cast<unsigned>(tiles)), rows_(static_cast<unsigned>(rows)) {
    }

    /// Bytes of one half of scratch memory.
    static constexpr std::size_t scratch_bytes(unsigned dim_x, unsigned dim_y, BlockTraits block = {}) {
        const std::size_t fold = by_columns ? y_reduce_scratch_bytes(dim_x, dim_y, sizeof(A), block)
                                            : block_reduce_scratch_bytes(dim_x, dim_y, sizeof(A), block);
        return fold < sizeof(std::uint64_t) ? scratch_round_up(sizeof(std::uint64_t)) : fold;
    }

    /// Asks for the ticket of the next take() ahead of it, which then does not wait for memory.
    template <DeviceAtomics B>
    FUSE_HD void request(B& block) {
        requested_ = true;
        if (linear_thread(block) == 0) {
            drawn_ = block.fetch_add_relaxed(state_, 1);
        }
    }

    /// The block's next tile, by a ticket; where none is left, one for which exists() is false, and then the block must
    /// not ask again. Tickets are drawn in order, so every tile before this one belongs to a block that already runs.
    /// One barrier.
    template <DeviceAtomics B>
    FUSE_HD LookbackTile take(B& block) {
        if (!requested_) {
            request(block);
        }
        requested_ = false;
        auto* shared = block.template scratch<std::uint64_t>(1);
        if (linear_thread(block) == 0) {
            *shared = drawn_;
            // Each block draws one ticket too many: whoever draws the last of these comes after all the others.
            if (static_cast<unsigned>(drawn_) == tiles_ * rows_ + block.grid_x() * block.grid_y() - 1) {
                block.store_relaxed(state_, ((drawn_ >> 32) + 1) % 0xffffffffU << 32);
            }
        }
        block.sync();
        const std::uint64_t drawn = *shared;
        tag_ = static_cast<unsigned>(drawn >> 32) + 1;
        const auto number = static_cast<unsigned>(drawn);
        if (number == 0) {
            clear_unused(block);
        }
        const unsigned row = by_columns ? number % rows_ : number < tiles_ ? 0 : number / tiles_;
        const unsigned index = by_columns ? number / rows_ : number - row * tiles_;
        return {row, index, index % members(block)};
    }

    /// Per row.
    FUSE_HD unsigned tiles() const { return tiles_; }

    FUSE_HD bool exists(const LookbackTile& tile) const { return by_columns ? tile.index < tiles_ : tile.row < rows_; }

    /// Tells the tiles after this one its total, which thread 0 (thread_y 0) holds. Returns what collect() wants to have: for a tile
    /// that closes its group this does the work of collect(), since all later groups wait for it.
    template <DeviceAtomics B, class R>
    FUSE_HD A publish(B& block, const R& r, const LookbackTile& tile, const A& total) const {
        if (rank(block) == 0) {
            send(block, message(block, tile.row, tile.index), total);
        }
        if (!closes(block, tile)) {
            return r.init();
        }
        const A before = gather(block, r, tile);
        if (rank(block) == 0) {
            send(block, prefix(block, tile.row, tile.index + 1), r.combine(before, total));
        }
        return before;
    }

    /// The fold of the tiles before this one in its row, in every thread. published: what publish() returned. Barriers
    /// of one BlockReduce, here or there.
    template <DeviceAtomics B, class R>
    FUSE_HD A collect(B& block, const R& r, const LookbackTile& tile, const A& published) const {
        return closes(block, tile) ? published : gather(block, r, tile);
    }

private:
    static constexpr bool by_columns = Over == LookbackOver::columns;

    /// The threads that share a fold, and the one's number among them.
    template <ThreadBlock B>
    static FUSE_HD unsigned members(B& block) {
        return by_columns ? block.dim_y() : block_threads(block);
    }
    template <ThreadBlock B>
    static FUSE_HD unsigned rank(B& block) {
        return by_columns ? block.thread_y() : linear_thread(block);
    }
    /// Messages of a tile.
    template <ThreadBlock B>
    static FUSE_HD unsigned lanes(B& block) {
        return by_columns ? block.dim_x() : 1;
    }

    /// Whether a tile is the last of its group, with more to come in the row.
    template <ThreadBlock B>
    FUSE_HD bool closes(B& block, const LookbackTile& tile) const {
        return tile.member + 1 == members(block) && tile.index + 1 < tiles_;
    }

    template <DeviceAtomics B, class R>
    FUSE_HD A gather(B& block, const R& r, const LookbackTile& tile) const {
        const unsigned thread = rank(block);
        const unsigned group = tile.index - tile.member;  // its first tile
        A before = r.init();
        if (thread == 0 && group > 0) {
            before = receive(block, prefix(block, tile.row, group));
        } else if (thread > 0 && thread <= tile.member) {
            before = receive(block, message(block, tile.row, group + thread - 1));
        }
        if constexpr (by_columns) {
            return BlockYReduce(block, before, r);
        } else {
            return BlockReduce(block, before, r);
        }
    }

    /// Of the thread's column.
    template <ThreadBlock B>
    FUSE_HD std::uint64_t* message(B& block, unsigned row, unsigned tile) const {
        return at(block, static_cast<index_t>(row) * tiles_ + tile);
    }
    /// The fold of all before the group that starts with a tile, which is not the first of its row.
    template <ThreadBlock B>
    FUSE_HD std::uint64_t* prefix(B& block, unsigned row, unsigned tile) const {
        const unsigned group = tile / members(block);
        return at(block, static_cast<index_t>(rows_) * tiles_ + static_cast<index_t>(group - 1) * rows_ + row);
    }
    template <ThreadBlock B>
    FUSE_HD std::uint64_t* at(B& block, index_t number) const {
        const unsigned lane = by_columns ? block.thread_x() : 0;
        return state_ + lookback_header_words + (number * lanes(block) + lane) * words;
    }

    template <DeviceAtomics B>
    FUSE_HD void send(B& block, std::uint64_t* to, const A& value) const {
        unsigned part[words] = {};
        memcpy(part, &value, sizeof(A));
        FUSE_UNROLL
        for (int i = 0; i < words; ++i) {
            block.store_relaxed(to + i, std::uint64_t{tag_} << 32 | part[i]);
        }
    }

    template <DeviceAtomics B>
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
        const index_t used =
            lookback_state_words(tiles_, static_cast<index_t>(rows_) * lanes(block), members(block), words);
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
    unsigned tiles_;
    unsigned rows_;
    unsigned tag_ = 0;
    std::uint64_t drawn_ = 0;  ///< in thread 0
    bool requested_ = false;
};

FUSE_END_NAMESPACE
