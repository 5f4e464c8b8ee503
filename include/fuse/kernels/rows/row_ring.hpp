// SPDX-License-Identifier: Apache-2.0
//
// The rows of a team, one after the other, through the shared memory of its blocks: each block has a contiguous part of
// every row, in chunks, and a ring of slots for them that may reach two rows ahead. Teams begin with two rows that follow
// from their number; each row that they begin brings them another, by a ticket or by counting: so a block always knows
// what to fetch next. Bulk copies bring whole vectors, of rows that begin anywhere those that are aligned inside them.
// Of a program with operands that are the same for all rows it may be two rows each time, a turn: a slot has a chunk of
// both, and a thread the same vector of both.
#pragma once

#include <bit>

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/rows/peeled_paths.hpp"
#include "fuse/kernels/rows/row_team.hpp"
#include "fuse/primitives/block/bulk_ring.hpp"

FUSE_BEGIN_NAMESPACE

/// Batch: vectors of a thread in a chunk.
template <class P, int V, int Batch, class B>
class RowRing {
    using sets = leaf_sets<P>;

public:
    static constexpr leaf_set staged = sets::staged;
    /// The most rows of a turn, and vectors of a thread in a chunk of one row.
    static constexpr int most_rows = sets::rows_at_once;
    static constexpr int row_batch = Batch / most_rows;
    /// Whether rows may begin between two vectors. The ends of a second operand that differs from row to row take registers
    /// that a block of 1024 threads does not have.
    static constexpr bool peels = V > 1 && sets::rows_alone;
    /// Whether what is read stays in the L2 cache longer than what is written, of large operands (held_rows.hpp).
    static constexpr bool streams =
        sets::sweeps_of::item_outputs() > 0 && std::popcount(sets::walked & sets::kept & sets::memory) == 1;

    /// The first `before` bytes of own_memory are not the ring's. All threads must call; a barrier of the block.
    FUSE_HD RowRing(B& block, ClusterTeam<B>& team, const Params<P>& p, unsigned before)
        : block_(block), team_(team), p_(p), memory_(*reinterpret_cast<BulkRingMemory*>(block.own_memory() + before)),
          data_(block.own_memory() + before + scratch_round_up(sizeof(BulkRingMemory))), ring_(block, memory_),
          chunk_(static_cast<int>(block.dim_x()) * V * row_batch) {
        const int size = static_cast<int>(p.walked_size) / V * V;
        const int blocks = static_cast<int>(team.blocks());
        const int part = (size / V + blocks - 1) / blocks * V;
        begin_ = static_cast<int>(team.rank()) * part;
        begin_ = begin_ < size ? begin_ : size;
        length_ = size - begin_ < part ? size - begin_ : part;
        chunks_ = (length_ + chunk_ - 1) / chunk_;
        int room = static_cast<int>(p.share) / chunk_;
        rows_ = most_rows > 1 && room >= most_rows * chunks_ ? most_rows : 1;
        room /= rows_;
        slots_ = room < 2 * chunks_ ? room : 2 * chunks_;
        turns_ = (p.kept_size + rows_ - 1) / rows_;
        long_lived_ = streams && p.kept_size * p.walked_size * sets::staged_bytes >= streamed_bytes;
    }

    /// Calls one_turn() for the turns of the team. Each call begins with a `for_items` that waits and a `fold` that brings
    /// the next turn, and ends with a `for_items` that leaves.
    template <bool Tickets, class OneTurn>
    FUSE_HD void for_turns(OneTurn&& one_turn) {
        const auto teams = static_cast<index_t>(team_.count());
        const auto team = static_cast<index_t>(team_.index());
        constexpr bool ordered = !P::epilogue::commutative;
        // Neighbouring rows for a team, so that an epilogue sees them in order.
        const index_t own = ordered ? (turns_ + teams - 1) / teams : 0;
        const index_t end = ordered && (team + 1) * own < turns_ ? (team + 1) * own : turns_;
        const index_t step = ordered ? 1 : teams;
        index_t turn = ordered ? team * own : team;
        next_ = turn + step;
        end_ = end;
        if (block_.thread_x() == 0 && turn < end) {
            FUSE_NO_UNROLL
            for (int q = 0; q < slots_; ++q) {
                fill(static_cast<unsigned>(q), q < chunks_ ? turn : next_, q < chunks_ ? q : q - chunks_);
            }
        }
        team_.meet();
        while (turn < end) {
            unsigned ticket = 0;
            if constexpr (Tickets) {
                // Each turn draws one, so that the last leaves the counter at zero.
                if (block_.thread_x() == 0 && team_.rank() == 0) {
                    ticket = block_.fetch_next_relaxed(p_.counters, static_cast<unsigned>(turns_ - 1));
                }
                word_ = ticket;
            } else {
                after_ = next_ + step;
            }
            FUSE_UNROLL
            for (int j = 0; j < most_rows; ++j) {
                row_[j] = turn * rows_ + j;
                head_[j] = has(j) ? head_of(row_[j]) : 0;
                row_length_[j] = has(j) ? length_of(head_[j]) : 0;
            }
            one_turn();
            turn = next_;
            next_ = after_;
        }
    }

    /// Row j of the turn, and whether there is one; if not, it is the last.
    FUSE_HD bool has(int j) const { return j == 0 || (j < rows_ && row_[j] < p_.kept_size); }
    FUSE_HD index_t row(int j) const { return has(j) ? row_[j] : p_.kept_size - 1; }

    /// Which element of row j is the thread's, of those in front of its first and behind its last vector; below 0: none.
    FUSE_HD int single(int j) const {
        const int size = static_cast<int>(p_.walked_size);
        const int thread = static_cast<int>(team_.thread());
        const int at = thread < head_[j] ? thread : thread + items_behind(head_[j]);
        return has(j) && at < size ? at : -1;
    }

    /// Of the threads that share a row.
    FUSE_HD unsigned thread() const { return team_.thread(); }
    FUSE_HD unsigned threads() const { return team_.threads(); }

    /// The fold of a sweep over the team. Brings: that of the first, with which the turn after the next becomes known.
    template <bool Brings, class Pr>
    FUSE_HD typename Pr::accumulator fold(const typename Pr::accumulator& part, const Pr& product) {
        const auto all = team_.fold(part, product, word_);
        if constexpr (Brings && P::epilogue::size == 0) {
            after_ = 2 * static_cast<index_t>(team_.count()) + all.word;
        }
        return all.total;
    }

    /// Calls f<J>(items, first) for the vectors of this thread in each row J of the turn, several at a time: the leaves in
    /// Set, and the position of the first item of each in the row. state(j): of row j. Waits: the first sweep of the turn.
    /// Leaves: the last.
    template <leaf_set Set, bool Waits, bool Leaves, class State, class F>
    FUSE_HD void for_items(const State& state, F&& f) {
        RingPosition at = at_;
        FUSE_NO_UNROLL
        for (int c = 0; c < chunks_; ++c) {
            if constexpr (Waits) {
                ring_.wait(at);
            }
            const int from = c * chunk_ + static_cast<int>(block_.thread_x()) * V;
            const int step = static_cast<int>(block_.dim_x()) * V;
            if constexpr (most_rows > 1) {
                RowItems<P, V> items[most_rows][1];
                load_turn<Set>(items, state, at.slot, from - c * chunk_, begin_ + from);
                if constexpr (Leaves) {
                    leave(at.slot, c);
                }
                static_for<most_rows>([&]<int J>() FUSE_INLINE_LAMBDA {
                    if (from < row_length_[J]) {
                        const int first[1] = {head_[J] + begin_ + from};
                        f.template operator()<J>(items[J], first);
                    }
                });
            } else if ((c + 1) * chunk_ <= row_length_[0]) {
                RowItems<P, V> items[Batch];
                int first[Batch];
                FUSE_UNROLL
                for (int j = 0; j < Batch; ++j) {
                    first[j] = head_[0] + begin_ + from + j * step;
                    load<Set>(items[j], state(0), at.slot, from - c * chunk_ + j * step, first[j]);
                }
                if constexpr (Leaves) {
                    leave(at.slot, c);
                }
                f.template operator()<0>(items, first);
            } else {
                FUSE_NO_UNROLL
                for (int s = from; s < row_length_[0]; s += step) {
                    RowItems<P, V> items[1];
                    const int first[1] = {head_[0] + begin_ + s};
                    load<Set>(items[0], state(0), at.slot, s - c * chunk_, first[0]);
                    f.template operator()<0>(items, first);
                }
                if constexpr (Leaves) {
                    leave(at.slot, c);
                }
            }
            at.next(static_cast<unsigned>(slots_));
        }
        if constexpr (Leaves) {
            at_ = at;
        }
    }

private:
    /// Leaf number I in a slot.
    template <int I>
    FUSE_HD auto* slot_of(unsigned slot) const {
        using T = typename at_t<typename P::leaves, I>::storage;
        constexpr auto before = static_cast<unsigned>(sets::staged_bytes_before(I));
        return reinterpret_cast<T*>(data_ + (slot * static_cast<unsigned>(sets::staged_bytes) + before) *
                                                static_cast<unsigned>(chunk_ * rows_));
    }

    /// A vector at item `at` of a slot, and at s in the row.
    template <leaf_set Set>
    FUSE_HD void load(RowItems<P, V>& items, const RowState<P>& state, unsigned slot, int at, int s) const {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr ((((Set & staged) >> I) & 1U) != 0) {
                load_pack(get<I>(items), slot_of<I>(slot) + at, true);
            }
        });
        load_whole<Set & ~staged, true, P, V>(items, p_, state, s);
    }

    /// The same for all rows of a turn: vectors at item `at` of a slot, and at s behind the head of each row.
    template <leaf_set Set, class State>
    FUSE_HD void load_turn(RowItems<P, V> (&items)[most_rows][1], const State& state, unsigned slot, int at,
                           int s) const {
        bool any = false;
        FUSE_UNROLL
        for (int j = 0; j < most_rows; ++j) {
            if (s - begin_ < row_length_[j]) {
                any = true;
                load<Set & ~sets::beside>(items[j][0], state(j), slot, at + j * chunk_, s + head_[j]);
            }
        }
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr ((((Set & sets::beside) >> I) & 1U) != 0) {
                if (any) {
                    load_beside<I>(items, s);
                }
            }
        });
    }
    /// The vectors of an operand that is the same for all rows lie otherwise than those of a row with a head: parts of two,
    /// both of which there are (items_behind).
    template <int I>
    FUSE_HD void load_beside(RowItems<P, V> (&items)[most_rows][1], int s) const {
        const auto& operand = get<I>(p_.leaves);
        const auto path = detail::path_along<true>(p_, operand);
        auto& first = get<I>(items[0][0]);
        ReadData(first, operand.data, path, s);
        FUSE_UNROLL
        for (int j = 1; j < most_rows; ++j) {
            get<I>(items[j][0]) = first;
        }
        if constexpr (peels) {
            if ((head_[0] | head_[most_rows - 1]) != 0) {
                auto next = first;
                if (s + 2 * V <= static_cast<int>(p_.walked_size)) {
                    ReadData(next, operand.data, path, s + V);
                }
                FUSE_UNROLL
                for (int j = 0; j < most_rows; ++j) {
                    auto& moved = get<I>(items[j][0]);
                    moved = items_from(moved, next, head_[j]);
                }
            }
        }
    }

    /// Elements of a row in front of its first vector, and the block's elements of a row with so many.
    FUSE_HD int head_of([[maybe_unused]] index_t row) const {
        if constexpr (peels) {
            return detail::row_head<V>(p_, row);
        } else {
            return 0;
        }
    }
    FUSE_HD int length_of(int head) const {
        const int left = items_behind(head) - begin_;
        return left < length_ ? left : length_;
    }
    /// Elements of the vectors of a row. Beside an operand that is the same for all rows there is one vector less than
    /// there could be: of that one it takes parts of one vector more.
    FUSE_HD int items_behind(int head) const {
        const int items = (static_cast<int>(p_.walked_size) - head) / V * V;
        return most_rows > 1 && head != 0 ? items - V : items;
    }

    /// The slot of chunk c is free: the last to leave it fills it with what comes round next.
    FUSE_HD void leave(unsigned slot, int c) {
        if (ring_.leave(slot)) {
            const int chunk = c + slots_ - chunks_;
            const bool of_next = chunk < chunks_;
            fill(slot, of_next ? next_ : after_, of_next ? chunk : chunk - chunks_);
        }
    }

    /// Starts to bring chunk c of a turn, if there is such a turn.
    FUSE_HD void fill(unsigned slot, index_t turn, int c) {
        if (turn >= end_) {
            return;
        }
        const index_t row = turn * rows_;
        const int more = rows_ == 1 || row + 1 == p_.kept_size ? 1 : most_rows;
        int bytes = 0;
        FUSE_NO_UNROLL
        for (int j = 0; j < more; ++j) {
            bytes += items_of(row + j, c).count * sets::staged_bytes;
        }
        std::uint64_t* const arrived = ring_.fill(slot, static_cast<unsigned>(bytes));
        FUSE_NO_UNROLL
        for (int j = 0; j < more; ++j) {
            copy(slot, j, row + j, items_of(row + j, c), arrived);
        }
    }
    /// Items of chunk c in a row: the first, and how many.
    struct ChunkItems {
        int first;
        int count;
    };
    FUSE_HD ChunkItems items_of(index_t row, int c) const {
        const int head = head_of(row);
        const int left = length_of(head) - c * chunk_;
        return {head + begin_ + c * chunk_, left < 0 ? 0 : left < chunk_ ? left : chunk_};
    }
    FUSE_HD void copy(unsigned slot, int j, index_t row, const ChunkItems& items, std::uint64_t* arrived) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (((staged >> I) & 1U) != 0) {
                auto* const to = slot_of<I>(slot) + j * chunk_;
                const auto& operand = get<I>(p_.leaves);
                const auto* const base = operand.data + offset_of(p_.kept, operand.kept, row);
                for_runs_along(detail::path_along<true>(p_, operand), items.first, items.count,
                               [&](index_t k, index_t end, index_t offset, index_t) FUSE_INLINE_LAMBDA {
                                   const auto bytes =
                                       static_cast<unsigned>(end - k) * static_cast<unsigned>(sizeof *to);
                                   block_.copy_bulk(to + k, base + offset, bytes, arrived, long_lived_);
                               });
            }
        });
    }

    B& block_;
    ClusterTeam<B>& team_;
    const Params<P>& p_;
    BulkRingMemory& memory_;
    unsigned char* data_;
    BulkRing<B> ring_;
    int chunk_;          // elements of a chunk of one row
    int begin_;          // the block's part of what follows the head of a row
    int length_;         // its elements at the most
    int chunks_;         // its chunks, which all but the last are whole
    int slots_;          // from chunks_ to 2 chunks_
    bool long_lived_;    // in the L2 cache
    int rows_;           // of a turn
    index_t turns_;      // of all teams
    RingPosition at_;    // of the turn's first chunk
    index_t next_ = 0;   // the turn after this one
    index_t after_ = 0;  // and that after it
    index_t end_ = 0;
    index_t row_[most_rows] = {};     // the rows of this turn
    int head_[most_rows] = {};        // elements of a row in front of its first vector
    int row_length_[most_rows] = {};  // the block's elements of a row
    unsigned word_ = 0;
};

FUSE_END_NAMESPACE
