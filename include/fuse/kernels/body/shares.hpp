// SPDX-License-Identifier: Apache-2.0
//
// The share of a row that one of several blocks folds.
#pragma once

#include "fuse/kernels/body/epilogue.hpp"
#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/body/sweep.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The elements of one thread when `group` blocks share a row. On the device the blocks' tiles interleave, so that the
/// grid reads one moving window of memory; a host thread, and an op that does not commute, takes a contiguous piece
/// (group * share cover the row).
template <int V, bool Ordered, class B, class P>
FUSE_HD Span share_of(B& block, const Params<P>& p, index_t member) {
    const index_t threads = block_threads(block);
    if constexpr (lone_thread<B> || Ordered) {
        const index_t begin = member * p.share < p.walked_size ? member * p.share : p.walked_size;
        const index_t end = begin + p.share < p.walked_size ? begin + p.share : p.walked_size;
        return thread_span<V, Ordered>(begin, end, linear_thread(block), threads);
    } else {
        return {(member * threads + linear_thread(block)) * V, p.group * threads * V, p.walked_size};
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

FUSE_END_NAMESPACE
