// SPDX-License-Identifier: Apache-2.0
//
// Sweeps of a row that is not kept on chip: a thread visits vectors `step` apart in [first, end), N at a time so that
// N loads per leaf are in flight, and folds them. visit_span.hpp writes outputs.
#pragma once

#include "fuse/kernels/body/chunk_folds.hpp"
#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/body/peeled_paths.hpp"
#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/body/row_views.hpp"
#include "fuse/kernels/body/stretched.hpp"
#include "fuse/kernels/body/sweep_items.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether a thread loads its next N vectors before it folds those that it has. Where these wait for each other, as in
/// an online phase, little else hides how long the memory takes. Only in a program that is one sweep over 16-bit
/// numbers: the registers of wider ones, or of more operands, cost more threads than the loads gain.
template <class Items, leaf_set Set, int N, class P, int V>
inline constexpr bool loads_ahead = takes_groups<Items>&& sweeps_t<P, true>::size == 1 && !leaf_sets<P>::writes_items &&
                                    moving_bytes<Set, P> * V * N <= 32;

/// What a sweep that folds does with its elements besides: nothing.
struct NothingElse {};
template <bool Wanted, class F>
FUSE_HD auto also_if(const F& f) {
    if constexpr (Wanted) {
        return f;
    } else {
        return NothingElse{};
    }
}

/// Folds the reductions of phase Ph over a span, N vectors per turn, and calls also(context, s, left) for each. Paths say
/// where vectors lie.
template <class Ph, leaf_set Set, int N, FoldLength L, class P, int V, class B, class Paths, class Also>
FUSE_HD typename Product<Ph>::accumulator fold_whole_span(const Params<P>& p, const RowState<P>& row,
                                                          const results_t<P>& results, const Span& span,
                                                          const Paths& paths, const Also& also) {
    using Folds = SweepItems<Ph, V>;
    const Folds folds;
    SweepFold<Folds, LongFold<Product<Ph>, B>, turns_of_run<L, N>> sweep;
    const auto total = [&folds](const auto& parts) FUSE_INLINE_LAMBDA { return folds.total(parts); };
    const auto context = [&](const RowItems<P, V>& items) FUSE_INLINE_LAMBDA {
        return RowContext<P, V>{p, row, items, results};
    };
    index_t s = span.first;
    const auto turn = [&]<int M>(std::integral_constant<int, M>) FUSE_INLINE_LAMBDA {
        RowItems<P, V> items[M];
        FUSE_UNROLL
        for (int j = 0; j < M; ++j) {
            load_along<Set, P, V>(paths, items[j], p, row, s + j * span.step);
        }
        folds.template take<M>(sweep.items, [&](int j, auto&& take)
                                                FUSE_INLINE_LAMBDA { take(context(items[j]), s + j * span.step); });
        if constexpr (!std::is_same_v<Also, NothingElse>) {
            FUSE_UNROLL
            for (int j = 0; j < M; ++j) {
                also(context(items[j]), s + j * span.step, V);
            }
        }
    };
    if constexpr (loads_ahead<Folds, Set, N, P, V>) {
        RowItems<P, V> ahead[N];
        const auto whole = [&](index_t first)
                               FUSE_INLINE_LAMBDA { return first + (N - 1) * span.step + V <= span.end; };
        const auto load = [&](index_t first) FUSE_INLINE_LAMBDA {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                load_along<Set, P, V>(paths, ahead[j], p, row, first + j * span.step);
            }
        };
        if (whole(s)) {
            load(s);
            bool more = true;
            while (more) {
                RowItems<P, V> items[N];
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    items[j] = ahead[j];
                }
                const index_t next = s + N * span.step;
                more = whole(next);
                if (more) {
                    load(next);
                }
                folds.template take<N>(sweep.items, [&](int j, auto&& take) FUSE_INLINE_LAMBDA {
                    take(context(items[j]), s + j * span.step);
                });
                sweep.end_turn(total);
                s = next;
            }
        }
    } else {
        for (; s + (N - 1) * span.step + V <= span.end; s += N * span.step) {
            turn(std::integral_constant<int, N>{});
            sweep.end_turn(total);
        }
    }
    // Up to N - 1 whole vectors are left. Of a short share they are loaded together as well: one by one, each would wait
    // for the memory. After a long one that costs more code than time, where the kernel is more than one sweep.
    constexpr bool alone = P::phases::size == 1 && !leaf_sets<P>::writes_items;
    if constexpr (N > 1 && (L == FoldLength::bounded || alone)) {
        RowItems<P, V> items[N - 1] = {};
        if constexpr (takes_again<Folds>) {
            const auto place = [&](int j) FUSE_INLINE_LAMBDA {
                return s + (s + j * span.step + V <= span.end ? j * span.step : 0);
            };
            if (s + V <= span.end) {
                FUSE_UNROLL
                for (int j = 0; j < N - 1; ++j) {
                    load_along<Set, P, V>(paths, items[j], p, row, place(j));
                }
                folds.template take<N - 1>(sweep.items, [&](int j, auto&& take)
                                                            FUSE_INLINE_LAMBDA { take(context(items[j]), place(j)); });
            }
            while (s + V <= span.end) {
                s += span.step;
            }
        } else {
            FUSE_UNROLL
            for (int j = 0; j < N - 1; ++j) {
                if (s + j * span.step + V <= span.end) {
                    load_along<Set, P, V>(paths, items[j], p, row, s + j * span.step);
                }
            }
            FUSE_UNROLL
            for (int j = 0; j < N - 1; ++j) {
                if (s + V <= span.end) {
                    folds.take_some(sweep.items, context(items[j]), s, V);
                    s += span.step;
                }
            }
        }
    } else if constexpr (N > 1) {
        FUSE_NO_UNROLL
        for (; s + V <= span.end; s += span.step) {
            turn(std::integral_constant<int, 1>{});
        }
    }
    if constexpr (V > 1 && !Paths::whole_vectors) {
        if (s < span.end) {
            RowItems<P, V> items;
            load_some<Set, P, V>(items, p, row, s, span.end - s);
            folds.take_some(sweep.items, context(items), s, span.end - s);
            if constexpr (!std::is_same_v<Also, NothingElse>) {
                also(context(items), s, span.end - s);
            }
        }
    }
    return sweep.total(total);
}

/// The same by a host thread, chunk by chunk, with the calls in Fresh and Known computed (row_calls.hpp).
template <class Ph, leaf_set Set, class Fresh, class Known, class P, class Calls, class Also = NothingElse>
FUSE_HD typename Product<Ph>::accumulator fold_chunks(const Params<P>& p, const RowState<P>& row,
                                                      const results_t<P>& results, const Span& span, Calls& calls,
                                                      const Also& also = {}) {
    // What is written first may lie where another output reads.
    constexpr bool copied = !std::is_same_v<Also, NothingElse> && leaf_sets<P>::item_writers > 1;
    // Chunks that end where an axis does are no whole trees: fewer of them make a run.
    const index_t most_chunks = p.walked.count > 1 ? longest_run / 8 : longest_run;
    index_t s = span.first;
    const auto fold = [&]() FUSE_INLINE_LAMBDA {
        ChunkFolds<Ph> folds;
        const index_t end = span.end - s < ChunkFolds<Ph>::longest ? span.end : s + ChunkFolds<Ph>::longest;
        index_t left = 0;
        for (index_t chunk = 0; s < end && chunk < most_chunks; ++chunk, s += left) {
            left = viewable<Set>(p, s, end - s < chunk_items ? end - s : chunk_items);
            RowViews<P, chunk_items> items;
            view_items<Set, P, chunk_items, copied>(items, p, row, s, left);
            const ChunkContext<P> context{p, row, items, results};
            folds.take(calls.template with<Fresh, Known>(context, s, left), s, static_cast<int>(left));
            if constexpr (!std::is_same_v<Also, NothingElse>) {
                also(context, s, left);
            }
        }
        return folds.total();
    };
    PairwiseFold<Product<Ph>> pieces;
    while (true) {
        const auto piece = fold();
        if (s >= span.end && !pieces.any()) {
            return piece;
        }
        pieces.push(piece);
        if (s >= span.end) {
            return pieces.total();
        }
    }
}

}  // namespace detail

/// The reductions of phase Ph over a span, where nothing is stretched. also(context, s, left) is called for the elements
/// as they are folded, with the leaves in Set loaded, of a sweep of any length.
template <class Ph, leaf_set Set, int N, FoldLength L, class P, int V, class B, class Paths = detail::LaidPaths<>,
          class Also = detail::NothingElse>
FUSE_HD typename Product<Ph>::accumulator fold_plain_span(B&, const Params<P>& p, const RowState<P>& row,
                                                          const results_t<P>& results, const Span& span,
                                                          const Paths& paths = {}, const Also& also = {}) {
    if constexpr (lone_thread<B>) {
        using Fresh = typename detail::calls_of_phase<P, Ph>::type;
        KeptCalls<P, Fresh, type_list<>, chunk_items> calls(span.end);
        return detail::fold_chunks<Ph, Set, Fresh, type_list<>>(p, row, results, span, calls, also);
    } else {
        return detail::fold_whole_span<Ph, Set, N, L, P, V, B>(p, row, results, span, paths, also);
    }
}

/// The same where something is.
template <class Ph, int First, leaf_set Set, class P, int V, class B>
FUSE_HD typename Product<Ph>::accumulator fold_stretched_span(B&, const Params<P>& p, const RowState<P>& row,
                                                              const results_t<P>& results, const Span& span) {
    LongFold<Product<Ph>, B> fold;
    visit_own<Set, V>(p, row, results, span, [&](const RowContext<P, 1>& context, index_t s) {
        auto part = Product<Ph>{}.init();
        fold_phase_own<Ph, First>(part, p, context, s);
        fold.push(part);
    });
    return fold.total();
}

/// The same where vectors begin where the memory is aligned, all of them so many elements further on.
template <class Ph, leaf_set Set, int N, FoldLength L, class P, int V, class B>
FUSE_HD typename Product<Ph>::accumulator fold_shifted_span(B& block, const Params<P>& p, const RowState<P>& row,
                                                            const results_t<P>& results, const Span& span) {
    const detail::ShiftedPaths paths{{detail::row_head<V>(p, row)}};
    const auto part = fold_plain_span<Ph, Set, N, L, P, V>(block, p, row, results,
                                                           Span{span.first + paths.head, span.step, span.end}, paths);
    if (paths.head == 0 || span.first > 0) {
        return part;
    }
    const SweepItems<Ph, V> folds;
    auto ahead = folds.init();
    RowItems<P, V> items;
    const index_t left = paths.head < span.end ? paths.head : span.end;
    load_some<Set, P, V>(items, p, row, 0, left);
    folds.take_some(ahead, RowContext<P, V>{p, row, items, results}, 0, left);
    return Product<Ph>{}.combine(folds.total(ahead), part);
}

/// The same, whichever of them it is.
template <class Ph, int First, leaf_set Set, int N, FoldLength L, class P, int V, class B>
FUSE_HD typename Product<Ph>::accumulator fold_span(B& block, const Params<P>& p, const RowState<P>& row,
                                                    const results_t<P>& results, const Span& span) {
    if constexpr (P::stretches) {
        if (stretched(p)) {
            return fold_stretched_span<Ph, First, Set, P, V>(block, p, row, results, span);
        }
    }
    // Straight code for what is usual: a launch of a few microseconds waits for instructions as well, and each branch may
    // lead to some that are not there yet. Of more registers than two vectors have there are too few for both ways.
    if constexpr (L == FoldLength::bounded && V > 1 && !lone_thread<B> && V * moving_bytes<Set, P> <= 32) {
        if (reads_vectors<Set>(p)) {
            return fold_plain_span<Ph, Set, N, L, P, V>(block, p, row, results, span,
                                                        detail::LaidPaths<Packs::whole>{});
        }
    }
    if constexpr (L == FoldLength::bounded && V > 1 && !lone_thread<B>) {
        return fold_shifted_span<Ph, Set, N, L, P, V>(block, p, row, results, span);
    } else {
        return fold_plain_span<Ph, Set, N, L, P, V>(block, p, row, results, span);
    }
}

FUSE_END_NAMESPACE
