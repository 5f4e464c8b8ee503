// SPDX-License-Identifier: Apache-2.0
//
// Rows along several axes in short pieces, as the channels of a batch of small images: too many elements for registers, and
// pieces too short for bulk copies (staged_rows.hpp). The first sweep loads a row as it lies and parks it in shared memory,
// where each thread finds its own vectors again: no barrier, no bank conflict, and no division by the extents of the
// axes. A block per row; while one waits for the memory, others of the multiprocessor fold and write.
#pragma once

#include "fuse/kernels/body/sweep_items.hpp"
#include "fuse/kernels/rows/ladder.hpp"
#include "fuse/kernels/rows/row_kernel.hpp"
#include "fuse/kernels/rows/row_leaves.hpp"

FUSE_BEGIN_NAMESPACE

/// Of rows that lie in vectors of V elements, of one where pieces have an odd length. A launch's share: the elements of a row.
/// Special: row_leaves.hpp.
template <class P, int V, class Special = void>
struct ParkedRowsKernel : RowKernel<P, V, parked_vectors(std::popcount(leaf_sets<P>::staged), V), sweeps_t<P, true>> {
    using Base = RowKernel<P, V, parked_vectors(std::popcount(leaf_sets<P>::staged), V), sweeps_t<P, true>>;
    using Paths = detail::LaidPaths<Packs::vectors, true>;
    using sets = leaf_sets<P>;
    using sweeps = sweeps_t<P, true>;
    static constexpr int batch = Base::vectors;
    static constexpr int staged_bytes = sets::staged_bytes;
    static constexpr int max_threads = parked_threads;
    static constexpr int min_blocks = 1;

    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return bytes_before<P::leaves::size>(static_cast<unsigned>(share));
    }

    /// Bytes of the parked leaves in front of number I, of rows of so many elements: each begins as vectors have to.
    template <int I>
    static FUSE_HD constexpr unsigned bytes_before(unsigned size) {
        if constexpr (I == 0) {
            return 0;
        } else if constexpr (((sets::staged >> (I - 1)) & 1U) == 0) {
            return bytes_before<I - 1>(size);
        } else {
            constexpr unsigned item = detail::leaf_sizes<typename P::leaves>::stored[I - 1];
            return bytes_before<I - 1>(size) + static_cast<unsigned>(scratch_round_up(size * item));
        }
    }

#if FUSE_HAS_DEVICE_BODIES
    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        ParkedRowsKernel::template stage_of_rows<Stage>(
            block, p, [&](index_t row, bool, auto& epilogue) FUSE_INLINE_LAMBDA { one_row(block, p, row, epilogue); });
    }

private:
    /// dim_y is 1: the row exists.
    template <class B, class Epilogue>
    static FUSE_HD void one_row(B& block, const Params<P>& p, index_t row, Epilogue& epilogue) {
        const RowState<P> state(p, row);
        results_t<P> results{};
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            const Product<typename Sw::phase> product;
            const SweepItems<typename Sw::phase, V> folds;
            auto parts = folds.init();
            constexpr bool first = I == 0;
            for_items<first ? Sw::leaves | sets::staged : Sw::leaves, first>(
                block, p, state, [&]<int N>(const RowItems<P, V>(&items)[N], const int(&at)[N]) FUSE_INLINE_LAMBDA {
                    folds.template take<N>(parts, [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                        take(RowContext<P, V>{p, state, items[j], results}, at[j]);
                    });
                });
            const auto total = fold_row(block, folds.total(parts), product);
            product.template project<Sw::first>(total, p, p.walked_size, results);
        });
        if constexpr (sets::writes_items) {
            for_items<sets::items, false>(
                block, p, state, [&]<int N>(const RowItems<P, V>(&items)[N], const int(&at)[N]) FUSE_INLINE_LAMBDA {
                    FUSE_UNROLL
                    for (int j = 0; j < N; ++j) {
                        const RowContext<P, V> context{p, state, items[j], results};
                        write_items<false, P, V>(p, context, row, at[j], V, Paths{});
                        epilogue.take_items(context, row, p.walked_size, at[j], V);
                    }
                });
        }
        const RowItems<P, V> none{};
        finish_row<P, V, B>(p, row, RowContext<P, V>{p, state, none, results}, block.thread_x(), block.dim_x(),
                            epilogue);
    }

    /// Calls f(items, at) for the thread's vectors of the row, `batch` at a time, then one by one: the leaves in Set, and
    /// the positions of the first items. Parks: those that are held come from the memory, and stay.
    template <leaf_set Set, bool Parks, class B, class F>
    static FUSE_HD void for_items(B& block, const Params<P>& p, const RowState<P>& state, F&& f) {
        const int size = static_cast<int>(p.walked_size);
        const int step = static_cast<int>(block.dim_x()) * V;
        int s = static_cast<int>(block.thread_x()) * V;
        FUSE_NO_UNROLL
        for (; s + (batch - 1) * step < size; s += batch * step) {
            RowItems<P, V> items[batch];
            int at[batch];
            FUSE_UNROLL
            for (int j = 0; j < batch; ++j) {
                at[j] = s + j * step;
                load<Set, Parks>(block, items[j], p, state, at[j]);
            }
            FUSE_UNROLL
            for (int j = 0; j < batch; ++j) {
                park<Set, Parks>(block, items[j], at[j], size);
            }
            f(items, at);
        }
        if (s < size) {  // fewer are left: loaded together all the same, behind the end the first once more
            RowItems<P, V> items[batch - 1];
            FUSE_UNROLL
            for (int j = 0; j < batch - 1; ++j) {
                load<Set, Parks>(block, items[j], p, state, s + j * step < size ? s + j * step : s);
            }
            FUSE_UNROLL
            for (int j = 0; j < batch - 1; ++j) {
                const int at[1] = {s + j * step};
                if (at[0] < size) {
                    park<Set, Parks>(block, items[j], at[0], size);
                    const RowItems<P, V> one[1] = {items[j]};
                    f(one, at);
                }
            }
        }
    }

    /// A vector at s of the row, from the memory or where the thread has parked it.
    template <leaf_set Set, bool Parks, class B>
    static FUSE_HD void load(B& block, RowItems<P, V>& items, const Params<P>& p, const RowState<P>& state, int s) {
        constexpr leaf_set read = Parks ? Set : Set & ~sets::staged;
        constexpr leaf_set splat = read & detail::splat_leaves<Special>;
        load_along<read & ~splat, P, V>(Paths{}, items, p, state, s);
        if constexpr (splat != 0) {
            load_splat<splat, P, V>(items, p, state, s);
        }
        if constexpr (Parks) {
            // Once for both, what is folded and what is parked: the compiler would load narrow items for each.
            each_parked<Set>([&]<int I>() FUSE_INLINE_LAMBDA { kept_packed(get<I>(items)); });
        } else {
            each_parked<Set>([&]<int I>() FUSE_INLINE_LAMBDA {
                load_pack(get<I>(items), parked<I>(block, static_cast<int>(p.walked_size)) + s, true);
            });
        }
    }
    template <leaf_set Set, bool Parks, class B>
    static FUSE_HD void park(B& block, const RowItems<P, V>& items, int s, int size) {
        if constexpr (Parks) {
            each_parked<Set>([&]<int I>()
                                 FUSE_INLINE_LAMBDA { store_pack(parked<I>(block, size) + s, get<I>(items), true); });
        }
    }

    template <leaf_set Set, class F>
    static FUSE_HD void each_parked(F&& f) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr ((((Set & sets::staged) >> I) & 1U) != 0) {
                f.template operator()<I>();
            }
        });
    }
    /// Leaf number I of the row.
    template <int I, class B>
    static FUSE_HD auto* parked(B& block, int size) {
        using T = typename at_t<typename P::leaves, I>::storage;
        return reinterpret_cast<T*>(block.own_memory() + bytes_before<I>(static_cast<unsigned>(size)));
    }
#endif
};

FUSE_END_NAMESPACE
