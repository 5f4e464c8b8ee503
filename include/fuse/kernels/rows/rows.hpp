// SPDX-License-Identifier: Apache-2.0
//
// The rows family: the innermost axes are reduced, as many phases as the expression needs. A block of dim_x * dim_y
// threads handles dim_y rows at a time, dim_x threads per row, and steps through the rows.
//   Resident  the row is loaded once: N vectors of V elements per thread stay in registers for all phases. V divides
//             the length of the row, so that a vector is inside the row or outside it as a whole, and every operand
//             is aligned for vectors.
//   Peeled    the same for rows of any length that begin anywhere: vectors begin where the memory is aligned, and the
//             few elements before the first and behind the last are held one by one (held_row.hpp).
//   Swept     each phase reads the row again, N vectors at a time.
// What lies between, rows that shared memory holds, is in staged_rows.hpp.
#pragma once

#include "fuse/kernels/body/sweep.hpp"
#include "fuse/kernels/rows/held_row.hpp"
#include "fuse/kernels/rows/row_kernel.hpp"

FUSE_BEGIN_NAMESPACE

/// Online phases: where a row is read again for each sweep, and where nothing but results is written. A kernel that keeps the
/// row for an output keeps exp(x - max) with it, which the phases one after the other compute once.
template <class P, Hold H>
inline constexpr bool online_rows = H == Hold::swept || !leaf_sets<P>::writes_items;

template <class P, int V, int N, Hold H>
struct RowsKernel : RowKernel<P, V, N, online_rows<P, H>> {
    using Base = RowKernel<P, V, N, online_rows<P, H>>;
    using sets = leaf_sets<P>;
    static constexpr bool is_held = H != Hold::swept;
    using sweeps = sweeps_t<P, online_rows<P, H>>;
    static constexpr bool all_vector = H == Hold::resident && V > 1;
    using Held = HeldRow<V, H == Hold::peeled>;
    /// Leaves kept in registers: those of several sweeps, and those of the first, whose loads are issued up front. What
    /// only counts elements is not loaded.
    static constexpr leaf_set cached = [] {
        leaf_set set = sets::shared;
        if constexpr (sweeps::size > 0) {
            set |= at_t<sweeps, 0>::leaves & sets::walked;
        }
        return set & sets::memory;
    }();

    using sizes = detail::leaf_sizes<typename P::leaves>;
    /// Registers for V elements of each leaf in a set, as computed with.
    static constexpr int computed_words(leaf_set set) { return V * item_words(set); }
    static constexpr int item_words(leaf_set set) { return sum_words(set, sizes::computed, 1, 0); }
    /// The same as they lie in memory, with an address.
    static constexpr int passing_words(leaf_set set) { return sum_words(set, sizes::stored, V, 3); }
    static constexpr int sum_words(leaf_set set, const int* bytes, int items, int address) {
        int n = 0;
        for (int i = 0; i < P::leaves::size; ++i) {
            n += ((set >> i) & 1U) != 0 ? (items * bytes[i] + 3) / 4 + address : 0;
        }
        return n;
    }
    /// The launch bounds. A thread needs a register for each 32 bits of the values it keeps (N times) and about twenty
    /// for addresses and results, more where vectors are not all loaded in one way; as many blocks per multiprocessor as
    /// that leaves room for, so that many loads are in flight, and no more, so that nothing spills.
    static constexpr int registers = (H == Hold::peeled ? 32 : 18) + (sweeps::size < P::phases::size ? 10 : 0) +
                                     N * computed_words(is_held ? cached : sets::walked) +
                                     Held::singles * item_words(cached) + passing_words(sets::walked & ~cached);
    static constexpr int max_threads =
        H == Hold::peeled ? peeled_block_threads(registers) : row_block_threads(is_held ? N : 0);
    static constexpr int min_blocks = [] {
        const int blocks = 65536 / max_threads / registers;
        // In a sweep with its several ways of loading, addresses take as much again.
        const bool crowded = H == Hold::swept && computed_words(sets::walked) > V;
        const int most = (all_vector ? 1536 : crowded ? 512 : 1024) / max_threads;
        return blocks < 1 ? 1 : blocks > most ? most : blocks;
    }();
    /// Vectors per thread of the sweep that writes: it holds inputs and outputs.
    static constexpr int sweep_writes = N > 2 ? 2 : N;

    struct Cache {
        RowItems<P, V> items[is_held ? N : 1];
        RowItems<P, 1> singles[Held::singles > 0 ? Held::singles : 1];
    };

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 1) {
            finish_epilogue<V>(block, p);
        } else {
            const BlockTeam<B> team(block);
            Base::for_rows(block, team, p,
                           [&](index_t row, bool active, auto& epilogue) { one_row(block, p, row, active, epilogue); });
        }
    }

private:
    /// The sweeps that fold, one after the other. With stretched operands, of which each reduction has its own count, the
    /// phases are not joined; nor on the host, where one exponential more per group costs more than a pass over the cache.
    template <class B>
    static FUSE_HD void fold_sweeps(B& block, const Params<P>& p, const RowState<P>& state, const Span& span,
                                    const Held& held, const Cache& cache, results_t<P>& results) {
        const auto fold = [&]<class Sw>(auto&& part) FUSE_INLINE_LAMBDA {
            const Product<typename Sw::phase> product;
            const auto total = BlockXReduce(block, part(), product);
            product.template project<Sw::first>(total, p, p.walked_size, results);
        };
        if constexpr (is_held) {
            static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                using Sw = at_t<sweeps, I>;
                fold.template operator()<Sw>([&]() FUSE_INLINE_LAMBDA {
                    return fold_held<typename Sw::phase, Sw::leaves>(p, state, held, cache, results);
                });
            });
        } else {
            if constexpr (P::stretches) {
                if (stretched(p)) {
                    using apart = sweeps_t<P, false>;
                    static_for<apart::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                        using Sw = at_t<apart, I>;
                        fold.template operator()<Sw>([&]() FUSE_INLINE_LAMBDA {
                            return fold_stretched_span<typename Sw::phase, Sw::first, Sw::leaves, P, V>(block, p, state,
                                                                                                        results, span);
                        });
                    });
                    return;
                }
            }
            using own = sweeps_t<P, !lone_thread<B>>;
            static_for<own::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                using Sw = at_t<own, I>;
                fold.template operator()<Sw>([&]() FUSE_INLINE_LAMBDA {
                    return fold_plain_span<typename Sw::phase, Sw::leaves, N, FoldLength::any, P, V>(block, p, state,
                                                                                                     results, span);
                });
            });
        }
    }

    /// Loads elements from s on of the leaves in Set: a vector of a held row, or one of its single elements.
    template <leaf_set Set>
    static FUSE_HD void load_vector(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& state,
                                    const Held& held, int s) {
        if constexpr (H == Hold::peeled) {
            load_along<Set, P, V>(held.paths(), items, p, state, s);
        } else {
            load_whole<Set, all_vector, P, V>(items, p, state, s);
        }
    }
    template <leaf_set Set>
    static FUSE_HD void load_single(RowItems<P, 1>& items, const Params<P>& p, const RowState<P>& state, int s) {
        load_whole<Set, false, P, 1>(items, p, state, s);
    }

    template <class B>
    static FUSE_HD void one_row(B& block, const Params<P>& p, index_t row, bool active,
                                EpilogueAccumulator<P, V, B>& epilogue) {
        // Threads beyond the last row take part in the collectives.
        const RowState<P> state(p, active ? row : 0);
        const Span span =
            thread_span<V, ordered_program<P>>(0, active ? p.walked_size : 0, block.thread_x(), block.dim_x());
        const Held held(p, state, active ? row : 0, block.thread_x(), block.dim_x(), active);
        results_t<P> results{};
        Cache cache;
        if constexpr (is_held) {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                load_vector<cached>(cache.items[j], p, state, held, held.position(j));
            }
            FUSE_UNROLL
            for (int j = 0; j < Held::singles; ++j) {
                load_single<cached>(cache.singles[j], p, state, held.single_position(j));
            }
        }
        fold_sweeps(block, p, state, span, held, cache, results);

        if constexpr (sets::writes_items) {
            if constexpr (is_held) {
                write_held(p, state, row, held, cache, results, epilogue);
            } else if (stretched(p)) {
                write_stretched(p, state, row, results, span, epilogue);
            } else {
                visit_span<sets::items, sweep_writes, P, V>(
                    p, state, results, span,
                    [&](const RowContext<P, V>& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                        write_items<false, P, V>(p, context, row, s, left);
                        epilogue.take_items(context, row, p.walked_size, s, left);
                    });
            }
        }
        if (active) {
            finish_row<P, V, B>(p, row, RowContext<P, V>{p, state, cache.items[0], results}, block.thread_x(),
                                block.dim_x(), epilogue);
        }
    }

    template <class B>
    static FUSE_HD void write_held(const Params<P>& p, const RowState<P>& state, index_t row, const Held& held,
                                   const Cache& cache, const results_t<P>& results,
                                   EpilogueAccumulator<P, V, B>& epilogue) {
        constexpr leaf_set rest = sets::items & ~cached;
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            const int s = held.position(j);
            const int left = held.inside(j) ? V : 0;
            RowItems<P, V> items = cache.items[j];
            load_vector<rest>(items, p, state, held, s);
            const RowContext<P, V> context{p, state, items, results};
            if constexpr (H == Hold::peeled) {
                write_items<true, P, V>(p, context, row, s, left, held.paths());
            } else {
                write_items<all_vector, P, V>(p, context, row, s, left);
            }
            epilogue.take_items(context, row, p.walked_size, s, left);
        }
        FUSE_UNROLL
        for (int j = 0; j < Held::singles; ++j) {
            const int s = held.single_position(j);
            const int left = held.single_inside(j) ? 1 : 0;
            RowItems<P, 1> items = cache.singles[j];
            load_single<rest>(items, p, state, s);
            const RowContext<P, 1> context{p, state, items, results};
            write_items<true, P, 1>(p, context, row, s, left, detail::LaidPaths<false>{});
            epilogue.take_items(context, row, p.walked_size, s, left);
        }
    }

    template <class B>
    static FUSE_HD void write_stretched(const Params<P>& p, const RowState<P>& state, index_t row,
                                        const results_t<P>& results, const Span& span,
                                        EpilogueAccumulator<P, V, B>& epilogue) {
        if constexpr (P::stretches) {
            visit_own<sets::items, V>(p, state, results, span, [&](const RowContext<P, 1>& context, index_t s) {
                write_own(p, context, row, s);
                epilogue.template take_own<true>(p, context, row, s);
            });
        }
    }

    template <class Ph, leaf_set Set>
    static FUSE_HD auto fold_held(const Params<P>& p, const RowState<P>& state, const Held& held, const Cache& cache,
                                  const results_t<P>& results) {
        constexpr leaf_set rest = Set & ~cached;
        const Product<Ph> product;
        const auto vectors = product.template of_group<N, V>(
            [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                RowItems<P, V> items = cache.items[j];
                load_vector<rest>(items, p, state, held, held.position(j));
                take(RowContext<P, V>{p, state, items, results}, held.position(j));
            },
            [&](int j) FUSE_INLINE_LAMBDA { return held.inside(j); });
        if constexpr (Held::singles == 0) {
            return vectors;
        } else {
            return product.combine(vectors,
                                   product.template of_group<Held::singles, 1>(
                                       [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                                           RowItems<P, 1> items = cache.singles[j];
                                           load_single<rest>(items, p, state, held.single_position(j));
                                           take(RowContext<P, 1>{p, state, items, results}, held.single_position(j));
                                       },
                                       [&](int j) FUSE_INLINE_LAMBDA { return held.single_inside(j); }));
        }
    }
};

FUSE_END_NAMESPACE
