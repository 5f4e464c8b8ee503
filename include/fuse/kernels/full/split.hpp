// SPDX-License-Identifier: Apache-2.0
//
// Long reductions by several blocks. SplitKernel: one phase, full or few long rows; `group` blocks share a row, the
// last of them folds the partials and writes. GridKernel: full reductions with several phases or with outputs over
// everything; all blocks wait for each other between phases (cooperative launch), each folds all partials itself.
#pragma once

#include "fuse/kernels/body/epilogue.hpp"
#include "fuse/kernels/body/run.hpp"
#include "fuse/kernels/body/sweep.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The elements of one thread when `group` blocks share a row. On the device the blocks' tiles interleave, so that the
/// grid reads one moving window of memory; a host thread, and an op that does not commute, takes a contiguous piece
/// (the planner makes group * chunk cover the row).
template <int V, bool Ordered, class B, class P>
FUSE_HD Span share_of(B& block, const Params<P>& p, index_t member) {
    const index_t threads = block_threads(block);
    if constexpr (B::warp_size == 1 || Ordered) {
        const index_t begin = member * p.chunk < p.seq_size ? member * p.chunk : p.seq_size;
        const index_t end = begin + p.chunk < p.seq_size ? begin + p.chunk : p.seq_size;
        return thread_span<V, Ordered>(begin, end, linear_thread(block), threads);
    } else {
        return {(member * threads + linear_thread(block)) * V, p.group * threads * V, p.seq_size};
    }
}

/// One block's share of a row, reduced over the block; valid in thread 0.
template <class Ph, int First, leaf_set Set, int V, int N, FoldLength L, class B, class P>
FUSE_HD typename Product<Ph>::accumulator fold_share(B& block, const Params<P>& p, const RowState<P>& row,
                                                     const results_t<P>& results, index_t member) {
    const Span span = share_of<V, !Product<Ph>::commutative>(block, p, member);
    return BlockReduce(block, fold_span<Ph, First, Set, N, L, P, V>(block, p, row, results, span), Product<Ph>{},
                       OneThread{});
}

}  // namespace detail

template <class P, int V, int N>
struct SplitKernel {
    using program = P;
    static constexpr int vector = V;
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 2;
    using phase = at_t<typename P::phases, 0>;
    using reduction = Product<phase>;
    static constexpr int stages = 2;
    static constexpr Link link = Link::last_block;
    static constexpr bool lone_block_finishes = true;

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t row = block.block_x() / p.group;
        auto* partials = static_cast<typename reduction::accumulator*>(p.partials);
        const RowState<P> state(p, row);
        if constexpr (Stage == 0) {
            const results_t<P> none{};
            const auto part = detail::fold_share<phase, 0, leaf_sets<P>::template phase<0>, V, N, FoldLength::bounded>(
                block, p, state, none, block.block_x() % p.group);
            if (linear_thread(block) == 0) {
                if (p.group == 1) {
                    finish(p, state, row, part);
                } else {
                    partials[block.block_x()] = part;
                }
            }
        } else if (p.group > 1) {
            const auto total = fold_partials<reduction>(block, partials + row * p.group, p.group);
            if (linear_thread(block) == 0) {
                finish(p, state, row, total);
            }
        }
    }

private:
    static FUSE_HD void finish(const Params<P>& p, const RowState<P>& state, index_t row,
                               const typename reduction::accumulator& total) {
        results_t<P> results{};
        reduction{}.template project<0>(total, p, p.seq_size, results);
        const RowItems<P, V> none{};
        const RowContext<P, V> context{p, state, none, results};
        write_outer(p, context, row);
        write_once(p, context, Share{row, 1, 0, 1});
    }
};

template <class P, int V, int N>
struct GridKernel {
    using program = P;
    static constexpr int vector = V;
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 2;
    using sets = leaf_sets<P>;
    static constexpr int phases = P::phases::size;
    static constexpr int stages = phases + 1;
    static constexpr Link link = Link::grid_sync;

    /// Stage I folds the partials of the phases before it, then sweeps phase I, or writes the outputs.
    template <int I, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        results_t<P> results{};
        const RowState<P> state(p, 0);
        static_for<I>([&]<int J>() FUSE_INLINE_LAMBDA {
            using reduction = Product<at_t<typename P::phases, J>>;
            const auto total = fold_partials<reduction>(block, partials<J>(p), p.group);
            reduction{}.template project<first_result<P, J>>(total, p, p.seq_size, results);
        });
        if constexpr (I < phases) {
            using phase = at_t<typename P::phases, I>;
            const auto part =
                detail::fold_share<phase, first_result<P, I>, sets::template phase<I>, V, N, FoldLength::any>(
                    block, p, state, results, block.block_x());
            if (linear_thread(block) == 0) {
                partials<I>(p)[block.block_x()] = part;
            }
        } else {
            write(block, p, state, results);
        }
    }

    /// Bytes of the partials of one block, all phases.
    static constexpr std::size_t partial_bytes = []<class... Ph>(type_list<Ph...>) {
        return (std::size_t{0} + ... + ((sizeof(typename Product<Ph>::accumulator) + 15) / 16 * 16));
    }(typename P::phases{});

private:
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
            } else {
                visit_span<sets::items, (N > 2 ? 2 : N), P, V>(
                    p, state, results, span,
                    [&](const RowContext<P, V>& context, index_t s, index_t left)
                        FUSE_INLINE_LAMBDA { write_items<false, P, V>(p, context, 0, s, left); });
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
