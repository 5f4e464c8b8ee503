// SPDX-License-Identifier: Apache-2.0
//
// Rows that are too long for registers, held in the shared memory of a block, or of a cluster of blocks that each have a
// part of the row. Blocks stay and step through the rows. What is read again comes through a ring of chunks
// (row_ring.hpp): while a row is folded and written, the next is on its way. What is the same for all rows comes from the
// caches, for two rows at a time. The elements in front of a row's first vector and behind its last are a thread's each,
// which holds them.
#pragma once

#include "fuse/kernels/body/row_terms.hpp"
#include "fuse/kernels/body/sweep_items.hpp"
#include "fuse/kernels/rows/ladder.hpp"
#include "fuse/kernels/rows/row_kernel.hpp"
#include "fuse/kernels/rows/row_ring.hpp"

FUSE_BEGIN_NAMESPACE

/// The reductions of a phase for each of so many rows, folded together.
template <class Pr, int Rows>
struct EachRow {
    struct accumulator {
        typename Pr::accumulator row[Rows];
    };
    static constexpr bool commutative = Pr::commutative;

    FUSE_HD accumulator init() const {
        accumulator a;
        FUSE_UNROLL
        for (int j = 0; j < Rows; ++j) {
            a.row[j] = Pr{}.init();
        }
        return a;
    }
    FUSE_HD accumulator combine(const accumulator& a, const accumulator& b) const {
        accumulator c;
        FUSE_UNROLL
        for (int j = 0; j < Rows; ++j) {
            c.row[j] = Pr{}.combine(a.row[j], b.row[j]);
        }
        return c;
    }
    template <class Combined>
    FUSE_HD accumulator fold(const accumulator& part, const Combined& combined) const {
        return combined(part, *this);
    }
};

/// Launches have blocks of whole warps, several of them. A launch's share: elements that a block has room for.
template <class P, int V>
struct StagedRowsKernel : RowKernel<P, V, staged_vectors, true> {
    using Base = RowKernel<P, V, staged_vectors, true>;
    using sets = leaf_sets<P>;
    using sweeps = sweeps_t<P, true>;
    static constexpr leaf_set staged = sets::staged;
    static constexpr int batch = Base::vectors;
    static constexpr int max_threads = staged_threads;
    static constexpr int min_blocks = 1;

    /// An epilogue is folded block by block, and its bits must not depend on which block is the faster: its rows are dealt
    /// out beforehand. Others are taken by tickets.
    static constexpr bool has_tickets = !Base::has_epilogue;
    static constexpr Link link = has_tickets ? Link::tickets : Link::last_block;
    static constexpr bool resident = true;
    static constexpr index_t counter_words(const Launch&) { return 1; }

    static constexpr int rows_at_once = sets::rows_at_once;
    static constexpr std::size_t accumulator_bytes =
        rows_at_once * detail::largest_sweep(sweeps{}, [](std::size_t accumulator) { return accumulator; });
    static constexpr unsigned team_bytes = static_cast<unsigned>(cluster_team_bytes(accumulator_bytes));
    static constexpr unsigned head_bytes = team_bytes + static_cast<unsigned>(scratch_round_up(sizeof(BulkRingMemory)));
    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return head_bytes + static_cast<unsigned>(share) * static_cast<unsigned>(sets::staged_bytes);
    }

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 1) {
            finish_epilogue<V>(block, p);
        } else if constexpr (B::has_bulk_copies) {
            ClusterTeam<B> team(block, block.own_memory(), accumulator_bytes);
            RowRing<P, V, batch, B> ring(block, team, p, team_bytes);
            EpilogueAccumulator<P, V, B> epilogue;
            ring.template for_turns<has_tickets>(
                [&]() { one_turn<B>(p, ring, epilogue, std::make_integer_sequence<int, rows_at_once>{}); });
            if constexpr (Base::has_epilogue) {
                epilogue.store_partial(block, p);
            }
        }
    }

private:
    /// The last sweep of a row reads it for the last time.
    static constexpr int last_sweep = sets::writes_items ? sweeps::size : sweeps::size - 1;

    /// One of the rows of a turn. Of its ends, what lies with the row is loaded at once and folded when the vectors are:
    /// nothing waits for it.
    struct TurnRow {
        RowState<P> state;
        int single;
        RowItems<P, 1> end{};
        results_t<P> results{};

        template <class Ring>
        FUSE_HD TurnRow(const Params<P>& p, const Ring& ring, int j) : state(p, ring.row(j)), single(ring.single(j)) {
            if constexpr (Ring::peels) {
                if (single >= 0) {
                    load_whole<sets::walked & ~sets::beside, false, P, 1>(end, p, state, single);
                }
            }
        }
        /// With the leaves in Set of what is the same for all rows.
        template <leaf_set Set>
        FUSE_HD RowItems<P, 1> whole_end(const Params<P>& p) const {
            RowItems<P, 1> items = end;
            load_whole<Set & sets::beside, false, P, 1>(items, p, state, single);
            return items;
        }
    };

    template <class B, class Ring, class Epilogue, int... J>
    static FUSE_HD void one_turn(const Params<P>& p, Ring& ring, Epilogue& epilogue,
                                 std::integer_sequence<int, J...>) {
        TurnRow rows[] = {TurnRow(p, ring, J)...};
        const auto state = [&](int j) FUSE_INLINE_LAMBDA -> const RowState<P>& { return rows[j].state; };
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            const Product<typename Sw::phase> product;
            const SweepItems<typename Sw::phase, V> folds;
            decltype(folds.init()) parts[] = {(static_cast<void>(J), folds.init())...};
            ring.template for_items<Sw::leaves, I == 0, I == last_sweep>(
                state, [&]<int Row, int N>(const RowItems<P, V>(&items)[N], const int(&first)[N]) FUSE_INLINE_LAMBDA {
                    const TurnRow& row = rows[Row];
                    folds.template take<N>(parts[Row], [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                        take(RowContext<P, V>{p, row.state, items[j], row.results}, first[j]);
                    });
                });
            const auto part = [&](int j) FUSE_INLINE_LAMBDA {
                const TurnRow& row = rows[j];
                auto own = folds.total(parts[j]);
                if constexpr (Ring::peels) {
                    if (row.single >= 0) {
                        const RowItems<P, 1> end = row.template whole_end<Sw::leaves>(p);
                        own = product.combine(
                            own, product.leaf(RowContext<P, 1>{p, row.state, end, row.results}, 0, row.single));
                    }
                }
                return own;
            };
            if constexpr (rows_at_once == 1) {
                const auto total = ring.template fold<I == 0>(part(0), product);
                product.template project<Sw::first>(total, p, p.walked_size, rows[0].results);
            } else {
                const EachRow<Product<typename Sw::phase>, rows_at_once> each;
                const auto total = ring.template fold<I == 0>({{part(J)...}}, each);
                (product.template project<Sw::first>(total.row[J], p, p.walked_size, rows[J].results), ...);
            }
        });
        if constexpr (sets::writes_items) {
            ring.template for_items<sets::items, false, true>(
                state, [&]<int Row, int N>(const RowItems<P, V>(&items)[N], const int(&first)[N]) FUSE_INLINE_LAMBDA {
                    const TurnRow& row = rows[Row];
                    FUSE_UNROLL
                    for (int j = 0; j < N; ++j) {
                        const TermsContext<P, V> context{{p, row.state, items[j], row.results}};
                        write_items<true, P, V>(p, context, ring.row(Row), first[j], V);
                        epilogue.take_items(context, ring.row(Row), p.walked_size, first[j], V);
                    }
                });
        }
        static_for<rows_at_once>([&]<int Row>() FUSE_INLINE_LAMBDA {
            const TurnRow& row = rows[Row];
            if (!ring.has(Row)) {
                return;
            }
            if constexpr (sets::writes_items && Ring::peels) {
                if (row.single >= 0) {
                    const RowItems<P, 1> end = row.template whole_end<sets::items>(p);
                    const TermsContext<P, 1> context{{p, row.state, end, row.results}};
                    write_items<false, P, 1>(p, context, ring.row(Row), row.single, 1);
                    epilogue.take_items(context, ring.row(Row), p.walked_size, row.single, 1);
                }
            }
            const RowItems<P, V> none{};
            finish_row<P, V, B>(p, ring.row(Row), RowContext<P, V>{p, row.state, none, row.results}, ring.thread(),
                                ring.threads(), epilogue);
        });
    }
};

FUSE_END_NAMESPACE
