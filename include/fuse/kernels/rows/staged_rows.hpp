// SPDX-License-Identifier: Apache-2.0
//
// Rows that are too long for registers, held in the shared memory of a block, or of a cluster of blocks that each have a
// part of the row. Blocks stay and step through the rows. What is read again comes through a ring of chunks
// (row_ring.hpp): while a row is folded and written, the next is on its way. What is the same for all rows comes from the
// caches. The elements in front of a row's first vector and behind its last are a thread's each, which holds them.
#pragma once

#include <bit>

#include "fuse/kernels/body/row_terms.hpp"
#include "fuse/kernels/body/sweep_items.hpp"
#include "fuse/kernels/rows/ladder.hpp"
#include "fuse/kernels/rows/row_kernel.hpp"
#include "fuse/kernels/rows/row_ring.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class P>
inline constexpr int staged_batch = staged_vectors(sweeps_t<P, true>::size, std::popcount(leaf_sets<P>::staged));

}  // namespace detail

/// Launches have blocks of whole warps, several of them. A launch's share: elements that a block has room for. Special:
/// row_leaves.hpp.
template <class P, int V, class Special = void>
struct StagedRowsKernel : RowKernel<P, V, detail::staged_batch<P>, sweeps_t<P, true>> {
    using Base = RowKernel<P, V, detail::staged_batch<P>, sweeps_t<P, true>>;
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
    static constexpr Link lone_link = link;
    static constexpr bool resident = true;
    static constexpr index_t counter_words(const Launch&) { return 1; }

    static constexpr std::size_t accumulator_bytes = detail::largest_accumulator<sweeps>;
    static constexpr unsigned team_bytes = static_cast<unsigned>(cluster_team_bytes(accumulator_bytes));
    static constexpr unsigned head_bytes = team_bytes + static_cast<unsigned>(scratch_round_up(sizeof(BulkRingMemory)));
    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return head_bytes + static_cast<unsigned>(share) * static_cast<unsigned>(sets::staged_bytes);
    }

#if FUSE_HAS_DEVICE_BODIES
    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 1) {
            finish_epilogue<V>(block, p);
        } else if constexpr (B::has_bulk_copies) {
            ClusterTeam<B> team(block, block.own_memory(), accumulator_bytes);
            RowRing<P, V, batch, Special, B> ring(block, team, p, team_bytes);
            EpilogueAccumulator<P, V, B> epilogue;
            ring.template for_rows<has_tickets>([&](index_t row) { one_row<B>(team, p, ring, row, epilogue); });
            if constexpr (Base::has_epilogue) {
                epilogue.store_partial(block, p);
            }
        }
    }

private:
    /// The last sweep of a row reads it for the last time.
    static constexpr int last_sweep = sets::writes_items ? sweeps::size : sweeps::size - 1;

    template <class B, class Team, class Ring, class Epilogue>
    static FUSE_HD void one_row(Team& team, const Params<P>& p, Ring& ring, index_t row, Epilogue& epilogue) {
        const RowState<P> state(p, row);
        // Loaded now, folded when the vectors are: nothing waits for it.
        const int single = ring.single();
        RowItems<P, 1> end{};
        if constexpr (Ring::peels) {
            if (single >= 0) {
                load_whole<sets::walked & ~Ring::beside, false, P, 1>(end, p, state, single);
            }
        }
        results_t<P> results{};
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            const Product<typename Sw::phase> product;
            const SweepItems<typename Sw::phase, V> folds;
            auto parts = folds.init();
            ring.template for_items<Sw::leaves, I == 0, I == last_sweep>(
                state, [&]<int N>(const RowItems<P, V>(&items)[N], const int(&first)[N]) FUSE_INLINE_LAMBDA {
                    folds.template take<N>(parts, [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                        take(RowContext<P, V>{p, state, items[j], results}, first[j]);
                    });
                });
            auto part = folds.total(parts);
            if constexpr (Ring::peels) {
                if (single >= 0) {
                    part = product.combine(part, product.leaf(RowContext<P, 1>{p, state, end, results}, 0, single));
                }
            }
            const auto total = ring.template fold<I == 0>(part, product);
            product.template project<Sw::first>(total, p, p.walked_size, results);
        });
        if constexpr (sets::writes_items) {
            if constexpr (batch > 2) {
                if (Ring::beside == 0 || !ring.lies_between()) {
                    ring.template for_written<false, 2>(
                        state, [&](const RowItems<P, V>& items, int first, int left) FUSE_INLINE_LAMBDA {
                            const TermsContext<P, V> context{{p, state, items, results}};
                            write_items<true, P, V>(p, context, row, first, left);
                            epilogue.take_items(context, row, p.walked_size, first, left);
                        });
                }
            } else if (Ring::beside == 0 || !ring.lies_between()) {
                ring.template for_items<sets::items, false, true>(
                    state, [&]<int N>(const RowItems<P, V>(&items)[N], const int(&first)[N]) FUSE_INLINE_LAMBDA {
                        FUSE_UNROLL
                        for (int j = 0; j < N; ++j) {
                            const TermsContext<P, V> context{{p, state, items[j], results}};
                            write_items<true, P, V>(p, context, row, first[j], V);
                            epilogue.take_items(context, row, p.walked_size, first[j], V);
                        }
                    });
            }
            if constexpr (Ring::beside != 0) {
                if (ring.lies_between()) {
                    ring.template for_written<true, 1>(
                        state, [&](const RowItems<P, V>& items, int first, int left) FUSE_INLINE_LAMBDA {
                            const TermsContext<P, V> context{{p, state, items, results}};
                            write_items<true, P, V>(p, context, row, first, left);
                            epilogue.take_items(context, row, p.walked_size, first, left);
                        });
                }
            }
            if constexpr (Ring::peels) {
                if (single >= 0) {
                    if constexpr (Ring::beside != 0) {
                        load_whole<sets::items & Ring::beside, false, P, 1>(end, p, state, single);
                    }
                    const TermsContext<P, 1> context{{p, state, end, results}};
                    write_items<false, P, 1>(p, context, row, single, 1);
                    epilogue.take_items(context, row, p.walked_size, single, 1);
                }
            }
        }
        const RowItems<P, V> none{};
        finish_row<P, V, B>(p, row, RowContext<P, V>{p, state, none, results}, team.thread(), team.threads(), epilogue);
    }
#endif
};

FUSE_END_NAMESPACE
