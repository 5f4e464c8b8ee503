// SPDX-License-Identifier: Apache-2.0
//
// Sweeps of a tile of columns: a tile is dim_x * V neighbouring columns at one index along the other kept axes; the
// dim_y threads of a column share the walked axes.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/body/stretched.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/kernels/columns/column_context.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Tile number t of a launch: which columns, and their index along the other kept axes.
template <class P, int V, class B>
FUSE_HD ColumnState<P, V> column_state(B& block, const Params<P>& p, index_t tile) {
    const index_t width = static_cast<index_t>(block.dim_x()) * V;
    const index_t tiles = (p.x_size + width - 1) / width;
    const index_t kept = tile / tiles;
    const index_t x = (tile - kept * tiles) * width + block.thread_x() * V;
    const bool inside = x < p.x_size;
    return ColumnState<P, V>(p, kept, inside ? x : 0, inside ? p.x_size - x : 0);
}

template <class P, int V, class B>
FUSE_HD index_t column_tiles(B& block, const Params<P>& p) {
    const index_t width = static_cast<index_t>(block.dim_x()) * V;
    return (p.x_size + width - 1) / width * p.kept_size;
}

/// Folds phase Ph over the elements s of a span; a thread has several loads in flight.
template <class Ph, leaf_set Set, int N, FoldLength L, class P, int V, class B>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_whole_column(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                  const Span& span) {
    using Accumulators = ItemFolds<Product<Ph>, V>;
    const Product<Ph> product;
    constexpr int turns = turns_of_run<B, L, N>;
    SweepFold<Accumulators, LongFold<Accumulators, B>, turns> sweep;
    const auto whole = [](const typename Accumulators::accumulator& a) FUSE_INLINE_LAMBDA { return a; };
    index_t s = span.first;
    for (; s + (N - 1) * span.step < span.end; s += N * span.step) {
        ColumnItems<P, V> items[N];
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            load_column<Set, P, V>(items[j], p, state, s + j * span.step);
        }
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            const ColumnContext<P, V> context{p, state, items[j], results};
            for_items<V>(state.left, [&](int v) FUSE_INLINE_LAMBDA {
                product.accumulate(sweep.items.item[v], context, v, s + j * span.step);
            });
        }
        sweep.end_turn(whole);
    }
    for (; s < span.end; s += span.step) {
        ColumnItems<P, V> items;
        load_column<Set, P, V>(items, p, state, s);
        const ColumnContext<P, V> context{p, state, items, results};
        for_items<V>(state.left,
                     [&](int v) FUSE_INLINE_LAMBDA { product.accumulate(sweep.items.item[v], context, v, s); });
    }
    return sweep.total(whole);
}

/// The same in a launch with stretched operands.
template <class Ph, int First, leaf_set Set, class P, int V, class B>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_column_stretched(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                      const Span& span) {
    LongFold<ItemFolds<Product<Ph>, V>, B> fold;
    for (index_t s = span.first; s < span.end; s += span.step) {
        ColumnItems<P, V> items;
        load_column<Set, P, V>(items, p, state, s);
        const ColumnContext<P, V> context{p, state, items, results};
        auto part = ItemFolds<Product<Ph>, V>{}.init();
        for_items<V>(state.left, [&](int v) { fold_phase_own<Ph, First>(part.item[v], p, context, s, v); });
        fold.push(part);
    }
    return fold.total();
}

/// Folds phase Ph, whose reductions are numbered from First.
template <class Ph, int First, leaf_set Set, int N, FoldLength L, class P, int V, class B>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_column(B&, const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
            const Span& span) {
    if constexpr (P::stretches) {
        if (stretched(p)) {
            return fold_column_stretched<Ph, First, Set, P, V, B>(p, state, results, span);
        }
    }
    const auto fold = [&](const Span& part) FUSE_INLINE_LAMBDA {
        return fold_whole_column<Ph, Set, N, L, P, V, B>(p, state, results, part);
    };
    if constexpr (lone_thread<B>) {
        return fold_in_pieces<ItemFolds<Product<Ph>, V>>(span, longest_run / 4,
                                                         fold);  // short: a thread walks whole columns
    } else {
        return fold(span);
    }
}

template <int First, class Ph, class P, int V>
FUSE_HD void project_columns(const typename ItemFolds<Product<Ph>, V>::accumulator& total, const Params<P>& p,
                             ColumnResults<P, V>& results) {
    FUSE_UNROLL
    for (int v = 0; v < V; ++v) {
        results_t<P> one{};
        Product<Ph>{}.template project<First>(total.item[v], p, p.walked_size, one);
        static_for<Ph::size>([&]<int J>()
                                 FUSE_INLINE_LAMBDA { get<First + J>(results).item[v] = get<First + J>(one); });
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
