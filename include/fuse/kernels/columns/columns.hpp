// SPDX-License-Identifier: Apache-2.0
//
// The columns family: the innermost axes are kept, axes outside them are reduced. A tile is dim_x * V neighbouring
// columns at one outer index; the dim_y threads of a column share the reduced axes. Several phases read the column
// again, or keep it in registers when N elements per thread cover it (Resident).
// ColumnSplitKernel: few tiles and one phase: `group` blocks share a tile, the last of them finishes.
#pragma once

#include "fuse/kernels/columns/column_context.hpp"
#include "fuse/kernels/rows/rows.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Tile number t of a launch: which outer index, which columns.
template <class P, int V, class B>
FUSE_HD ColumnState<P, V> column_state(B& block, const Params<P>& p, index_t tile) {
    const index_t width = static_cast<index_t>(block.dim_x()) * V;
    const index_t tiles = (p.x_size + width - 1) / width;
    const index_t outer = tile / tiles;
    const index_t x = (tile - outer * tiles) * width + block.thread_x() * V;
    const bool inside = x < p.x_size;
    return ColumnState<P, V>(p, outer, inside ? x : 0, inside ? p.x_size - x : 0);
}

template <class P, int V, class B>
FUSE_HD index_t column_tiles(B& block, const Params<P>& p) {
    const index_t width = static_cast<index_t>(block.dim_x()) * V;
    return (p.x_size + width - 1) / width * p.outer_size;
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
    if constexpr (B::warp_size == 1) {
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
        Product<Ph>{}.template project<First>(total.item[v], p, p.seq_size, one);
        static_for<Ph::size>([&]<int J>()
                                 FUSE_INLINE_LAMBDA { get<First + J>(results).item[v] = get<First + J>(one); });
    }
}

}  // namespace detail

template <class P, int V, int N, Hold H>
struct ColumnsKernel {
    using program = P;
    static constexpr int vector = V;
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = H == Hold::resident ? 1 : 2;
    using sets = leaf_sets<P>;
    static constexpr int stages = 1;
    static constexpr Link link = Link::none;
    static constexpr int phases = P::phases::size;
    static constexpr leaf_set cached = sets::shared | (sets::template phase<0> & sets::reduced);

    struct Cache {
        ColumnItems<P, V> items[H == Hold::resident ? N : 1];
    };

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t tiles = detail::column_tiles<P, V>(block, p);
        for (index_t tile = block.block_x(); tile < tiles; tile += block.grid_x()) {
            one_tile(block, p, tile);
        }
    }

private:
    template <class B>
    static FUSE_HD void one_tile(B& block, const Params<P>& p, index_t tile) {
        const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
        const Span span = thread_span<1, ordered_program<P>>(0, p.seq_size, block.thread_y(), block.dim_y());
        ColumnResults<P, V> results{};
        Cache cache;
        if constexpr (H == Hold::resident) {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                if (span.first + j * span.step < span.end) {
                    load_column<cached, P, V>(cache.items[j], p, state, span.first + j * span.step);
                }
            }
        }
        static_for<phases>([&]<int I>() FUSE_INLINE_LAMBDA { phase<I>(block, p, state, span, cache, results); });

        if constexpr (sets::writes_items) {
            auto write = [&](ColumnItems<P, V>& items, index_t s) FUSE_INLINE_LAMBDA {
                load_column<sets::items & ~(H == Hold::resident ? cached : 0), P, V>(items, p, state, s);
                write_column<kir::Extent::item, V>(p, ColumnContext<P, V>{p, state, items, results}, s);
            };
            if constexpr (H == Hold::resident) {
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    if (span.first + j * span.step < span.end) {
                        write(cache.items[j], span.first + j * span.step);
                    }
                }
            } else {
                for (index_t s = span.first; s < span.end; s += span.step) {
                    write(cache.items[0], s);
                }
            }
        }
        if (block.thread_y() == 0) {
            const ColumnContext<P, V> context{p, state, cache.items[0], results};
            write_column<kir::Extent::outer, V>(p, context, 0);
            if (block.thread_x() == 0) {
                write_once(p, context, share_of_row(tile, detail::column_tiles<P, V>(block, p), 0, 1));
            }
        }
    }

    template <int I, class B>
    static FUSE_HD void phase(B& block, const Params<P>& p, const ColumnState<P, V>& state, const Span& span,
                              Cache& cache, ColumnResults<P, V>& results) {
        using Ph = at_t<typename P::phases, I>;
        using Accumulators = ItemFolds<Product<Ph>, V>;
        typename Accumulators::accumulator parts = Accumulators{}.init();
        if constexpr (H == Hold::resident) {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                const index_t s = span.first + j * span.step;
                if (s < span.end) {
                    ColumnItems<P, V> items = cache.items[j];
                    load_column<sets::template phase<I> & ~cached, P, V>(items, p, state, s);
                    const ColumnContext<P, V> context{p, state, items, results};
                    for_items<V>(state.left, [&](int v) FUSE_INLINE_LAMBDA {
                        Product<Ph>{}.accumulate(parts.item[v], context, v, s);
                    });
                }
            }
        } else {
            parts = detail::fold_column<Ph, first_result<P, I>, sets::template phase<I>, N, FoldLength::any, P, V>(
                block, p, state, results, span);
        }
        const auto total = BlockYReduce(block, parts, Accumulators{});
        detail::project_columns<first_result<P, I>, Ph, P, V>(total, p, results);
    }
};

template <class P, int V, int N>
struct ColumnSplitKernel {
    using program = P;
    static constexpr int vector = V;
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 2;
    using phase = at_t<typename P::phases, 0>;
    using Accumulators = ItemFolds<Product<phase>, V>;
    using accumulator = typename Accumulators::accumulator;
    static constexpr int stages = 2;
    static constexpr Link link = Link::last_block;
    static constexpr bool lone_block_finishes = false;

    /// Partials are stored per block and thread x, V accumulators each.
    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t tile = block.block_x() / p.group;
        const index_t member = block.block_x() % p.group;
        const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
        auto* partials = static_cast<accumulator*>(p.partials);
        ColumnResults<P, V> results{};
        if constexpr (Stage == 0) {
            const index_t begin = member * p.chunk;
            const index_t end = begin + p.chunk < p.seq_size ? begin + p.chunk : p.seq_size;
            const Span span = thread_span<1, ordered_program<P>>(begin, end, block.thread_y(), block.dim_y());
            accumulator parts =
                detail::fold_column<phase, 0, leaf_sets<P>::template phase<0>, N, FoldLength::bounded, P, V>(
                    block, p, state, results, span);
            parts = BlockYReduce(block, parts, Accumulators{}, OneThread{});
            if (block.thread_y() == 0) {
                partials[static_cast<index_t>(block.block_x()) * block.dim_x() + block.thread_x()] = parts;
            }
        } else {
            const Span members = thread_span<1, true>(0, p.group, block.thread_y(), block.dim_y());
            accumulator total = Accumulators{}.init();
            const accumulator* own = partials + tile * p.group * block.dim_x() + block.thread_x();
            constexpr int batch = 4;  // loads in flight: the last block is alone on the device
            index_t m = members.first;
            for (; m + batch <= members.end; m += batch) {
                accumulator part[batch];
                FUSE_UNROLL
                for (int i = 0; i < batch; ++i) {
                    part[i] = own[(m + i) * block.dim_x()];
                }
                FUSE_UNROLL
                for (int i = 0; i < batch; ++i) {
                    total = Accumulators{}.combine(total, part[i]);
                }
            }
            for (; m < members.end; ++m) {
                total = Accumulators{}.combine(total, own[m * block.dim_x()]);
            }
            total = BlockYReduce(block, total, Accumulators{}, OneThread{});
            if (block.thread_y() == 0) {
                detail::project_columns<0, phase, P, V>(total, p, results);
                const ColumnItems<P, V> none{};
                const ColumnContext<P, V> context{p, state, none, results};
                write_column<kir::Extent::outer, V>(p, context, 0);
                if (block.thread_x() == 0) {
                    write_once(p, context, Share{tile, 1, 0, 1});
                }
            }
        }
    }
};

FUSE_END_NAMESPACE
