// SPDX-License-Identifier: Apache-2.0
//
// The rows of a team, one after the other, through the shared memory of its blocks: each block has a contiguous part of
// every row, in chunks, and a ring of slots for them that may reach two rows ahead. Teams begin with two rows that follow
// from their number; each row that they begin brings them another, by a ticket or by counting: so a block always knows
// what to fetch next. Bulk copies bring whole vectors, of rows that begin anywhere those that are aligned inside them.
#pragma once

#include <bit>

#include "fuse/kernels/body/peeled_paths.hpp"
#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/rows/ladder.hpp"
#include "fuse/kernels/rows/row_leaves.hpp"
#include "fuse/kernels/rows/row_team.hpp"
#include "fuse/primitives/block/bulk_ring.hpp"

#if FUSE_HAS_DEVICE_BODIES

FUSE_BEGIN_NAMESPACE

/// Batch: vectors of a thread in a chunk. Special: row_leaves.hpp.
template <class P, int V, int Batch, class Special, class B>
class RowRing {
    using sets = leaf_sets<P>;

public:
    static constexpr leaf_set staged = sets::staged;
    /// Whether rows may begin between two vectors. The ends of a second operand that differs from row to row take registers
    /// that a block of 1024 threads does not have.
    static constexpr bool peels = V > 1 && sets::rows_alone;
    /// What is the same for all rows, and lies otherwise than most of those that may: there the first and the last vector of a
    /// row are left to the threads that take its ends, and those between are read in pieces (read_pieces.hpp).
    static constexpr leaf_set beside = peels ? sets::beside : 0;
    /// Whether what is read stays in the L2 cache longer than what is written, of large operands (held_rows.hpp).
    static constexpr bool streams = sets::sweeps_of::item_outputs() > 0 &&
                                    std::popcount(sets::walked& sets::kept& sets::memory) == 1;

    /// The first `before` bytes of own_memory are not the ring's. All threads must call; a barrier of the block.
    FUSE_HD RowRing(B& block, ClusterTeam<B>& team, const Params<P>& p, unsigned before)
        : block_(block), team_(team), p_(p), memory_(*reinterpret_cast<BulkRingMemory*>(block.own_memory() + before)),
          data_(block.own_memory() + before + scratch_round_up(sizeof(BulkRingMemory))), ring_(block, memory_),
          chunk_(static_cast<int>(block.dim_x()) * V * Batch) {
        const int size = static_cast<int>(p.walked_size) / V * V;
        const int blocks = static_cast<int>(team.blocks());
        const int part = (size / V + blocks - 1) / blocks * V;
        begin_ = static_cast<int>(team.rank()) * part;
        begin_ = begin_ < size ? begin_ : size;
        length_ = size - begin_ < part ? size - begin_ : part;
        chunks_ = (length_ + chunk_ - 1) / chunk_;
        const int room = static_cast<int>(p.share) / chunk_;
        slots_ = room < 2 * chunks_ ? room : 2 * chunks_;
        long_lived_ = streams && p.kept_size * p.walked_size * sets::staged_bytes >= streamed_bytes;
    }

    /// Calls one_row(row) for the rows of the team. Each call begins with a `for_items` that waits and a `fold` that brings
    /// the next row, and ends with a `for_items` or a `for_written`, which leaves.
    template <bool Tickets, class OneRow>
    FUSE_HD void for_rows(OneRow&& one_row) {
        const auto teams = static_cast<index_t>(team_.count());
        const auto team = static_cast<index_t>(team_.index());
        constexpr bool ordered = !P::epilogue::commutative;
        // Neighbouring rows for a team, so that an epilogue sees them in order.
        const index_t turns = ordered ? (p_.kept_size + teams - 1) / teams : 0;
        const index_t end = ordered && (team + 1) * turns < p_.kept_size ? (team + 1) * turns : p_.kept_size;
        const index_t step = ordered ? 1 : teams;
        index_t row = ordered ? team * turns : team;
        next_ = row + step;
        end_ = end;
        if (block_.thread_x() == 0 && row < end) {
            for (int q = 0; q < slots_; ++q) {
                fill(static_cast<unsigned>(q), q < chunks_ ? row : next_, q < chunks_ ? q : q - chunks_);
            }
        }
        team_.meet();
        while (row < end) {
            unsigned ticket = 0;
            if constexpr (Tickets) {
                // Each row draws one, so that the last leaves the counter at zero.
                if (block_.thread_x() == 0 && team_.rank() == 0) {
                    ticket = block_.fetch_next_relaxed(p_.counters, static_cast<unsigned>(p_.kept_size - 1));
                }
                word_ = ticket;
            } else {
                after_ = next_ + step;
            }
            head_ = head_of(row);
            row_length_ = length_of(head_);
            one_row(row);
            row = next_;
            next_ = after_;
        }
    }

    /// Which element of the row is the thread's, of those in front of its first and behind its last vector; below 0: none.
    FUSE_HD int single() const {
        const int size = static_cast<int>(p_.walked_size);
        const int thread = static_cast<int>(team_.thread());
        int at = thread < head_ ? thread : thread + (size - head_) / V * V;
        if constexpr (beside != 0) {
            at -= thread >= head_ && head_ >= V ? V : 0;
        }
        return at < size ? at : -1;
    }

    /// The fold of a sweep over the team. Brings: that of the first, with which the row after the next becomes known.
    template <bool Brings, class A, class Pr>
    FUSE_HD A fold(const A& part, const Pr& product) {
        const auto all = team_.fold(part, product, word_);
        if constexpr (Brings && P::epilogue::size == 0) {
            after_ = 2 * static_cast<index_t>(team_.count()) + all.word;
        }
        return all.total;
    }

    /// Calls f(items, first) for the vectors of this thread in the row, several at a time: the leaves in Set, and the
    /// position of the first item of each in the row. Waits: the first sweep of the row. Leaves: the last.
    template <leaf_set Set, bool Waits, bool Leaves, class F>
    FUSE_HD void for_items(const RowState<P>& state, F&& f) {
        RingPosition at = at_;
        FUSE_NO_UNROLL
        for (int c = 0; c < chunks_; ++c) {
            if constexpr (Waits) {
                ring_.wait(at);
            }
            const int from = c * chunk_ + static_cast<int>(block_.thread_x()) * V;
            const int step = static_cast<int>(block_.dim_x()) * V;
            if ((c + 1) * chunk_ <= row_length_) {
                RowItems<P, V> items[Batch];
                int first[Batch];
                FUSE_UNROLL
                for (int j = 0; j < Batch; ++j) {
                    first[j] = head_ + begin_ + from + j * step;
                    load<Set>(items[j], state, at.slot, from - c * chunk_ + j * step, first[j]);
                }
                if constexpr (Leaves) {
                    leave(at.slot, c);
                }
                f(items, first);
            } else {
                FUSE_NO_UNROLL
                for (int s = from; s < row_length_; s += step) {
                    RowItems<P, V> items[1];
                    const int first[1] = {head_ + begin_ + s};
                    load<Set>(items[0], state, at.slot, s - c * chunk_, first[0]);
                    f(items, first);
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

    /// Whether vectors of the row begin between those of what is the same for all rows.
    FUSE_HD bool lies_between() const { return head_ >= V; }

    /// The sweep that writes, where a chunk is more than a thread has registers for: calls f(items, first, left) for this
    /// thread's vectors, N at a time. Behind the end of the row is a vector of it once more, with left = 0. Between: of a
    /// row that lies so.
    template <bool Between, int N, class F>
    FUSE_HD void for_written(const RowState<P>& state, F&& f) {
        const int step = static_cast<int>(block_.dim_x()) * V;
        FUSE_NO_UNROLL
        for (int c = 0; c < chunks_; ++c) {
            const int first = head_ + begin_ + c * chunk_;
            const int left = row_length_ - c * chunk_ < chunk_ ? row_length_ - c * chunk_ : chunk_;
            FUSE_NO_UNROLL
            for (int s = static_cast<int>(block_.thread_x()) * V; s < left; s += N * step) {
                RowItems<P, V> items[N];
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    const int at = s + j * step < left ? s + j * step : s;
                    load<sets::items, Between>(items[j], state, at_.slot, at, first + at);
                }
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    f(items[j], first + s + j * step, s + j * step < left ? V : 0);
                }
            }
            leave(at_.slot, c);
            at_.next(static_cast<unsigned>(slots_));
        }
    }

private:
    /// Leaf number I in a slot.
    template <int I>
    FUSE_HD auto* slot_of(unsigned slot) const {
        using T = typename at_t<typename P::leaves, I>::storage;
        constexpr auto before = static_cast<unsigned>(sets::staged_bytes_before(I));
        return reinterpret_cast<T*>(data_ + (slot * static_cast<unsigned>(sets::staged_bytes) + before) *
                                                static_cast<unsigned>(chunk_));
    }

    /// A vector at item `at` of a slot, and at s in the row.
    template <leaf_set Set, bool Between = false>
    FUSE_HD void load(RowItems<P, V>& items, const RowState<P>& state, unsigned slot, int at, int s) const {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr ((((Set & staged) >> I) & 1U) != 0) {
                load_pack(get<I>(items), slot_of<I>(slot) + at, true);
            }
        });
        // A row on chip has fewer than 2^31 elements.
        constexpr bool narrow = Params<P>::traits::walked_rank > 1;
        if constexpr (Between) {
            load_pieces<Set & beside, P, V>(items, state, s);
            load_along<Set & ~staged & ~beside, P, V>(PeeledPathsOf<narrow>{head_}, items, p_, state, s);
        } else {
            constexpr leaf_set splat = Set & detail::splat_leaves<Special>;
            load_along<Set & ~staged & ~splat, P, V>(detail::LaidPaths<Packs::whole, narrow>{}, items, p_, state, s);
            if constexpr (splat != 0) {
                load_splat<splat, P, V>(items, p_, state, s);
            }
        }
    }

    /// Elements of a row in front of its first vector that is staged, and the block's of a row with so many.
    FUSE_HD int head_of([[maybe_unused]] index_t row) const {
        if constexpr (peels) {
            const int head = detail::row_head<V>(p_, row);
            if constexpr (beside != 0) {
                // Along several axes a row begins with a vector, and of what is beside it each has one or is the same for it.
                return head != 0 || (p_.walked.count <= 1 && !reads_vectors<beside>(p_)) ? head + V : head;
            }
            return head;
        } else {
            return 0;
        }
    }
    FUSE_HD int length_of(int head) const {
        int left = (static_cast<int>(p_.walked_size) - head) / V * V - begin_;
        if constexpr (beside != 0) {
            left -= head >= V ? V : 0;
        }
        return left < length_ ? left : length_;
    }

    /// The slot of chunk c is free: the last to leave it fills it with what comes round next.
    FUSE_HD void leave(unsigned slot, int c) {
        if (ring_.leave(slot)) {
            const int chunk = c + slots_ - chunks_;
            const bool of_next = chunk < chunks_;
            fill(slot, of_next ? next_ : after_, of_next ? chunk : chunk - chunks_);
        }
    }

    /// Starts to bring chunk c of a row, if there is such a row.
    FUSE_HD void fill(unsigned slot, index_t row, int c) {
        if (row >= end_) {
            return;
        }
        const int head = head_of(row);
        const int first = c * chunk_;
        const int left = length_of(head) - first;
        int count = left < chunk_ ? left : chunk_;
        if constexpr (beside != 0) {
            count = count < 0 ? 0 : count;  // such a row is shorter by up to two vectors than the last chunk allows for
        }
        std::uint64_t* const arrived =
            ring_.fill(slot, static_cast<unsigned>(count) * static_cast<unsigned>(sets::staged_bytes));
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (((staged >> I) & 1U) != 0) {
                auto* const to = slot_of<I>(slot);
                const auto& operand = get<I>(p_.leaves);
                const auto* const base = operand.data + offset_of(p_.kept, operand.kept, row);
                for_runs_along(detail::path_along<Packs::whole>(p_, operand), head + begin_ + first, count,
                               [&](index_t k, index_t end, index_t offset, index_t) FUSE_INLINE_LAMBDA {
                                   const auto bytes =
                                       static_cast<unsigned>(end - k) * static_cast<unsigned>(sizeof *to);
                                   if constexpr (streams) {
                                       block_.copy_bulk(to + k, base + offset, bytes, arrived, long_lived_);
                                   } else {
                                       block_.copy_bulk(to + k, base + offset, bytes, arrived);
                                   }
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
    int chunk_;          // elements of a chunk
    int begin_;          // the block's part of what follows the head of a row
    int length_;         // its elements at the most
    int chunks_;         // its chunks, which all but the last are whole
    int slots_;          // from chunks_ to 2 chunks_
    bool long_lived_;    // in the L2 cache
    RingPosition at_;    // of the row's first chunk
    index_t next_ = 0;   // the row after this one
    index_t after_ = 0;  // and that after it
    index_t end_ = 0;
    int head_ = 0;        // elements of the row in front of its first vector
    int row_length_ = 0;  // the block's elements of the row
    unsigned word_ = 0;
};

FUSE_END_NAMESPACE

#endif
