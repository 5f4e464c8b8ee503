// SPDX-License-Identifier: Apache-2.0
//
// Sweeps of a tile of columns: the dim_y threads of a column share the walked axes.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/body/stretched.hpp"
#include "fuse/kernels/columns/column_constants.hpp"
#include "fuse/kernels/columns/column_context.hpp"
#include "fuse/kernels/columns/column_lanes.hpp"
#include "fuse/kernels/columns/column_place.hpp"
#include "fuse/kernels/columns/column_views.hpp"
#include "fuse/kernels/columns/column_writes.hpp"
#include "fuse/kernels/columns/unaligned_columns.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Folds phase Ph over the elements s of a span; a thread has several loads in flight. Vectors: if whole_vectors says so;
/// pieces and lines: if the launch does (plan/unaligned_columns.hpp, plan/joined_rows.hpp). Writes: and writes the outputs of
/// these elements, whose leaves are in Set.
template <class Ph, leaf_set Set, int N, FoldLength L, ColumnLoads Loads, bool Writes, class P, int V, class B>
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
    // What is also written is done with before the next element is folded: values of several would take registers.
    const auto take = [&]<int Rows>(std::integral_constant<int, Rows>, const ColumnItems<P, V>* items,
                                    index_t first) FUSE_INLINE_LAMBDA {
        constexpr int together = Writes ? 1 : Rows;
        FUSE_UNROLL
        for (int i = 0; i < Rows; i += together) {
            const index_t at = first + i * span.step;
            const auto context = [&](int j) FUSE_INLINE_LAMBDA {
                return ColumnContext<P, V>{p, state, items[i + j], results};
            };
            for_items<V>(state.evaluated, [&](int v) FUSE_INLINE_LAMBDA {
                const index_t row = Loads == ColumnLoads::lines ? at + (state.x + v) / p.x_size : at;
                const auto with = [&](int j, auto&& to) FUSE_INLINE_LAMBDA { to(context(j), row + j * span.step); };
                product.template take_run<together>(run.item[v], with, v, at == span.first);
            });
            product.count_alike(run.item);
            if constexpr (Writes) {
                write_column<kir::Extent::item, V>(p, context(0), at);
            }
        }
    };
    const auto take_single = [&](index_t at) FUSE_INLINE_LAMBDA {
        ColumnItems<P, V> items;
        load_column<Set, Loads == ColumnLoads::pieces ? ColumnLoads::items : Loads, P, V>(items, p, state, at);
        take(std::integral_constant<int, 1>{}, &items, at);
    };
    Span many = span;
    index_t s = span.first;
    if constexpr (Loads == ColumnLoads::pieces) {
        many = span_of_pieces(p, state, span);
        FUSE_NO_UNROLL
        for (; s < many.first; s += span.step) {
            take_single(s);
        }
    }
    const index_t whole = many.end - (N - 1) * span.step;
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
                load_column<Set, Loads, P, V>(items[j], p, state, s + j * span.step);
            }
            take(std::integral_constant<int, N>{}, items, s);
        }
        if constexpr (!one_run) {
            close_run();
        }
    }
    // Up to N - 1 elements are left. Of a short share they are loaded together as well: one by one, each would wait for the
    // memory. Lines, of which all that a thread has may be fewer than N, by halves of N.
    if constexpr (Loads == ColumnLoads::lines) {
        const auto take_rows = [&]<int Rows>(std::integral_constant<int, Rows> rows) FUSE_INLINE_LAMBDA {
            if (s < many.end - (Rows - 1) * span.step) {
                ColumnItems<P, V> items[Rows];
                FUSE_UNROLL
                for (int j = 0; j < Rows; ++j) {
                    load_column<Set, Loads, P, V>(items[j], p, state, s + j * span.step);
                }
                take(rows, items, s);
                s += Rows * span.step;
            }
        };
        by_halves<N>(take_rows);
    } else if constexpr (Loads != ColumnLoads::items && N > 1 && L == FoldLength::bounded) {
        ColumnItems<P, V> items[N - 1] = {};
        FUSE_UNROLL
        for (int j = 0; j < N - 1; ++j) {
            const index_t at = s + j * span.step;
            // A branch around each would keep the next from being loaded before what is loaded is moved.
            if (at < many.end || (Loads == ColumnLoads::pieces && s < many.end)) {
                load_column<Set, Loads, P, V>(items[j], p, state, at < many.end ? at : s);
            }
        }
        FUSE_UNROLL
        for (int j = 0; j < N - 1; ++j) {
            if (s < many.end) {
                take(std::integral_constant<int, 1>{}, items + j, s);
                s += span.step;
            }
        }
    }
    FUSE_NO_UNROLL
    for (; s < span.end; s += span.step) {
        take_single(s);
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
template <class Ph, leaf_set Set, class Fresh, class Known, bool Writes, class P, int V, class Calls>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_column_lanes(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                  const Span& span, Calls& calls) {
    using Views = ColumnViews<P, V>;
    using of_phase = typename phase_constants<P, V, Ph>::type;
    using of_all = unite_t<of_phase, typename output_constants<P, V>::type>;
    const ColumnConstants<P, V, std::conditional_t<Writes, of_all, of_phase>> constants(p, state, results);
    ColumnFolds<Ph, V> folds;
    // Values of calls that are not kept for the whole column lie in one place.
    constexpr int rows = Fresh::size + Known::size > 0 ? 1 : column_rows;
    // What is written first may lie where another output reads.
    constexpr bool copied = Writes && leaf_sets<P>::item_writers > 1;
    const index_t ahead = prefetch_end<Set, rows>(p, state);
    const auto take = [&]<int... K>(index_t s, std::integer_sequence<int, K...>) FUSE_INLINE_LAMBDA {
        Views items[sizeof...(K)];
        (view_column<Set, P, V, copied>(items[K], p, state, s + K), ...);
        if (s < ahead) {
            prefetch_column<Set, sizeof...(K)>(p, state, s);
        }
        const auto context = [&](int k) FUSE_INLINE_LAMBDA {
            return calls.template with<Fresh, Known>(
                constants.in(ColumnContext<P, V, Views>{p, state, items[k], results}), (s + k) * V, state.evaluated);
        };
        const decltype(context(0)) contexts[] = {context(K)...};
        folds.take(contexts, s, state.evaluated);
        if constexpr (Writes) {
            (write_column<kir::Extent::item, V>(p, contexts[K], s + K), ...);
        }
    };
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
        load_column<Set, ColumnLoads::items, P, V>(items, p, state, s);
        const ColumnContext<P, V> context{p, state, items, results};
        auto part = ItemFolds<Product<Ph>, V>{}.init();
        for_items<V>(state.left, [&](int v) { fold_phase_own<Ph, First>(part.item[v], p, context, s, v); });
        fold.push(part);
    }
    return fold.total();
}

/// The same where nothing is stretched.
template <class Ph, leaf_set Set, int N, FoldLength L, bool Writes, class P, int V, class B>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_plain_column(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                  const Span& span) {
    return whole_vectors<Set>(p, state)
               ? fold_whole_column<Ph, Set, N, L, ColumnLoads::vectors, Writes, P, V, B>(p, state, results, span)
               : fold_whole_column<Ph, Set, N, L, ColumnLoads::items, Writes, P, V, B>(p, state, results, span);
}

/// Folds phase Ph, whose reductions are numbered from First, and Writes: writes the outputs of the elements on the way, or
/// behind it where operands are stretched.
template <class Ph, int First, leaf_set Set, int N, FoldLength L, bool Writes, class P, int V, class B>
FUSE_HD typename ItemFolds<Product<Ph>, V>::accumulator
fold_column(B&, const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
            const Span& span) {
    constexpr leaf_set read = Set | (Writes ? leaf_sets<P>::items : leaf_set{0});
    if constexpr (P::stretches) {
        if (stretched(p)) {
            const auto total = fold_column_stretched<Ph, First, Set, P, V, B>(p, state, results, span);
            if constexpr (Writes) {
                write_backwards<1, ColumnLoads::items>(p, state, results, span);
            }
            return total;
        }
    }
    return fold_plain_column<Ph, read, N, L, Writes, P, V, B>(p, state, results, span);
}

/// The same of phase number I, by a host thread. Stretches: operands may be stretched. Writes: the outputs of the elements
/// too, where none is.
template <int I, bool Stretches, bool Writes, class P, int V, class B, class Calls>
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
    constexpr leaf_set read = set | (Writes ? leaf_sets<P>::items : leaf_set{0});
    return fold_in_pieces<ItemFolds<Product<Ph>, V>>(span, longest_run, [&](const Span& part) FUSE_INLINE_LAMBDA {
        return fold_column_lanes<Ph, read, typename In::fresh, typename In::again, Writes, P, V>(p, state, results,
                                                                                                 part, calls);
    });
}

}  // namespace detail

FUSE_END_NAMESPACE
