// SPDX-License-Identifier: Apache-2.0
//
// The end of a kernel that the last block finishes: partial accumulators, one set per block, are folded in the order
// of the blocks. Used by the epilogue of the row kernels and by the split kernels.
#pragma once

#include "fuse/kernels/contexts.hpp"
#include "fuse/kernels/pairwise.hpp"
#include "fuse/primitives/block_reduce.hpp"

FUSE_BEGIN_NAMESPACE

/// Folds partials[0 .. n) in index order; every thread gets the result. Thread t takes a contiguous piece, so order
/// holds for ops that do not commute.
template <class R, class B>
FUSE_HD typename R::accumulator fold_partials(B& block, const typename R::accumulator* partials, index_t n) {
    const R reduction;
    if constexpr (B::warp_size == 1) {
        PairwiseFold<R> fold;
        for (index_t i = 0; i < n; ++i) {
            fold.push(partials[i]);
        }
        return fold.total();
    }
    const index_t threads = block_threads(block);
    const index_t piece = (n + threads - 1) / threads;
    const index_t first = linear_thread(block) * piece;
    const index_t end = first + piece < n ? first + piece : n;
    typename R::accumulator total = reduction.init();
    for (index_t i = first; i < end; ++i) {
        total = reduction.combine(total, partials[i]);
    }
    return BlockReduce(block, total, reduction);
}

/// What a thread of a row kernel gathers for the epilogue while it works through rows.
template <class P, int V, bool Any = (P::epilogue::size > 0)>
struct EpilogueAccumulator {
    using reduction = Product<typename P::epilogue>;
    typename reduction::accumulator total = reduction{}.init();

    FUSE_HD void take_items(const RowContext<P, V>& context, index_t row, index_t size, index_t s, index_t left) {
        if constexpr (P::epilogue_items) {
            for_lanes<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
                reduction{}.accumulate(total, context, v, row * size + s + v);
            });
        }
    }
    FUSE_HD void take_row(const RowContext<P, V>& context, index_t row) {
        if constexpr (!P::epilogue_items) {
            reduction{}.accumulate(total, context, 0, row);
        }
    }
    template <class B>
    FUSE_HD void store_partial(B& block, const Params<P>& p) {
        const auto sum = BlockReduce(block, total, reduction{}, OneThread{});
        if (linear_thread(block) == 0) {
            static_cast<typename reduction::accumulator*>(p.partials)[block.block_x()] = sum;
        }
    }
};

template <class P, int V>
struct EpilogueAccumulator<P, V, false> {
    FUSE_HD void take_items(const RowContext<P, V>&, index_t, index_t, index_t, index_t) {}
    FUSE_HD void take_row(const RowContext<P, V>&, index_t) {}
};

/// The last block: all partials, then the outputs that are written once.
template <int V, class B, class P>
FUSE_HD void finish_epilogue(B& block, const Params<P>& p) {
    using reduction = Product<typename P::epilogue>;
    const auto* partials = static_cast<const typename reduction::accumulator*>(p.partials);
    const auto total = fold_partials<reduction>(block, partials, p.group);
    if (linear_thread(block) == 0) {
        results_t<P> results{};
        reduction{}.template project<first_result<P, P::phases::size>>(total, p.epilogue_size, results);
        const RowState<P> state(p, 0);
        const RowItems<P, V> none{};
        write_single<kir::Extent::once>(p, RowContext<P, V>{p, state, none, results}, 0);
    }
}

FUSE_END_NAMESPACE
