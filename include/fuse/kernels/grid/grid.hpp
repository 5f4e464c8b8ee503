// SPDX-License-Identifier: Apache-2.0
//
// Full reductions with several phases, or with outputs over everything, on the host: a stage per phase, and each block folds
// the partials of all.
#pragma once

#include "fuse/kernels/body/shares.hpp"
#include "fuse/kernels/body/visit_span.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct GridKernel : Kernel<P, V, N, Link::grid_sync, P::phases::size + 1> {
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 2;
    using sets = leaf_sets<P>;
    static constexpr int phases = P::phases::size;
    static constexpr bool in_waves = true;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest_bytes(detail::phase_sizes<typename P::phases>, [&l](std::size_t accumulator) {
            return block_reduce_scratch_bytes(l.dim_x, l.dim_y, accumulator, planned_block);
        });
    }
    /// All phases have places of their own.
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return []<class... Ph>(type_list<Ph...>) {
            return (std::size_t{0} + ... + ((sizeof(typename Product<Ph>::accumulator) + 15) / 16 * 16));
        }(typename P::phases{}) *
               static_cast<std::size_t>(l.grid);
    }

    /// Stage I folds the partials of the phases before it, then sweeps phase I, or writes the outputs.
    template <int I, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        results_t<P> results{};
        const RowState<P> state(p, 0);
        static_for<I>([&]<int J>() FUSE_INLINE_LAMBDA {
            using product = Product<at_t<typename P::phases, J>>;
            const auto total = fold_partials<product>(block, partials<J>(p), p.group);
            product{}.template project<first_result<P, J>>(total, p, p.walked_size, results);
        });
        if constexpr (I < phases) {
            const auto part = fold<I>(block, p, state, results);
            if (linear_thread(block) == 0) {
                partials<I>(p)[block.block_x()] = part;
            }
        } else {
            write(block, p, state, results);
        }
    }

private:
    /// A block's share of phase I, valid in thread 0.
    template <int I, class B>
    static FUSE_HD auto fold(B& block, const Params<P>& p, const RowState<P>& state, const results_t<P>& results) {
        using phase = at_t<typename P::phases, I>;
        if constexpr (sets::writes_early && I + 1 == phases) {
            if (!stretched(p)) {
                const Span span = detail::share_of<V, ordered_program<P>>(block, p, block.block_x());
                const auto write = [&](const ChunkContext<P>& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                    write_items<false, P, chunk_items>(p, context, 0, s, left);
                };
                return BlockReduce(
                    block,
                    fold_plain_span<phase, sets::template phase<I> | sets::items, N, FoldLength::any, P, V>(
                        block, p, state, results, span, detail::LaidPaths<>{}, write),
                    Product<phase>{}, OneThread{});
            }
        }
        return detail::fold_share<phase, first_result<P, I>, sets::template phase<I>, V, N, FoldLength::any>(
            block, p, state, results, block.block_x());
    }

    /// Phases write to different places: a fast block may be a phase ahead of a slow one's reads.
    template <int J>
    static FUSE_HD auto* partials(const Params<P>& p) {
        std::size_t before = 0;
        static_for<J>([&]<int K>() FUSE_INLINE_LAMBDA {
            using A = typename Product<at_t<typename P::phases, K>>::accumulator;
            before += (sizeof(A) + 15) / 16 * 16;
        });
        using A = typename Product<at_t<typename P::phases, J>>::accumulator;
        return reinterpret_cast<A*>(static_cast<unsigned char*>(p.partials) + before * p.group);
    }

    template <class B>
    static FUSE_HD void write(B& block, const Params<P>& p, const RowState<P>& state, const results_t<P>& results) {
        if constexpr (sets::writes_items) {
            const Span span = detail::share_of<V, false>(block, p, block.block_x());
            if (stretched(p)) {
                write_stretched(p, state, results, span);
            } else if constexpr (!sets::writes_early) {
                visit_chunks<sets::items, chunk_items>(
                    p, state, results, span,
                    [&](const ChunkContext<P>& context, index_t s, index_t left)
                        FUSE_INLINE_LAMBDA { write_items<false, P, chunk_items>(p, context, 0, s, left); });
            }
        }
        const RowItems<P, V> none{};
        write_once(p, RowContext<P, V>{p, state, none, results},
                   Share{block.block_x(), block.grid_x(), linear_thread(block), block_threads(block)});
    }

    static FUSE_HD void write_stretched(const Params<P>& p, const RowState<P>& state, const results_t<P>& results,
                                        const Span& span) {
        if constexpr (P::stretches) {
            visit_own<sets::items, V>(p, state, results, span,
                                      [&](const RowContext<P, 1>& context, index_t s) { write_own(p, context, 0, s); });
        }
    }
};

FUSE_END_NAMESPACE
