// SPDX-License-Identifier: Apache-2.0
//
// The rows family: the innermost axes are reduced, as many phases as the expression needs. A block of dim_x * dim_y
// threads handles dim_y rows at a time, dim_x threads per row, and steps through the rows.
//   Resident  the row is loaded once: N vectors of V elements per thread stay in registers for all phases.
//   Swept     each phase reads the row again, N vectors at a time.
// An epilogue (a reduction of per-row values, or of all elements, to scalars) is accumulated on the way and finished
// by the last block.
#pragma once

#include "fuse/kernels/epilogue.hpp"
#include "fuse/kernels/run.hpp"
#include "fuse/kernels/sweep.hpp"
#include "fuse/plan/strategy.hpp"
#include "fuse/primitives/block_x_reduce.hpp"

FUSE_BEGIN_NAMESPACE

enum class Hold { resident, swept };

template <class P, int V, int N, Hold H>
struct RowsKernel {
    using program = P;
    static constexpr int vector = V;
    /// Blocks of one row have up to 1024 threads, which leaves 64 registers each.
    static constexpr int max_threads = N > resident_block_vectors ? 256 : 1024;
    using sets = leaf_sets<P>;
    static constexpr bool has_epilogue = P::epilogue::size > 0;
    static constexpr int stages = has_epilogue ? 2 : 1;
    static constexpr Link link = has_epilogue ? Link::last_block : Link::none;
    static constexpr int phases = P::phases::size;
    /// Leaves kept in registers: those of several sweeps, and those of the first, whose loads are issued up front.
    static constexpr leaf_set cached = [] {
        leaf_set set = sets::shared;
        if constexpr (phases > 0) {
            set |= sets::template phase<0> & sets::reduced;
        }
        return set;
    }();

    struct Cache {
        RowItems<P, V> items[H == Hold::resident ? N : 1];
    };

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 1) {
            finish_epilogue<V>(block, p);
        } else {
            EpilogueAccumulator<P, V> epilogue;
            const index_t step = static_cast<index_t>(block.grid_x()) * block.dim_y();
            for (index_t first = static_cast<index_t>(block.block_x()) * block.dim_y(); first < p.outer_size;
                 first += step) {
                const index_t row = first + block.thread_y();
                one_row(block, p, row, row < p.outer_size, epilogue);
            }
            if constexpr (has_epilogue) {
                epilogue.store_partial(block, p);
            }
        }
    }

  private:
    template <class B>
    static FUSE_HD void one_row(B& block, const Params<P>& p, index_t row, bool active,
                                EpilogueAccumulator<P, V>& epilogue) {
        // Threads beyond the last row take part in the collectives with an empty row.
        const RowState<P> state(p, active ? row : 0);
        const index_t size = active ? p.seq_size : 0;
        const Span span = thread_span<V, ordered_program<P>>(0, size, block.thread_x(), block.dim_x());
        results_t<P> results{};
        Cache cache;
        if constexpr (H == Hold::resident) {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                load_items<cached, P, V>(cache.items[j], p, state, span.first + j * span.step,
                                         size - span.first - j * span.step);
            }
        }
        static_for<phases>([&]<int I>() FUSE_INLINE_LAMBDA { phase<I>(block, p, state, span, cache, results); });

        if constexpr (sets::writes_items) {
            auto write = [&](const RowContext<P, V>& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                write_items<P, V>(p, context, row, s, left);
                epilogue.take_items(context, row, p.seq_size, s, left);
            };
            if constexpr (H == Hold::resident) {
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    const index_t s = span.first + j * span.step;
                    RowItems<P, V> items = cache.items[j];
                    load_items<sets::items & ~cached, P, V>(items, p, state, s, size - s);
                    write(RowContext<P, V>{p, state, items, results}, s, size - s);
                }
            } else {
                visit_span<sets::items, N, P, V>(p, state, results, span, write);
            }
        }
        if (active && block.thread_x() == 0) {
            const RowContext<P, V> context{p, state, cache.items[0], results};
            write_single<kir::Extent::outer>(p, context, row);
            epilogue.take_row(context, row);
            if constexpr (!has_epilogue) {
                if (row == 0) {
                    write_single<kir::Extent::once>(p, context, row);
                }
            }
        }
    }

    template <int I, class B>
    static FUSE_HD void phase(B& block, const Params<P>& p, const RowState<P>& state, const Span& span,
                              const Cache& cache, results_t<P>& results) {
        using Ph = at_t<typename P::phases, I>;
        using Accumulators = Lanes<Product<Ph>, V>;
        const Product<Ph> product;
        typename Product<Ph>::accumulator part;
        if constexpr (H == Hold::resident) {
            typename Accumulators::accumulator lanes = Accumulators{}.init();
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                const index_t s = span.first + j * span.step;
                RowItems<P, V> items = cache.items[j];
                load_items<sets::template phase<I> & ~cached, P, V>(items, p, state, s, span.end - s);
                const RowContext<P, V> context{p, state, items, results};
                for_lanes<V>(span.end - s, [&](int v) FUSE_INLINE_LAMBDA {
                    product.accumulate(lanes.lane[v], context, v, s + v);
                });
            }
            part = Accumulators::fold(lanes);
        } else {
            part = fold_span<Ph, sets::template phase<I>, N, P, V>(block, p, state, results, span);
        }
        const auto total = BlockXReduce(block, part, product);
        product.template project<first_result<P, I>>(total, p.seq_size, results);
    }
};

FUSE_END_NAMESPACE
