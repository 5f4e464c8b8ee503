// SPDX-License-Identifier: Apache-2.0
//
// A tile of columns that several blocks share: which elements are whose, and the fold of what the blocks have.
#pragma once

#include "fuse/kernels/columns/column_sweep.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The elements of a column that are this thread's, in block number `member` of `members` that share it. The blocks of a tile
/// go through it together, so that what they read at a time lies together; where order matters each has a piece of its own.
template <class P, class B>
FUSE_HD Span column_share(B& block, const Params<P>& p, index_t member, index_t members) {
    if constexpr (ordered_program<P>) {
        const index_t begin = member * p.share;
        const index_t end = begin + p.share < p.walked_size ? begin + p.share : p.walked_size;
        return thread_span<1, true>(begin, end, block.thread_y(), block.dim_y());
    } else {
        const index_t threads = members * block.dim_y();
        return thread_span<1, false>(0, p.walked_size, member * block.dim_y() + block.thread_y(), threads);
    }
}

/// The fold of the partial results of `group` blocks, in their order: V accumulators each, `step` apart from `own` on.
template <class Folds, class Mode, class B>
FUSE_HD typename Folds::accumulator fold_members(B& block, const typename Folds::accumulator* own, index_t group,
                                                 index_t step, Mode mode) {
    using accumulator = typename Folds::accumulator;
    const Span members = thread_span<1, true>(0, group, block.thread_y(), block.dim_y());
    accumulator total = Folds{}.init();
    constexpr int batch = 4;  // loads in flight: others wait
    index_t m = members.first;
    for (; m + batch <= members.end; m += batch) {
        accumulator part[batch];
        FUSE_UNROLL
        for (int i = 0; i < batch; ++i) {
            part[i] = own[(m + i) * step];
        }
        FUSE_UNROLL
        for (int i = 0; i < batch; ++i) {
            total = Folds{}.combine(total, part[i]);
        }
    }
    for (; m < members.end; ++m) {
        total = Folds{}.combine(total, own[m * step]);
    }
    return BlockYReduce(block, total, Folds{}, mode);
}

}  // namespace detail

FUSE_END_NAMESPACE
