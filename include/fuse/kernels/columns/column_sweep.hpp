// SPDX-License-Identifier: Apache-2.0
//
// Sweeps of a tile of columns: a tile is dim_x * V neighbouring columns at one index along the other kept axes; the
// dim_y threads of a column share the walked axes.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/lane_items.hpp"
#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/body/stretched.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/kernels/columns/column_context.hpp"
#include "fuse/kernels/columns/column_views.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether what columns are made of lies as vectors in memory, or is the same in all columns.
template <class P>
FUSE_HD bool columns_as_vectors(const Params<P>& p) {
    bool all = true;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (kir::is_memory<L> && L::kept && L::walked) {
            all = all && (get<I>(p.leaves).vector || get<I>(p.leaves).x == 0);
        }
    });
    return all;
}

/// How many of V columns that lie `pitch` apart come before `left`.
template <int V>
FUSE_HD int columns_before(index_t left, unsigned pitch) {
    int count = 0;
    FUSE_UNROLL
    for (int v = 0; v < V; ++v) {
        count += v * static_cast<index_t>(pitch) < left ? 1 : 0;
    }
    return count;
}

/// Tile number t of a launch: which columns, and their index along the other kept axes.
template <class P, int V, class B>
FUSE_HD ColumnState<P, V> column_state(B& block, const Params<P>& p, index_t tile) {
    const index_t width = static_cast<index_t>(block.dim_x()) * V;
    index_t kept = 0;
    index_t first = tile * width;
    if (p.kept_size > 1) {
        const index_t tiles = (p.x_size + width - 1) / width;
        kept = tile / tiles;
        first -= kept * tiles * width;
    }
    const bool neighbours = columns_as_vectors(p);
    const unsigned pitch = neighbours ? 1 : block.dim_x();
    const index_t x = first + block.thread_x() * (neighbours ? V : 1);
    const bool inside = x < p.x_size;
    return ColumnState<P, V>(p, kept, inside ? x : 0, pitch, columns_before<V>(p.x_size - x, pitch), !lone_thread<B>);
}

template <class P, int V, class B>
FUSE_HD index_t column_tiles(B& block, const Params<P>& p) {
    const index_t width = static_cast<index_t>(block.dim_x()) * V;
    return (p.x_size + width - 1) / width * p.kept_size;
}

/// Folds phase Ph over the elements s of a span; a thread has several loads in flight.
template <class Ph, leaf_set Set, int N, FoldLength L, bool Whole, class P, int V, class B>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_whole_column(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                  const Span& span) {
    using Accumulators = ItemFolds<Product<Ph>, V>;
    const Product<Ph> product;
    constexpr int turns = turns_of_run<L, N>;
    SweepFold<Accumulators, LongFold<Accumulators, B>, turns> sweep;
    const auto total = [](const typename Accumulators::accumulator& a) FUSE_INLINE_LAMBDA { return a; };
    index_t s = span.first;
    for (; s + (N - 1) * span.step < span.end; s += N * span.step) {
        ColumnItems<P, V> items[N];
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            load_column<Set, Whole, P, V>(items[j], p, state, s + j * span.step);
        }
        for_items<V>(state.evaluated, [&](int v) FUSE_INLINE_LAMBDA {
            auto run = product.leaf(ColumnContext<P, V>{p, state, items[0], results}, v, s);
            FUSE_UNROLL
            for (int j = 1; j < N; ++j) {
                product.accumulate(run, ColumnContext<P, V>{p, state, items[j], results}, v, s + j * span.step);
            }
            sweep.items.item[v] = product.combine(sweep.items.item[v], run);
        });
        sweep.end_turn(total);
    }
    // Up to N - 1 elements are left. Of a short share they are loaded together as well: one by one, each would wait for the
    // memory.
    if constexpr (Whole && N > 1 && L == FoldLength::bounded) {
        ColumnItems<P, V> items[N - 1] = {};
        FUSE_UNROLL
        for (int j = 0; j < N - 1; ++j) {
            if (s + j * span.step < span.end) {
                load_column<Set, true, P, V>(items[j], p, state, s + j * span.step);
            }
        }
        FUSE_UNROLL
        for (int j = 0; j < N - 1; ++j) {
            if (s < span.end) {
                const ColumnContext<P, V> context{p, state, items[j], results};
                for_items<V>(state.evaluated,
                             [&](int v) FUSE_INLINE_LAMBDA { product.accumulate(sweep.items.item[v], context, v, s); });
                s += span.step;
            }
        }
    }
    FUSE_NO_UNROLL
    for (; s < span.end; s += span.step) {
        ColumnItems<P, V> items;
        load_column<Set, Whole, P, V>(items, p, state, s);
        const ColumnContext<P, V> context{p, state, items, results};
        for_items<V>(state.evaluated,
                     [&](int v) FUSE_INLINE_LAMBDA { product.accumulate(sweep.items.item[v], context, v, s); });
    }
    return sweep.total(total);
}

/// The same for a host thread.
template <class Ph, leaf_set Set, class P, int V>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_column_lanes(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                  const Span& span) {
    const LaneItems<Ph, V, VectorAlong::columns> folds;
    auto lanes = folds.init();
    for (index_t s = span.first; s < span.end; s += span.step) {
        ColumnViews<P, V> items;
        view_column<Set, P, V>(items, p, state, s);
        folds.take_some(lanes, ColumnContext<P, V, ColumnViews<P, V>>{p, state, items, results}, s, state.evaluated);
    }
    return folds.items(lanes);
}

/// The same in a launch with stretched operands.
template <class Ph, int First, leaf_set Set, class P, int V, class B>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_column_stretched(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                      const Span& span) {
    LongFold<ItemFolds<Product<Ph>, V>, B> fold;
    for (index_t s = span.first; s < span.end; s += span.step) {
        ColumnItems<P, V> items;
        load_column<Set, false, P, V>(items, p, state, s);
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
    if constexpr (lone_thread<B>) {
        return fold_in_pieces<ItemFolds<Product<Ph>, V>>(span, longest_run, [&](const Span& part) FUSE_INLINE_LAMBDA {
            return fold_column_lanes<Ph, Set, P, V>(p, state, results, part);
        });
    } else {
        return whole_vectors<Set>(p, state) ? fold_whole_column<Ph, Set, N, L, true, P, V, B>(p, state, results, span)
                                            : fold_whole_column<Ph, Set, N, L, false, P, V, B>(p, state, results, span);
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
