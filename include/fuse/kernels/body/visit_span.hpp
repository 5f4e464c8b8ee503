// SPDX-License-Identifier: Apache-2.0
//
// The share of a thread in a row that it writes, vector by vector, as sweep.hpp folds it.
#pragma once

#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/body/row_views.hpp"
#include "fuse/kernels/body/span.hpp"

FUSE_BEGIN_NAMESPACE

/// Calls visit(context, s, left) for every vector of a span, with the leaves in Set loaded. Where N whole vectors are
/// left, `left` is the constant V: no item has a branch of its own, and the compiler interleaves them. The end of a span
/// goes vector by vector.
template <leaf_set Set, int N, class P, int V, class Visit, class Paths = detail::LaidPaths<>>
FUSE_HD void visit_span(const Params<P>& p, const RowState<P>& row, const results_t<P>& results, const Span& span,
                        Visit&& visit, const Paths& paths = {}) {
    index_t s = span.first;
    for (; Paths::whole_vectors ? s < span.end : s + (N - 1) * span.step + V <= span.end; s += N * span.step) {
        RowItems<P, V> items[N];
        // Behind the last vector of the span: the first once more.
        const auto inside = [&](int j) FUSE_INLINE_LAMBDA {
            return j == 0 || !Paths::whole_vectors || s + j * span.step < span.end;
        };
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            load_along<Set, P, V>(paths, items[j], p, row, inside(j) ? s + j * span.step : s);
        }
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (inside(j)) {
                visit(RowContext<P, V>{p, row, items[j], results}, s + j * span.step, V);
            }
        }
    }
    if constexpr (!Paths::whole_vectors) {
        FUSE_NO_UNROLL
        for (; s < span.end; s += span.step) {
            RowItems<P, V> items;
            load_items<Set, P, V>(items, p, row, s, span.end - s);
            visit(RowContext<P, V>{p, row, items, results}, s, span.end - s);
        }
    }
}

/// The same from the last vector of the span to the first: what a sweep has read last is still in the cache.
template <leaf_set Set, int N, class P, int V, class Visit, class Paths = detail::LaidPaths<>>
FUSE_HD void visit_backwards(const Params<P>& p, const RowState<P>& row, const results_t<P>& results, const Span& span,
                             Visit&& visit, const Paths& paths = {}) {
    const index_t behind = span.end - 1 - span.first;
    // Most often 32 bits are enough, and those are divided without a call.
    const index_t steps =
        behind < narrow_end
            ? static_cast<index_t>(static_cast<std::uint32_t>(behind) / static_cast<std::uint32_t>(span.step))
            : behind / span.step;
    index_t left = behind < 0 ? 0 : steps + 1;
    index_t s = span.first + steps * span.step;
    if constexpr (!Paths::whole_vectors) {
        if (left > 0 && s + V > span.end) {
            RowItems<P, V> items;
            load_items<Set, P, V>(items, p, row, s, span.end - s);
            visit(RowContext<P, V>{p, row, items, results}, s, span.end - s);
            s -= span.step;
            --left;
        }
    }
    for (; left > 0; left -= N, s -= N * span.step) {
        RowItems<P, V> items[N];
        // Before the first vector of the span: the last once more.
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            load_along<Set, P, V>(paths, items[j], p, row, j < left ? s - j * span.step : s);
        }
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (j < left) {
                visit(RowContext<P, V>{p, row, items[j], results}, s - j * span.step, V);
            }
        }
    }
}

/// The same by a host thread, chunk by chunk, W elements at the most: visit(context, s, left), which writes.
template <leaf_set Set, int W, class P, class Visit>
FUSE_HD void visit_chunks(const Params<P>& p, const RowState<P>& row, const results_t<P>& results, const Span& span,
                          Visit&& visit) {
    index_t left = 0;
    for (index_t s = span.first; s < span.end; s += left) {
        left = viewable<Set>(p, s, span.end - s < W ? span.end - s : W);
        RowViews<P, chunk_items> items;
        view_items<Set, P, chunk_items, (leaf_sets<P>::item_writers > 1)>(items, p, row, s, left);
        visit(ChunkContext<P>{p, row, items, results}, s, left);
    }
}

FUSE_END_NAMESPACE
