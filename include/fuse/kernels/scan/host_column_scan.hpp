// SPDX-License-Identifier: Apache-2.0
//
// How a host thread scans columns: strips of V neighbouring ones, each row of which is a loop over vectors. Strips of one
// matrix go down side by side, some rows of each in turns: neighbours lie in the same pages of memory, and what the
// machine reads ahead for one is of use to the next.
#pragma once

#include <new>

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/columns/column_end.hpp"
#include "fuse/kernels/columns/column_views.hpp"
#include "fuse/kernels/columns/rows_as_columns.hpp"
#include "fuse/kernels/scan/scan_column_context.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// H: as in the kernel.
template <class P, int V, Hold H>
struct HostColumnScan {
    /// Strips from `tile` on, before `end`; returns how many.
    template <class B>
    static FUSE_HD index_t scan(B& block, const Params<P>& p, index_t tile, index_t end) {
        if constexpr (H == Hold::beside) {
            const ColumnState<P, V> state = column_state<P, V>(block, p, tile);
            RowsAsColumns<P, V> rows(p);
            const ColumnState<P, V>& columns = rows.load(state);
            Carry carry;
            walk_columns(
                rows.params(), &carry, 1, [&](index_t) FUSE_INLINE_LAMBDA -> auto& { return columns; });
            rows.store(state);
            finish_columns(block, p, state, tile, total(p, carry));
            return 1;
        } else {
            const index_t strips = (p.x_size + V - 1) / V;
            const index_t of_matrix = strips - tile % strips;
            const index_t own = of_matrix < end - tile ? of_matrix : end - tile;
            const index_t count = own < most_beside ? own : most_beside;
            Strip strip[most_beside];
            for (index_t k = 0; k < count; ++k) {
                new (&strip[k].state) ColumnState<P, V>(column_state<P, V>(block, p, tile + k));
            }
            const auto state = [&](index_t k) FUSE_INLINE_LAMBDA -> auto& {
                return strip[k].state;
            };
            Carry carry[most_beside];
            walk_columns(p, carry, count, state);
            for (index_t k = 0; k < count; ++k) {
                finish_columns(block, p, state(k), tile + k, total(p, carry[k]));
            }
            return count;
        }
    }

private:
    using phase = at_t<typename P::phases, 0>;
    using Accumulators = ItemFolds<Product<phase>, V>;
    using accumulator_type = typename Accumulators::accumulator;
    static constexpr leaf_set loads = leaf_sets<P>::template phase<0> | leaf_sets<P>::items;

    using Views = ColumnViews<P, V>;
    /// Rows between which a fold stays in registers: its way through memory takes as long as an element's. Four
    /// at a time took a fifth longer where a row is 16 KB.
    static constexpr int rows_together = 2;

    /// What goes down with a strip: the fold of the run so far, and of columns that are folded in runs what is before it,
    /// made of runs of runs and of the runs since.
    struct Carry {
        accumulator_type run;
        accumulator_type start;
        accumulator_type before;
        accumulator_type runs;
    };
    /// The columns of a strip, which are found once.
    union Strip {
        FUSE_HD Strip() {}
        ColumnState<P, V> state;
    };
    /// Strips that go down together, whose carries stay in the cache.
    static constexpr index_t most_beside = limited(32768 / static_cast<index_t>(sizeof(Carry)), 1, 32);

    /// Columns of more than a few runs are folded in runs and runs of runs, so that their sums stay accurate.
    static FUSE_HD bool starts_again(const Params<P>& p) { return p.walked_size > 4 * longest_run; }

    /// `count` strips, down to their ends; state(k): the columns of strip k.
    template <class State>
    static FUSE_HD void walk_columns(const Params<P>& p, Carry* carry, index_t count, const State& state) {
        // Divisors of a run. Short pieces make up for what they cost where a row of the strips is some pages long.
        const index_t rows = count < 8 ? longest_run : index_t{rows_together};
        if (starts_again(p)) {
            walk_pieces<true>(p, carry, count, state, rows);
        } else {
            walk_pieces<false>(p, carry, count, state, count > 1 ? rows : p.walked_size);
        }
    }
    template <bool Starts, class State>
    static FUSE_HD void walk_pieces(const Params<P>& p, Carry* carry, index_t count, const State& state, index_t rows) {
        for (index_t k = 0; k < count; ++k) {
            carry[k].start = carry[k].run = Accumulators{}.init();
            if constexpr (Starts) {
                carry[k].before = carry[k].runs = carry[k].start;
            }
        }
        for (index_t first = 0; first < p.walked_size; first += rows) {
            const index_t end = first + rows < p.walked_size ? first + rows : p.walked_size;
            for (index_t k = 0; k < count; ++k) {
                Carry& c = carry[k];
                walk_run<Starts>(p, state(k), c.start, c.run, Span{first, 1, end});
                if constexpr (Starts) {
                    if (end % longest_run == 0 || end == p.walked_size) {
                        close_run(c, end);
                    }
                }
            }
        }
    }

    static FUSE_HD void close_run(Carry& c, index_t end) {
        c.runs = Accumulators{}.combine(c.runs, c.run);
        c.run = Accumulators{}.init();
        if (end % (longest_run * longest_run) == 0) {
            c.before = Accumulators{}.combine(c.before, c.runs);
            c.runs = Accumulators{}.init();
        }
        c.start = Accumulators{}.combine(c.before, c.runs);
    }
    /// The folds of whole columns.
    static FUSE_HD const accumulator_type& total(const Params<P>& p, const Carry& c) {
        return starts_again(p) ? c.start : c.run;
    }

    /// Some rows of a strip; run: the fold of the run so far, and then with them. Starts: each result is joined with that of
    /// the runs before, start.
    template <bool Starts>
    static FUSE_HD void walk_run(const Params<P>& p, const ColumnState<P, V>& state, const accumulator_type& start,
                                 accumulator_type& run, const Span& rows) {
        const ColumnResults<P, V> no_results{};
        if constexpr (writes_in_place<P, V>) {
            const auto take = [&]<int... K>(index_t s, std::integer_sequence<int, K...> k) FUSE_INLINE_LAMBDA {
                take_rows<Starts>(p, state, no_results, start, run, s, k);
            };
            index_t s = rows.first;
            for (; s + rows_together <= rows.end; s += rows_together) {
                take(s, std::make_integer_sequence<int, rows_together>{});
            }
            for (; s < rows.end; ++s) {
                take(s, std::make_integer_sequence<int, 1>{});
            }
        } else {
            run = walk_copies<Starts>(p, state, start, run, rows);
        }
    }

    /// The next rows, of which the only output is written where it is kept.
    template <bool Starts, int... K>
    static FUSE_HD void take_rows(const Params<P>& p, const ColumnState<P, V>& state,
                                  const ColumnResults<P, V>& no_results, const accumulator_type& start,
                                  accumulator_type& run, index_t s, std::integer_sequence<int, K...>) {
        Views items[sizeof...(K)];
        (view_column<loads, P, V>(items[K], p, state, s + K), ...);
        write_columns_in_place<V, sizeof...(K)>(p, state, s, [&]<class O>(auto* const* to) FUSE_INLINE_LAMBDA {
            for_items<V, true>(state.left, [&](int v) FUSE_INLINE_LAMBDA {
                auto through = run.item[v];
                const auto row = [&](int k) FUSE_INLINE_LAMBDA {
                    const ColumnContext<P, V, Views> context{p, state, items[k], no_results};
                    auto before = through;
                    Product<phase>{}.accumulate(through, context, v, s + k);
                    auto own = through;
                    if constexpr (Starts) {
                        before = Product<phase>{}.combine(start.item[v], before);
                        own = Product<phase>{}.combine(start.item[v], own);
                    }
                    to[k][v] = from_compute<typename O::storage>(Evaluate<typename O::expression>::at(
                        ScanItemContext<P, V, Views>(context, before, own, s + k), v));
                };
                (row(K), ...);
                run.item[v] = through;
            });
        });
    }

    /// Rows whose outputs are several, or no numbers.
    template <bool Starts>
    static FUSE_HD accumulator_type walk_copies(const Params<P>& p, const ColumnState<P, V>& state,
                                                const accumulator_type& start, const accumulator_type& before_run,
                                                const Span& run) {
        const ColumnResults<P, V> no_results{};
        accumulator_type before_all = start;
        accumulator_type through_all = start;
        const auto step = [&](const accumulator_type& before, accumulator_type& through, index_t s) FUSE_INLINE_LAMBDA {
            Views items;
            view_column<loads, P, V, (leaf_sets<P>::item_writers > 1)>(items, p, state, s);
            const ColumnContext<P, V, Views> context{p, state, items, no_results};
            for_items<V>(state.left, [&](int v) FUSE_INLINE_LAMBDA {
                auto own = before.item[v];
                Product<phase>{}.accumulate(own, context, v, s);
                through.item[v] = own;
                if constexpr (Starts) {
                    before_all.item[v] = Product<phase>{}.combine(start.item[v], before.item[v]);
                    through_all.item[v] = Product<phase>{}.combine(start.item[v], own);
                }
            });
            write_column<kir::Extent::item, V>(p,
                                               ScanColumnContext<P, V, Views>(context, Starts ? before_all : before,
                                                                              Starts ? through_all : through, s),
                                               s);
        };
        // Two variables take turns: no compiler has to ask whether they are one, and makes vectors of the loop.
        accumulator_type one = before_run;
        accumulator_type other = one;
        index_t s = run.first;
        for (; s + 2 <= run.end; s += 2) {
            step(one, other, s);
            step(other, one, s + 1);
        }
        if (s < run.end) {
            step(one, other, s);
            return other;
        }
        return one;
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
