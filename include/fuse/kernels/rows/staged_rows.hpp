// SPDX-License-Identifier: Apache-2.0
//
// Rows that are too long for registers, held in shared memory: a block, or a cluster of blocks that each have a share of
// the row. Copies that nobody waits for bring it there, so that all of a row is on its way at once; a thread then reads
// again and again what it copied itself, without a barrier. What is the same for all rows comes from the caches.
#pragma once

#include "fuse/kernels/body/sweep_items.hpp"
#include "fuse/kernels/rows/ladder.hpp"
#include "fuse/kernels/rows/row_kernel.hpp"
#include "fuse/primitives/thread/copy_async.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V>
struct StagedRowsKernel : RowKernel<P, V, 1, true> {
    using sets = leaf_sets<P>;
    using sweeps = sweeps_t<P, true>;
    static constexpr leaf_set staged = sets::staged;
    static constexpr int max_threads = staged_threads;
    static constexpr int min_blocks = 5;
    /// Vectors that a thread loads before it uses the first of them: more than one where some come from the caches, which
    /// take long to answer, or where online phases take them as a group; else the registers are better spent on more blocks.
    static constexpr int batch = (sets::items & sets::walked & ~staged) != 0 ? 2 : online_program<P> ? 4 : 1;

    /// For ClusterFold.
    static constexpr unsigned slot_bytes = static_cast<unsigned>(
        cluster_reduce_bytes(detail::largest_sweep(sweeps{}, [](std::size_t accumulator) { return accumulator; })));
    /// share: elements of a row that a block holds.
    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return slot_bytes + static_cast<unsigned>(share) * static_cast<unsigned>(sets::staged_bytes);
    }

    template <int Stage, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 1) {
            finish_epilogue<V>(block, p);
        } else {
            RowTeam<B> team(block);
            RowKernel<P, V, 1, true>::for_rows(block, team, p, [&](index_t row, bool active, auto& epilogue) {
                one_row(block, team, p, row, active, epilogue);
            });
        }
    }

private:
    /// A vector of a thread: at element s of the row, and at element `at` of the block's share.
    struct Place {
        int s;
        int at;
    };
    /// Calls f(places) for the vectors of a thread, N at a time, and one at a time for what is left.
    template <int N, class B, class Team, class F>
    static FUSE_HD void for_vectors(B& block, const Team& team, const Params<P>& p, bool active, F&& f) {
        const int size = active ? static_cast<int>(p.walked_size) : 0;
        const int step = static_cast<int>(team.threads()) * V;
        const int share_step = static_cast<int>(block.dim_x()) * V;
        Place place{static_cast<int>(team.thread()) * V, static_cast<int>(block.thread_x()) * V};
        const auto take = [&]<int M>(std::integral_constant<int, M>) FUSE_INLINE_LAMBDA {
            FUSE_NO_UNROLL
            while (place.s + (M - 1) * step < size) {
                Place places[M];
                FUSE_UNROLL
                for (int j = 0; j < M; ++j) {
                    places[j] = place;
                    place.s += step;
                    place.at += share_step;
                }
                f(places);
            }
        };
        take(std::integral_constant<int, N>{});
        if constexpr (N > 1) {
            take(std::integral_constant<int, 1>{});
        }
    }

    /// The share of leaf number I.
    template <int I, class B>
    static FUSE_HD auto* share_of(B& block, const Params<P>& p) {
        using T = typename at_t<typename P::leaves, I>::storage;
        constexpr auto before = static_cast<unsigned>(sets::staged_bytes_before(I));
        return reinterpret_cast<T*>(block.own_memory() + slot_bytes + static_cast<unsigned>(p.share) * before);
    }

    template <leaf_set Set, class B>
    static FUSE_HD void load(B& block, RowItems<P, V>& items, const Params<P>& p, const RowState<P>& state,
                             const Place& place) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr ((((Set & staged) >> I) & 1U) != 0) {
                load_pack(get<I>(items), share_of<I>(block, p) + place.at, true);
            }
        });
        load_whole<Set & ~staged, true, P, V>(items, p, state, place.s);
    }

    template <class B, class Team, class Epilogue>
    static FUSE_HD void one_row(B& block, Team& team, const Params<P>& p, index_t row, bool active,
                                Epilogue& epilogue) {
        const RowState<P> state(p, active ? row : 0);
        for_vectors<1>(block, team, p, active, [&](const Place(&places)[1]) FUSE_INLINE_LAMBDA {
            static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                if constexpr (((staged >> I) & 1U) != 0) {
                    using T = typename at_t<typename P::leaves, I>::storage;
                    copy_pack_async(block, *reinterpret_cast<Pack<T, V>*>(share_of<I>(block, p) + places[0].at),
                                    get<I>(state.leaf) +
                                        detail::path_along<true>(p, get<I>(p.leaves)).of_vector(places[0].s));
                }
            });
        });
        block.wait_copies();

        results_t<P> results{};
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            const Product<typename Sw::phase> product;
            const SweepItems<typename Sw::phase, V> folds;
            auto parts = folds.init();
            for_vectors<batch>(block, team, p, active, [&]<int N>(const Place(&places)[N]) FUSE_INLINE_LAMBDA {
                RowItems<P, V> items[N];
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    load<Sw::leaves>(block, items[j], p, state, places[j]);
                }
                folds.template take<N>(parts, [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                    take(RowContext<P, V>{p, state, items[j], results}, places[j].s);
                });
            });
            const auto total = team.fold(folds.total(parts), product);
            product.template project<Sw::first>(total, p, p.walked_size, results);
        });

        if constexpr (sets::writes_items) {
            for_vectors<batch>(block, team, p, active, [&]<int N>(const Place(&places)[N]) FUSE_INLINE_LAMBDA {
                RowItems<P, V> items[N];
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    load<sets::items>(block, items[j], p, state, places[j]);
                }
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    const RowContext<P, V> context{p, state, items[j], results};
                    write_items<true, P, V>(p, context, row, places[j].s, V);
                    epilogue.take_items(context, row, p.walked_size, places[j].s, V);
                }
            });
        }
        if (active) {
            const RowItems<P, V> none{};
            finish_row<P, V, B>(p, row, RowContext<P, V>{p, state, none, results}, team.thread(), team.threads(),
                                epilogue);
        }
    }
};

FUSE_END_NAMESPACE
