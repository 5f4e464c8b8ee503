// SPDX-License-Identifier: Apache-2.0
//
// Sweeps of a row that is not kept on chip: a thread visits vectors `step` apart in [first, end), N at a time so that
// N loads per leaf are in flight, and folds them or writes outputs.
#pragma once

#include "fuse/kernels/long_fold.hpp"
#include "fuse/kernels/stretched.hpp"

FUSE_BEGIN_NAMESPACE

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

/// The reductions of phase Ph, numbered from First, over a span, in pieces of bounded length.
template <class Ph, int First, leaf_set Set, int N, class P, int V, class B>
FUSE_HD typename Product<Ph>::accumulator fold_span(B&, const Params<P>& p, const RowState<P>& row,
                                                    const results_t<P>& results, const Span& span) {
    using Accumulators = Lanes<Product<Ph>, V>;
    if constexpr (P::stretches) {
        if (stretched(p)) {
            LongFold<Product<Ph>, B> fold;
            visit_own<Set, V>(p, row, results, span, [&](const RowContext<P, 1>& context, index_t s) {
                auto part = Product<Ph>{}.init();
                fold_phase_own<Ph, First>(part, p, context, s);
                fold.push(part);
            });
            return fold.total();
        }
    }
    const index_t piece = longest_run * span.step;
    LongFold<Product<Ph>, B> fold;
    for (index_t first = span.first;; first += piece) {
        const bool last = first + piece >= span.end;
        typename Accumulators::accumulator lanes = Accumulators{}.init();
        detail::fold_into<Ph, Set, N, P, V>(lanes, p, row, results, Span{first, span.step, last ? span.end : first + piece});
        const auto part = Accumulators::fold(lanes);
        if (last && first == span.first) {
            return part;
        }
        fold.push(part);
        if (last) {
            return fold.total();
        }
    }
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
