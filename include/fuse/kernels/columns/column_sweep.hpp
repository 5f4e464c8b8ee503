// SPDX-License-Identifier: Apache-2.0
//
// Sweeps of a tile of columns: a tile is dim_x * V neighbouring columns at one index along the other kept axes; the
// dim_y threads of a column share the walked axes.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/body/stretched.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/kernels/columns/column_constants.hpp"
#include "fuse/kernels/columns/column_context.hpp"
#include "fuse/kernels/columns/column_lanes.hpp"
#include "fuse/kernels/columns/column_views.hpp"
#include "fuse/plan/column_packing.hpp"
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

/// How many of V columns that lie `pitch` apart come before `left`. Those of a lone thread are neighbours.
template <int V, class B>
FUSE_HD int columns_before(index_t left, unsigned pitch) {
    if constexpr (lone_thread<B>) {
        return left < V ? static_cast<int>(left) : V;
    } else {
        int count = 0;
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            count += v * static_cast<index_t>(pitch) < left ? 1 : 0;
        }
        return count;
    }
}

/// The first of a thread's columns, how far apart they are along x and along the other kept axes, and how many there are. x and
/// kept are a valid position in any case.
struct ColumnPlace {
    index_t kept;
    index_t x;
    unsigned pitch;
    index_t step;
    int left;
};

/// Of a thread of a tile that has the columns of several indices along the other kept axes.
template <int V, class P, class B>
FUSE_HD ColumnPlace packed_column_place(B& block, const Params<P>& p, index_t tile) {
    const PackedColumns packed(p.packing, p.x_size, p.kept_size, V);
    const auto place = static_cast<std::uint64_t>(tile * block.dim_x() + block.thread_x());
    const auto columns = static_cast<std::uint64_t>(packed.columns);
    const bool narrow = (place | columns) >> 32U == 0;
    const auto group = static_cast<index_t>(
        narrow ? static_cast<std::uint32_t>(place) / static_cast<std::uint32_t>(columns) : place / columns);
    if (group >= packed.groups) {
        return {0, 0, 1, 0, 0};
    }
    int left = packed.width;
    if (packed.step > 0) {
        left = 0;
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            left += group + v * packed.step < p.kept_size ? 1 : 0;
        }
    }
    return {group, (static_cast<index_t>(place) - group * packed.columns) * packed.width, packed.step > 0 ? 0U : 1U,
            packed.step, left};
}

template <int V, class P, class B>
FUSE_HD ColumnPlace column_place(B& block, const Params<P>& p, index_t tile) {
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
    return {kept, inside ? x : first, pitch, 0, columns_before<V, B>(p.x_size - x, pitch)};
}

template <int V, class B, class P>
FUSE_HD ColumnState<P, V> column_state_at(const Params<P>& p, const ColumnPlace& place) {
    return ColumnState<P, V>(p, place.kept, place.x, place.pitch, place.left, !lone_thread<B>, place.step);
}
/// Tile number t of a launch: which columns, and their index along the other kept axes.
template <class P, int V, class B>
FUSE_HD ColumnState<P, V> column_state(B& block, const Params<P>& p, index_t tile) {
    return column_state_at<V, B>(p, !lone_thread<B> && p.packing != ColumnPacking::none
                                        ? packed_column_place<V>(block, p, tile)
                                        : column_place<V>(block, p, tile));
}

template <class P, int V, class B>
FUSE_HD index_t column_tiles(B& block, const Params<P>& p) {
    if constexpr (!lone_thread<B>) {
        if (p.packing != ColumnPacking::none) {
            return PackedColumns(p.packing, p.x_size, p.kept_size, V).tiles(block.dim_x());
        }
    }
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
    // A loop of runs around that of a run: what is not of the run may leave the registers.
    constexpr bool one_run = L == FoldLength::bounded && !Product<Ph>::closes_runs;
    std::conditional_t<L == FoldLength::bounded, PlainFold<Accumulators>, LongFold<Accumulators, B>> runs;
    auto run = Accumulators{}.init();
    const auto close_run = [&]() FUSE_INLINE_LAMBDA {
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            run.item[v] = product.closed(run.item[v]);
        }
        runs.push(run);
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            run.item[v] = product.behind(run.item[v]);
        }
    };
    const auto take = [&]<int Rows>(std::integral_constant<int, Rows>, const ColumnItems<P, V>* items, index_t at)
                          FUSE_INLINE_LAMBDA {
                              for_items<V>(state.evaluated, [&](int v) FUSE_INLINE_LAMBDA {
                                  const auto with = [&](int j, auto&& to) FUSE_INLINE_LAMBDA {
                                      to(ColumnContext<P, V>{p, state, items[j], results}, at + j * span.step);
                                  };
                                  product.template take_run<Rows>(run.item[v], with, v, at == span.first);
                              });
                              product.count_alike(run.item);
                          };
    index_t s = span.first;
    const index_t whole = span.end - (N - 1) * span.step;
    while (s < whole) {
        index_t end = whole;
        if constexpr (!one_run) {
            const index_t rows = Product<Ph>::closes_runs && s == span.first ? index_t{N} : longest_run;
            end = s + rows * span.step < whole ? s + rows * span.step : whole;
        }
        for (; s < end; s += N * span.step) {
            ColumnItems<P, V> items[N];
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                load_column<Set, Whole, P, V>(items[j], p, state, s + j * span.step);
            }
            take(std::integral_constant<int, N>{}, items, s);
        }
        if constexpr (!one_run) {
            close_run();
        }
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
                take(std::integral_constant<int, 1>{}, items + j, s);
                s += span.step;
            }
        }
    }
    FUSE_NO_UNROLL
    for (; s < span.end; s += span.step) {
        ColumnItems<P, V> items;
        load_column<Set, Whole, P, V>(items, p, state, s);
        take(std::integral_constant<int, 1>{}, &items, s);
    }
    if constexpr (one_run) {
        return run;
    } else {
        close_run();
        return runs.total();
    }
}

/// Rows of columns that a host thread folds at a time.
inline constexpr int column_rows = 4;

/// The same for a host thread, with the calls in Fresh and Known computed (body/row_calls.hpp).
template <class Ph, leaf_set Set, class Fresh, class Known, class P, int V, class Calls>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_column_lanes(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                  const Span& span, Calls& calls) {
    using Views = ColumnViews<P, V>;
    const ColumnConstants<P, V, typename phase_constants<P, V, Ph>::type> constants(p, state, results);
    ColumnFolds<Ph, V> folds;
    const auto take = [&]<int... K>(index_t s, std::integer_sequence<int, K...>) FUSE_INLINE_LAMBDA {
        Views items[sizeof...(K)];
        (view_column<Set, P, V>(items[K], p, state, s + K), ...);
        const auto context = [&](int k) FUSE_INLINE_LAMBDA {
            return calls.template with<Fresh, Known>(
                constants.in(ColumnContext<P, V, Views>{p, state, items[k], results}), (s + k) * V, state.evaluated);
        };
        const decltype(context(0)) contexts[] = {context(K)...};
        folds.take(contexts, s, state.evaluated);
    };
    // Values of calls that are not kept for the whole column lie in one place.
    constexpr int rows = Fresh::size + Known::size > 0 ? 1 : column_rows;
    index_t s = span.first;
    for (; s + rows <= span.end; s += rows) {
        take(s, std::make_integer_sequence<int, rows>{});
    }
    for (; s < span.end; ++s) {
        take(s, std::make_integer_sequence<int, 1>{});
    }
    return folds.total();
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

/// The same where nothing is stretched.
template <class Ph, leaf_set Set, int N, FoldLength L, class P, int V, class B>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_plain_column(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                  const Span& span) {
    return whole_vectors<Set>(p, state) ? fold_whole_column<Ph, Set, N, L, true, P, V, B>(p, state, results, span)
                                        : fold_whole_column<Ph, Set, N, L, false, P, V, B>(p, state, results, span);
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
    return fold_plain_column<Ph, Set, N, L, P, V, B>(p, state, results, span);
}

/// The same of phase number I, by a host thread. Stretches: operands may be stretched.
template <int I, bool Stretches, class P, int V, class B, class Calls>
FUSE_HD auto fold_host_column(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                              const Span& span, Calls& calls) {
    using Ph = at_t<typename P::phases, I>;
    constexpr leaf_set set = leaf_sets<P>::template phase<I>;
    if constexpr (Stretches) {
        if (stretched(p)) {
            return fold_column_stretched<Ph, first_result<P, I>, set, P, V, B>(p, state, results, span);
        }
    }
    using In = calls_in<P, I>;
    return fold_in_pieces<ItemFolds<Product<Ph>, V>>(span, longest_run, [&](const Span& part) FUSE_INLINE_LAMBDA {
        return fold_column_lanes<Ph, set, typename In::fresh, typename In::again, P, V>(p, state, results, part, calls);
    });
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

/// Writes what is made of the totals of the only phase: by the threads of a row, each its columns of the tile.
template <class P, int V, class B>
FUSE_HD void write_column_totals(B& block, const Params<P>& p, const ColumnState<P, V>& state,
                                 const typename ItemFolds<Product<at_t<typename P::phases, 0>>, V>::accumulator& total,
                                 index_t tile) {
    ColumnResults<P, V> results{};
    project_columns<0, at_t<typename P::phases, 0>, P, V>(total, p, results);
    const ColumnItems<P, V> none{};
    const ColumnContext<P, V> context{p, state, none, results};
    write_column<kir::Extent::kept, V>(p, context, 0);
    if (block.thread_x() == 0) {
        write_once(p, context, share_of_row(tile, column_tiles<P, V>(block, p), 0, 1));
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
