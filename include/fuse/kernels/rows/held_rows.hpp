// SPDX-License-Identifier: Apache-2.0
//
// Rows that threads hold in registers: loaded once, N vectors of V elements per thread, for all phases. A block of
// dim_x * dim_y threads handles dim_y rows at a time, dim_x threads per row, and steps through the rows.
//   Resident  V divides the length of the row, so that a vector is inside the row or outside it as a whole, and every
//             operand is aligned for vectors.
//   Peeled    rows of any length that begin anywhere: vectors begin where the memory is aligned, and the few elements
//             before the first and behind the last are held one by one (held_row.hpp). Operands that are the same for all
//             rows, a scale, a shift, lie otherwise than most of them, and have the like of these items side by side.
// Longer rows are held in shared memory (staged_rows.hpp) or read again by each sweep (swept_rows.hpp).
#pragma once

#include <bit>

#include "fuse/kernels/body/first_places.hpp"
#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/body/row_terms.hpp"
#include "fuse/kernels/rows/held_row.hpp"
#include "fuse/kernels/rows/repeated_leaves.hpp"
#include "fuse/kernels/rows/row_kernel.hpp"
#include "fuse/kernels/rows/row_leaves.hpp"
#include "fuse/kernels/rows/row_registers.hpp"
#include "fuse/kernels/rows/sure_vectors.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Values of costly calls, exponentials, in the phases of a program that asks for some of them again: the compiler computes
/// them once, and holds them beside the row. Counted where both they and the operands are several: for those of a softmax
/// there is room, also in its gradient.
template <class P, bool SeveralOperands>
inline constexpr int held_calls = 0;
template <class P>
inline constexpr int held_calls<P, true> =
    calls_before<P, P::phases::size>::type::size > 1 && calls_again<P>::type::size > 0
        ? calls_before<P, P::phases::size>::type::size
        : 0;

}  // namespace detail

/// Special: leaves that are treated in a way of their own (row_leaves.hpp).
template <class P, int V, int N, int Ends, class Special = void>
struct HeldRowsKernel : RowKernel<P, V, N, sweeps_t<P, false>> {
    using sets = leaf_sets<P>;
    static constexpr bool peeled = Ends != RowEnds::none;
    using sweeps = held_sweeps_t<P>;
    static constexpr bool all_vector = !peeled && V > 1;
    static constexpr Packs lie = all_vector ? Packs::whole : Packs::any;
    /// A row that is held has fewer than 2^31 elements.
    static constexpr bool narrow = Params<P>::traits::walked_rank > 1;
    /// Leaves kept in registers: those of several sweeps, and those of the first, whose loads are issued up front. What
    /// only counts elements is not loaded, nor what a row has one of, which is with the row.
    static constexpr leaf_set cached = [] {
        leaf_set set = sets::shared | detail::held_beside<Special>;
        if constexpr (sweeps::size > 0) {
            set |= at_t<sweeps, 0>::leaves;
        }
        return set & sets::moving;
    }();
    /// What is the same for all rows and is read in pieces, where they are written.
    static constexpr leaf_set pieces = Ends == RowEnds::vectors ? sets::beside : 0;
    /// Beside such operands rows that many threads share mostly have a kernel of their own.
    using Held = HeldRow<V, Ends, Ends == RowEnds::singles && (sets::beside != 0 || !pieces_pay(V))>;

    /// The one operand that differs from row to row, in a program that writes rows as well; -1: none, or several. Where
    /// it is read to stay in the L2 cache, what is written leaves that sooner, and the memory is faster for it; of
    /// several operands only some shapes gain. Small ones are left alone: what stays takes room from later kernels.
    static constexpr int streamed = [] {
        const leaf_set rows = sets::walked & sets::kept & sets::memory;
        return !peeled && sets::sweeps_of::item_outputs() > 0 && std::popcount(rows) == 1 ? std::countr_zero(rows) : -1;
    }();

    using words = RowRegisters<P>;
    /// Whether rows of 16-bit operands that are read again are kept as they lie in memory, two items to a register, and each
    /// sweep unpacks them anew: else the compiler keeps them unpacked, and fewer threads have room. Not where it is to keep
    /// exponentials, and are these terms they are computed anew; nor of two operands without, beside which too few registers
    /// are left.
    static constexpr bool packed = !peeled && (folds_terms<P> || (!online_program<P> && std::has_single_bit(cached))) &&
                                   sets::shared == cached && words::template stored<2>(cached) == words::item(cached);
    static constexpr int kept_calls =
        packed ? 0 : detail::held_calls<P, (std::popcount(cached) > 1 && P::phases::size > 1)>;
    static constexpr int element_words = words::item(cached) + kept_calls;
    /// The same where it is more than the operands.
    static constexpr int crowded_words = kept_calls > 0 ? element_words : 0;
    static constexpr int kept_words = packed ? words::template stored<V>(cached) : V * element_words;
    /// The launch bounds. A thread needs a register for each 32 bits of the values it keeps (N times) and about twenty
    /// for addresses and results, more where vectors are not all loaded in one way, or passed over, or elements of outer axes
    /// lie beside them; as many blocks per multiprocessor as that leaves room for, so that many loads are in flight, and no
    /// more, so that nothing spills.
    static constexpr int registers = (peeled                               ? 32
                                      : detail::splat_leaves<Special> != 0 ? 26
                                      : std::has_single_bit(cached)        ? 18
                                                                           : 20) +
                                     (detail::any_passes_over<typename P::phases> ? 16 : 0) + N * kept_words +
                                     Held::singles * words::item(cached) +
                                     words::template passing<V>(sets::walked & ~cached & ~pieces);
    static constexpr int max_threads = peeled ? peeled_block_threads(registers) : row_block_threads(N);
    static constexpr int min_blocks = [] {
        const int blocks = 65536 / max_threads / registers;
        const int most = (all_vector ? 1536 : 1024) / max_threads;
        return blocks < 1 ? 1 : blocks > most ? most : blocks;
    }();

    static constexpr leaf_set of_rows = sets::walked & sets::kept & sets::memory;
    static constexpr leaf_set repeats =
        all_vector ? detail::leaves_that_may_repeat<P> & ~(P::phases::size > 2 ? cached : leaf_set{0}) : leaf_set{0};
    static constexpr int sure =
        detail::sure_vectors<P, V, N, Ends, std::popcount(of_rows& cached), (of_rows & ~cached) != 0>;

#if FUSE_HAS_DEVICE_BODIES
    struct Cache {
        RowItems<P, V> items[N];
        RowItems<P, 1> singles[Held::singles > 0 ? Held::singles : 1];
    };

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        HeldRowsKernel::template stage_of_rows<Stage>(
            block, p, [&](index_t row, bool active, auto& epilogue) FUSE_INLINE_LAMBDA {
                // Threads beyond the last row take part in the collectives.
                const RowState<P> state = row_state(p, active ? row : 0);
                Held held(p, active ? row : 0, block.thread_x(), block.dim_x(), active);
                held.forget();
                Cache cache;
                load<cached>(cache, p, state, held);
                if constexpr (announces<B>) {
                    const index_t next = row + static_cast<index_t>(block.grid_x()) * block.dim_y();
                    const index_t coming = next < p.kept_size ? next : active ? row : 0;
                    announce<cached & sets::kept>(p, row_state(p, coming), held);
                }
                one_row(block, p, p, p.walked_size, state, row, held, cache, epilogue);
            });
    }

protected:
    /// Whether blocks are few, each of which goes through many rows (kernels/steps/): the next one is then on its way.
    template <class B>
    static constexpr bool announces = requires {
        B::many_rows;
    };
    /// Brings what a thread will load of a row as far as the L2 cache.
    template <leaf_set Set>
    static FUSE_HD void announce(const Params<P>& p, const RowState<P>& state, const Held& held) {
        static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            if constexpr (((Set >> I) & 1U) != 0) {
                const auto path = detail::path_along<Packs::vectors, narrow>(p, get<I>(p.leaves));
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    detail::prefetch_into_l2(get<I>(state.leaf) + path.of_vector(held.position(j)));
                }
            }
        });
    }

    /// Loads elements from s on of the leaves in Set: a vector of a held row, or one of its single elements. Repeated: a row has
    /// one element of some of them.
    template <leaf_set Set, bool Repeated>
    static FUSE_HD void load_laid(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& state, const Held& held,
                                  int s) {
        if constexpr (peeled) {
            load_along<Set & ~pieces, P, V>(held.template paths<narrow>(), items, p, state, s);
            if constexpr ((Set & pieces) != 0) {
                load_pieces<Set & pieces, P, V>(items, state, s);
            }
        } else {
            constexpr detail::LaidPaths<lie, narrow> paths;
            constexpr leaf_set perhaps = Repeated ? Set & repeats : leaf_set{0};
            load_along<Set & ~perhaps, P, V>(paths, items, p, state, s);
            detail::load_repeated<perhaps, P, V>(paths, items, p, state, s);
        }
    }
    template <leaf_set Set>
    static FUSE_HD void load_vector(RowItems<P, V>& items, const Params<P>& p, const RowState<P>& state,
                                    const Held& held, int s) {
        detail::with_repeats<Set & repeats>(
            p, [&]<bool Repeated>() FUSE_INLINE_LAMBDA { load_laid<Set, Repeated>(items, p, state, held, s); });
    }
    template <leaf_set Set>
    static FUSE_HD void load_single(RowItems<P, 1>& items, const Params<P>& p, const RowState<P>& state, int s) {
        load_along<Set, P, 1>(detail::LaidPaths<Packs::any, narrow>{}, items, p, state, s);
    }

    static FUSE_HD RowState<P> row_state(const Params<P>& p, index_t row) {
        RowState<P> state(p, row);
        if constexpr (streamed >= 0) {
            auto& first = get<streamed>(state.leaf);
            const index_t bytes = p.kept_size * p.walked_size * static_cast<index_t>(sizeof(*first));
            first = detail::read_into_l2(first, bytes >= streamed_bytes);
        }
        return state;
    }
    template <leaf_set Set>
    static FUSE_HD void load(Cache& cache, const Params<P>& p, const RowState<P>& state, const Held& held) {
        detail::with_repeats<Set & repeats>(p, [&]<bool Repeated>() FUSE_INLINE_LAMBDA {
            FUSE_UNROLL
            for (int j = 0; j < N && has_vector(held, j); ++j) {
                load_laid<Set, Repeated>(cache.items[j], p, state, held, held.position(j));
            }
        });
        FUSE_UNROLL
        for (int j = 0; j < Held::singles; ++j) {
            if constexpr (!Held::has_all) {
                if (!held.has_single(j)) {
                    break;
                }
            }
            load_single<Set>(cache.singles[j], p, state, held.single_position(j));
        }
    }

    /// The results of a row. Of `size` elements, as far as `counts` says nothing else of a reduction.
    template <class B, class Counts, class Count>
    static FUSE_HD results_t<P> one_row(B& block, const Params<P>& p, const Counts& counts, Count size,
                                        const RowState<P>& state, index_t row, const Held& held, Cache& cache,
                                        EpilogueAccumulator<P, V, B>& epilogue) {
        results_t<P> results{};
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            using Folded = detail::values_of_phase<typename Sw::phase>;
            const Product<Folded> product;
            const auto part = fold_held<Folded, Sw::leaves>(p, state, held, cache, results);
            if constexpr (packed) {
                keep_packed(cache);
            }
            if constexpr (std::is_same_v<Folded, typename Sw::phase>) {
                product.template project<Sw::first>(BlockXReduce(block, part, product), counts, size, results);
            } else {
                FirstPlaces<typename Sw::phase> places(BlockXReduce(block, part, product));
                if (places.has_best(part)) {
                    find_held<Sw::leaves & ~cached>(places, p, state, held, cache, results);
                }
                Product<typename Sw::phase>{}.template project<Sw::first>(places.fold(block), counts, size, results);
            }
        });
        if constexpr (sets::writes_items) {
            write_held(p, state, row, held, cache, results, epilogue);
        }
        if (held.active) {
            finish_row<P, V, B>(p, row, RowContext<P, V>{p, state, cache.items[0], results}, block.thread_x(),
                                block.dim_x(), epilogue);
        }
        return results;
    }

private:
    static FUSE_HD bool has_vector(const Held& held, int j) {
        return j < sure || held.has_vector(j);
    }

    static FUSE_HD void keep_packed(Cache& cache) {
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
                if constexpr (((cached >> I) & 1U) != 0) {
                    kept_packed(get<I>(cache.items[j]));
                }
            });
        }
    }

    /// What is read where elements are written alone, and of that what is loaded once per vector.
    static constexpr leaf_set rest = sets::items & ~cached;
    static constexpr leaf_set splat = peeled ? 0 : detail::splat_leaves<Special> & rest;
    /// Of how many vectors that is loaded before the first is written, so that a thread waits once for all of it: as many as
    /// there are registers for beside the row.
    static constexpr int together = [] {
        if ((rest & sets::moving & ~splat) == 0) {
            return N < 8 ? N : 2;
        }
        // Each is unpacked anew where rows are kept packed: of rows that fill the registers no two at a time.
        if (packed && N == 8 && !online_program<P>) {
            return 1;
        }
        return N * kept_words + 2 * words::template stored<V>(rest & sets::moving) <= 40 ? 2 : 1;
    }();

    /// Writes the vectors of a row beside what is only read then. Not the same loop as without: a call or a lambda for what both
    /// do costs a softmax 0.3 % of its compile time (docs/journal.md, "Group norms of images").
    template <class B>
    static FUSE_HD void write_beside(const Params<P>& p, const RowState<P>& state, index_t row, const Held& held,
                                     const Cache& cache, const results_t<P>& results,
                                     EpilogueAccumulator<P, V, B>& epilogue) {
        FUSE_UNROLL
        for (int j = 0; j < N && has_vector(held, j); j += together) {
            RowItems<P, V> items[together];
            FUSE_UNROLL
            for (int k = 0; k < together; ++k) {
                if (j + k < N && has_vector(held, j + k)) {
                    items[k] = cache.items[j + k];
                    load_vector<rest & ~splat>(items[k], p, state, held, held.position(j + k));
                    if constexpr (splat != 0) {
                        load_splat<splat, P, V>(items[k], p, state, held.position(j + k));
                    }
                }
            }
            FUSE_UNROLL
            for (int k = 0; k < together; ++k) {
                if (j + k < N && has_vector(held, j + k)) {
                    const int s = held.position(j + k);
                    const int left = held.inside(j + k) ? V : 0;
                    const HeldContext<P, V> context{p, state, items[k], results};
                    if constexpr (peeled) {
                        write_items<true, P, V>(p, context, row, s, left, held.template paths<narrow>());
                    } else {
                        write_items<all_vector, P, V>(p, context, row, s, left, detail::LaidPaths<lie, narrow>{});
                    }
                    epilogue.take_items(context, row, p.walked_size, s, left);
                }
            }
        }
    }

    template <class B>
    static FUSE_HD void write_held(const Params<P>& p, const RowState<P>& state, index_t row, const Held& held,
                                   const Cache& cache, const results_t<P>& results,
                                   EpilogueAccumulator<P, V, B>& epilogue) {
        if constexpr ((rest & sets::moving) != 0) {
            write_beside(p, state, row, held, cache, results, epilogue);
        } else {
            FUSE_UNROLL
            for (int j = 0; j < N && has_vector(held, j); ++j) {
                const int s = held.position(j);
                const int left = held.inside(j) ? V : 0;
                RowItems<P, V> items = cache.items[j];
                load_vector<rest>(items, p, state, held, s);
                const HeldContext<P, V> context{p, state, items, results};
                if constexpr (peeled) {
                    write_items<true, P, V>(p, context, row, s, left, held.template paths<narrow>());
                } else {
                    write_items<all_vector, P, V>(p, context, row, s, left, detail::LaidPaths<lie, narrow>{});
                }
                epilogue.take_items(context, row, p.walked_size, s, left);
            }
        }
        FUSE_UNROLL
        for (int j = 0; j < Held::singles; ++j) {
            if constexpr (!Held::has_all) {
                if (!held.has_single(j)) {
                    break;
                }
            }
            const int s = held.single_position(j);
            const int left = held.single_inside(j) ? 1 : 0;
            RowItems<P, 1> items = cache.singles[j];
            load_single<rest>(items, p, state, s);
            const HeldContext<P, 1> context{p, state, items, results};
            write_items<true, P, 1>(p, context, row, s, left, detail::LaidPaths<Packs::any, narrow>{});
            epilogue.take_items(context, row, p.walked_size, s, left);
        }
    }

    template <class Ph, leaf_set Set>
    static FUSE_HD auto fold_held(const Params<P>& p, const RowState<P>& state, const Held& held, const Cache& cache,
                                  const results_t<P>& results) {
        constexpr leaf_set passed = Set & ~cached;
        const Product<Ph> product;
        const auto vectors = product.template of_group<N, V>(
            [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                RowItems<P, V> items = cache.items[j];
                load_vector<passed>(items, p, state, held, held.position(j));
                take(RowContext<P, V>{p, state, items, results}, held.position(j));
            },
            [&](int j) FUSE_INLINE_LAMBDA { return held.inside(j); },
            [&](int j) FUSE_INLINE_LAMBDA { return has_vector(held, j); });
        // One after the other, or all at once: a branch keeps results of one sweep from reuse in the next.
        if constexpr (Held::singles == 0) {
            return vectors;
        } else if constexpr (Held::has_all) {
            return product.combine(vectors, fold_singles<Ph, passed, Held::singles>(p, state, held, cache, results, 0));
        } else {
            auto all = product.combine(vectors, fold_singles<Ph, passed, 1>(p, state, held, cache, results, 0));
            FUSE_UNROLL
            for (int j = 1; j < Held::singles; ++j) {
                if (held.has_single(j)) {
                    all = product.combine(all, fold_singles<Ph, passed, 1>(p, state, held, cache, results, j));
                }
            }
            return all;
        }
    }
    template <class Ph, leaf_set Rest, int Count>
    static FUSE_HD auto fold_singles(const Params<P>& p, const RowState<P>& state, const Held& held, const Cache& cache,
                                     const results_t<P>& results, int first) {
        return Product<Ph>{}.template of_group<Count, 1>(
            [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                RowItems<P, 1> items = cache.singles[first + j];
                load_single<Rest>(items, p, state, held.single_position(first + j));
                take(RowContext<P, 1>{p, state, items, results}, held.single_position(first + j));
            },
            [&](int j) FUSE_INLINE_LAMBDA { return held.single_inside(first + j); });
    }

    /// What is there twice has the same place both times: it is not asked what is inside.
    template <leaf_set Rest, class Places>
    static FUSE_HD void find_held(Places& places, const Params<P>& p, const RowState<P>& state, const Held& held,
                                  const Cache& cache, const results_t<P>& results) {
        FUSE_UNROLL
        for (int j = 0; j < N && has_vector(held, j); ++j) {
            RowItems<P, V> items = cache.items[j];
            load_vector<Rest>(items, p, state, held, held.position(j));
            places.template look<V>(RowContext<P, V>{p, state, items, results}, held.position(j));
        }
        FUSE_UNROLL
        for (int j = 0; j < Held::singles && (Held::has_all || held.has_single(j)); ++j) {
            RowItems<P, 1> items = cache.singles[j];
            load_single<Rest>(items, p, state, held.single_position(j));
            places.template look<1>(RowContext<P, 1>{p, state, items, results}, held.single_position(j));
        }
    }
#endif
};

FUSE_END_NAMESPACE
