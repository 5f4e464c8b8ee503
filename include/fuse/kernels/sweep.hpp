// SPDX-License-Identifier: Apache-2.0
//
// Sweeps of a row that is not kept on chip: a thread visits vectors `step` apart in [first, end), N at a time so that
// N loads per leaf are in flight, and folds them or writes outputs.
#pragma once

#include "fuse/kernels/contexts.hpp"
#include "fuse/kernels/pairwise.hpp"

FUSE_BEGIN_NAMESPACE

struct Span {
    index_t first;
    index_t step;
    index_t end;
};

/// The vectors of thread t of n in [begin, end): interleaved, so that neighbours read neighbouring memory; or one
/// contiguous piece each, which keeps the order of elements for an op that does not commute (V = 1 there).
template <int V, bool Ordered>
FUSE_HD Span thread_span(index_t begin, index_t end, index_t t, index_t n) {
    if constexpr (Ordered) {
        const index_t piece = (end - begin + n - 1) / n;
        const index_t first = begin + t * piece;
        return {first, 1, first + piece < end ? first + piece : end};
    } else {
        return {begin + t * V, n * V, end};
    }
}

namespace detail {

/// Folds the reductions of phase Ph over a span into `lanes`.
template <class Ph, leaf_set Set, int N, class P, int V>
FUSE_HD void fold_into(typename Lanes<Product<Ph>, V>::accumulator& lanes, const Params<P>& p, const RowState<P>& row,
                       const results_t<P>& results, const Span& span) {
    const Product<Ph> product;
    const auto take = [&](const RowItems<P, V>& items, index_t s, index_t left) FUSE_INLINE_LAMBDA {
        const RowContext<P, V> context{p, row, items, results};
        for_lanes<V>(left, [&](int v) FUSE_INLINE_LAMBDA {
            product.accumulate(lanes.lane[v], context, v, s + v);
        });
    };
    index_t s = span.first;
    for (; s + (N - 1) * span.step + V <= span.end; s += N * span.step) {
        RowItems<P, V> items[N];
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            load_whole<Set, false, P, V>(items[j], p, row, s + j * span.step);
        }
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            take(items[j], s + j * span.step, V);
        }
    }
    // Up to N - 1 whole vectors are left, loaded together as well: one by one, each would wait for the memory.
    if constexpr (N > 1) {
        RowItems<P, V> items[N - 1] = {};
        FUSE_UNROLL
        for (int j = 0; j < N - 1; ++j) {
            if (s + j * span.step + V <= span.end) {
                load_whole<Set, false, P, V>(items[j], p, row, s + j * span.step);
            }
        }
        FUSE_UNROLL
        for (int j = 0; j < N - 1; ++j) {
            if (s + V <= span.end) {
                take(items[j], s, V);
                s += span.step;
            }
        }
    }
    if (s < span.end) {
        RowItems<P, V> items;
        load_items<Set, P, V>(items, p, row, s, span.end - s);
        take(items, s, span.end - s);
    }
}

}  // namespace detail

/// The reductions of phase Ph over a span. A host thread (one per block) combines pieces pairwise.
template <class Ph, leaf_set Set, int N, class P, int V, class B>
FUSE_HD typename Product<Ph>::accumulator fold_span(B&, const Params<P>& p, const RowState<P>& row,
                                                    const results_t<P>& results, const Span& span) {
    using Accumulators = Lanes<Product<Ph>, V>;
    if constexpr (B::warp_size == 1) {
        if (span.end - span.first > pairwise_items) {
            PairwiseFold<Product<Ph>> fold;
            for (index_t first = span.first; first < span.end; first += pairwise_items) {
                const index_t end = first + pairwise_items < span.end ? first + pairwise_items : span.end;
                typename Accumulators::accumulator lanes = Accumulators{}.init();
                detail::fold_into<Ph, Set, N, P, V>(lanes, p, row, results, Span{first, span.step, end});
                fold.push(Accumulators::fold(lanes));
            }
            return fold.total();
        }
    }
    typename Accumulators::accumulator lanes = Accumulators{}.init();
    detail::fold_into<Ph, Set, N, P, V>(lanes, p, row, results, span);
    return Accumulators::fold(lanes);
}

/// Calls visit(context, s, left) for every vector of a span, with the leaves in Set loaded.
template <leaf_set Set, int N, class P, int V, class Visit>
FUSE_HD void visit_span(const Params<P>& p, const RowState<P>& row, const results_t<P>& results, const Span& span,
                        Visit&& visit) {
    for (index_t s = span.first; s < span.end; s += N * span.step) {
        RowItems<P, V> items[N];
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            load_items<Set, P, V>(items[j], p, row, s + j * span.step, span.end - s - j * span.step);
        }
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            visit(RowContext<P, V>{p, row, items[j], results}, s + j * span.step, span.end - s - j * span.step);
        }
    }
}

FUSE_END_NAMESPACE
