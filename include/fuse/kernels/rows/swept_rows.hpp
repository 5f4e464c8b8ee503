// SPDX-License-Identifier: Apache-2.0
//
// Rows that nothing holds: each sweep reads them again, N vectors of V elements per thread at a time. A block of
// dim_x * dim_y threads handles dim_y rows at a time, dim_x threads per row, and steps through the rows. Rows that are too
// long for registers and shared memory, rows of very few elements, rows that are read only once anyway, and, with ops that
// do not commute or operands that are stretched, all. Few long ones are shared by several blocks each (row_group.hpp).
#pragma once

#include "fuse/kernels/body/sweep.hpp"
#include "fuse/kernels/body/visit_span.hpp"
#include "fuse/kernels/rows/ladder.hpp"
#include "fuse/kernels/rows/row_group.hpp"
#include "fuse/kernels/rows/row_kernel.hpp"
#include "fuse/kernels/rows/row_registers.hpp"
#include "fuse/kernels/rows/swept_row.hpp"
#include "fuse/plan/joined_sweeps.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A variance is one sweep where nothing is written per element: a LayerNorm would take 1.4 % longer to compile for those of
/// its rows that are few and long.
template <class P>
using swept_sweeps_t = std::conditional_t<leaf_sets<P>::writes_items, sweeps_t<P, true>, rereading_sweeps_t<P>>;
template <class P>
using possible_swept_t = possible_sweeps_t<P, swept_sweeps_t<P>>;

}  // namespace detail

/// Shares: on a device blocks may share a row.
template <class P, int V, int N, bool Shares = false>
struct SweptRowsKernel : RowKernel<P, V, N, detail::possible_swept_t<P>> {
    using Base = RowKernel<P, V, N, detail::possible_swept_t<P>>;
    using sets = leaf_sets<P>;
    static constexpr int max_threads = row_block_threads(0);
    static constexpr int crowded_words = 0;  // nothing is held
    /// The launch bounds: a register for each 32 bits of the values that a thread has in flight, for V items of each operand
    /// as computed with, and about twenty for addresses and results; where operands are several, addresses take as much
    /// again.
    static constexpr int item_words = RowRegisters<P>::item(sets::moving);
    static constexpr int registers = 18 + N * V * item_words;
    static constexpr int min_blocks = [] {
        const int blocks = 65536 / max_threads / registers;
        const int most = (item_words > 1 ? 512 : 1024) / max_threads;
        return blocks < 1 ? 1 : blocks > most ? most : blocks;
    }();
    /// Vectors per thread of the sweep that writes: it holds inputs and outputs.
    static constexpr int sweep_writes = N > 2 ? 2 : N;

    /// What links blocks that share rows, and others.
    static constexpr Link link = Shares ? Link::group_sync : Base::link;
    static constexpr Link lone_link = Base::link;
    static constexpr index_t counter_words(const Launch& l) {
        return (Shares ? group_type::counters_before : 0) + Base::counter_words(l);
    }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return Shares && l.group > 1 ? group_type::bytes(l.grid) : Base::partial_bytes(l);
    }

    template <DeviceAtomics B>
        requires(Shares)
    static FUSE_HD void run(B& block, const Params<P>& p) {
        stage<0>(block, p);
        if constexpr (Base::has_epilogue) {
            if (last_block(block, p.counters, block.grid_x())) {
                finish_epilogue<V>(block, p);
            }
        }
    }

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 0 && lone_thread<B>) {
            ProgramCalls<P, chunk_items> calls(p.walked_size);
            SweptRowsKernel::template stage_of_rows<0>(block, p,
                                                       [&](index_t row, bool, auto& epilogue) FUSE_INLINE_LAMBDA {
                                                           if (!stretched_row(block, p, row, true, epilogue)) {
                                                               host_row(block, p, row, epilogue, calls);
                                                           }
                                                       });
        } else {
            SweptRowsKernel::template stage_of_rows<Stage>(
                block, p,
                [&](index_t row, bool active, auto& epilogue) FUSE_INLINE_LAMBDA {
                    if (!stretched_row(block, p, row, active, epilogue)) {
                        shared_row(block, p, row, active, epilogue);
                    }
                },
                Shares ? p.group : 1);
        }
    }

private:
    using sweeps_on = detail::swept_sweeps_t<P>;
    static constexpr std::size_t place_bytes =
        scratch_round_up(detail::largest_accumulator<detail::possible_swept_t<P>>);
    using group_type = RowGroup<P, place_bytes>;
    using Share = std::conditional_t<ordered_program<P> || V == 1, LaidShare<P, V>, AlignedShare<P, V>>;

    /// A row of a host thread, which keeps what costs much.
    template <class B, class Epilogue>
    static FUSE_HD void host_row(B& block, const Params<P>& p, index_t row, Epilogue& epilogue,
                                 ProgramCalls<P, chunk_items>& calls) {
        const RowState<P> state(p, row);
        const index_t n = p.walked_size;
        results_t<P> results{};
        using sweeps = sweeps_t<P, false>;
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            using Calls = detail::calls_in<P, I>;
            const auto fold = [&]<leaf_set Set>(std::integral_constant<leaf_set, Set>,
                                                const auto& also) FUSE_INLINE_LAMBDA {
                return detail::fold_chunks<typename Sw::phase, Set, typename Calls::fresh, typename Calls::again>(
                    p, state, results, Span{0, V, n}, calls, also);
            };
            const auto total = [&]() FUSE_INLINE_LAMBDA {
                if constexpr (sets::writes_early && I + 1 == sweeps::size) {
                    return fold(std::integral_constant<leaf_set, Sw::leaves | sets::items>{},
                                [&](const ChunkContext<P>& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                                    write_items<false, P, chunk_items>(p, context, row, s, left);
                                });
                } else {
                    return fold(std::integral_constant<leaf_set, Sw::leaves>{}, detail::NothingElse{});
                }
            }();
            Product<typename Sw::phase>{}.template project<Sw::first>(total, p, n, results);
        });
        if constexpr (sets::writes_items && !sets::writes_early) {
            constexpr int W = P::epilogue_items == 0 ? chunk_items : V;
            using Known = typename detail::calls_in_outputs<P>::again;
            visit_chunks<sets::items, W>(
                p, state, results, Span{0, V, n},
                [&](const ChunkContext<P>& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                    write_items<false, P, W>(p, calls.template with<type_list<>, Known>(context, s, left), row, s,
                                             left);
                    epilogue.take_items(context, row, n, s, left);
                });
        }
        finish(block, p, row, true, state, results, epilogue);
    }

    template <class B, class Epilogue>
    static FUSE_HD void shared_row(B& block, const Params<P>& p, index_t row, bool active, Epilogue& epilogue) {
        // Threads beyond the last row take part in the collectives.
        const RowState<P> state(p, active ? row : 0);
        const unsigned group = Shares ? p.group : 1;
        const unsigned member = Shares ? block.block_x() % group : 0;
        const Share share(p, active ? row : 0, active, member * block.dim_x() + block.thread_x(),
                          group * block.dim_x());
        results_t<P> results{};
        static_for<sweeps_on::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps_on, I>;
            const Product<typename Sw::phase> product;
            constexpr bool writes = sets::writes_early && I + 1 == sweeps_on::size;
            constexpr leaf_set read = Sw::leaves | (writes ? sets::items : leaf_set{0});
            const auto write = [&](const auto& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                write_items<false, P, V>(p, context, row, s, left, share.paths);
            };
            auto part = fold_plain_span<typename Sw::phase, read, N, FoldLength::any, P, V>(
                block, p, state, results, share.span, share.paths, detail::also_if<writes>(write));
            share.for_singles([&](index_t s) FUSE_INLINE_LAMBDA {
                RowItems<P, 1> items;
                load_whole<read, false, P, 1>(items, p, state, s);
                const RowContext<P, 1> context{p, state, items, results};
                // Combined, not taken in: they do not come in the order of their indices.
                part = product.combine(part, product.leaf(context, 0, s));
                if constexpr (writes) {
                    write_items<false, P, 1>(p, context, row, s, 1);
                }
            });
            auto total = product.init();
            FUSE_NO_UNROLL
            for (bool shared = group > 1;; shared = false) {  // the code of a fold once
                total = fold_row(block, part, product);
                if (!shared) {
                    break;
                }
                if constexpr (Shares) {
                    part = group_type::template exchange<I>(block, p, total, product);
                }
            }
            product.template project<Sw::first>(total, p, p.walked_size, results);
        });
        if constexpr (Shares) {
            if (group > 1) {
                group_type::leave(block, p, sweeps_on::size);
            }
        }
        if constexpr (sets::writes_items && !sets::writes_early) {
            visit_span<sets::items, sweep_writes, P, V>(
                p, state, results, share.span,
                [&](const RowContext<P, V>& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                    write_items<false, P, V>(p, context, row, s, left, share.paths);
                    epilogue.take_items(context, row, p.walked_size, s, left);
                },
                share.paths);
            share.for_singles([&](index_t s) FUSE_INLINE_LAMBDA {
                RowItems<P, 1> items;
                load_whole<sets::items, false, P, 1>(items, p, state, s);
                const RowContext<P, 1> context{p, state, items, results};
                write_items<false, P, 1>(p, context, row, s, 1);
                epilogue.take_items(context, row, p.walked_size, s, 1);
            });
        }
        finish(block, p, row, active && member == 0, state, results, epilogue);
    }

    /// Whether the launch has stretched operands. If so, the row.
    template <class B, class Epilogue>
    static FUSE_HD bool stretched_row(B& block, const Params<P>& p, index_t row, bool active, Epilogue& epilogue) {
        if constexpr (P::stretches) {
            if (stretched(p)) {
                own_elements_row(block, p, row, active, epilogue);
                return true;
            }
        }
        return false;
    }

    /// Each reduction and output has its own elements: one by one, each phase by itself.
    template <class B, class Epilogue>
    static FUSE_HD void own_elements_row(B& block, const Params<P>& p, index_t row, bool active, Epilogue& epilogue) {
        const RowState<P> state(p, active ? row : 0);
        const Span span =
            thread_span<V, ordered_program<P>>(0, active ? p.walked_size : 0, block.thread_x(), block.dim_x());
        results_t<P> results{};
        using sweeps = sweeps_t<P, false>;
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            const Product<typename Sw::phase> product;
            const auto part =
                fold_stretched_span<typename Sw::phase, Sw::first, Sw::leaves, P, V>(block, p, state, results, span);
            product.template project<Sw::first>(BlockXReduce(block, part, product), p, p.walked_size, results);
        });
        if constexpr (sets::writes_items) {
            visit_own<sets::items, V>(p, state, results, span, [&](const RowContext<P, 1>& context, index_t s) {
                write_own(p, context, row, s);
                epilogue.template take_own<true>(p, context, row, s);
            });
        }
        finish(block, p, row, active, state, results, epilogue);
    }

    template <class B, class Epilogue>
    static FUSE_HD void finish(B& block, const Params<P>& p, index_t row, bool active, const RowState<P>& state,
                               const results_t<P>& results, Epilogue& epilogue) {
        if (active) {
            const RowItems<P, V> none{};
            finish_row<P, V, B>(p, row, RowContext<P, V>{p, state, none, results}, block.thread_x(), block.dim_x(),
                                epilogue);
        }
    }
};

FUSE_END_NAMESPACE
