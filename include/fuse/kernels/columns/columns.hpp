// SPDX-License-Identifier: Apache-2.0
//
// The columns family: the innermost axes are kept, axes outside them are reduced. Several phases read the column again,
// or keep it in registers when N elements per thread cover it (Resident), of which there is at least one.
#pragma once

#include "fuse/kernels/columns/column_end.hpp"
#include "fuse/kernels/columns/column_sweep.hpp"
#include "fuse/kernels/columns/rows_as_columns.hpp"
#include "fuse/primitives/block/block_y_reduce.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N, Hold H>
struct ColumnsKernel : Kernel<P, V, N> {
    static constexpr bool down_columns = true;
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = H == Hold::resident ? 1 : 2;
    using sets = leaf_sets<P>;
    static constexpr int phases = P::phases::size;
    static constexpr leaf_set cached = sets::shared | (sets::template phase<0> & sets::walked);
    /// What is held is not read again for the outputs that are written behind the folds.
    static constexpr bool writes_early = sets::writes_early && H != Hold::resident;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest_bytes(detail::phase_sizes<typename P::phases>, [&l](std::size_t accumulator) {
            return y_reduce_scratch_bytes(l.dim_x, l.dim_y, accumulator * V, planned_block);
        });
    }

    struct Cache {
        ColumnItems<P, V> items[H == Hold::resident ? N : 1];
    };

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t tiles = detail::column_tiles<P, V>(block, p);
        for (index_t tile = block.block_x(); tile < tiles; tile += block.grid_x()) {
            if constexpr (lone_thread<B>) {
                host_tile(block, p, tile);
            } else {
                one_tile(block, p, tile);
            }
        }
    }

private:
    /// Held element j of a thread: without branches, those beyond the end are the first of the column, and left out.
    static FUSE_HD bool inside(const Span& span, int j) { return span.first + j * span.step < span.end; }
    static FUSE_HD index_t position(const Span& span, int j) {
        return inside(span, j) ? span.first + j * span.step : 0;
    }

    template <leaf_set Set>
    static FUSE_HD void load_either(ColumnItems<P, V>& items, const Params<P>& p, const ColumnState<P, V>& state,
                                    index_t s) {
        if constexpr (Set != 0) {
            as_whole_vectors<Set>(p, state, [&]<ColumnLoads Loads>() FUSE_INLINE_LAMBDA {
                load_column<Set, Loads, P, V>(items, p, state, s);
            });
        }
    }

    template <class B>
    static FUSE_HD void one_tile(B& block, const Params<P>& p, index_t tile) {
        const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
        const Span span = thread_span<1, ordered_program<P>>(0, p.walked_size, block.thread_y(), block.dim_y());
        ColumnResults<P, V> results{};
        Cache cache;
        if constexpr (H == Hold::resident) {
            as_whole_vectors<cached>(p, state, [&]<ColumnLoads Loads>() FUSE_INLINE_LAMBDA {
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    load_column<cached, Loads, P, V>(cache.items[j], p, state, position(span, j));
                }
            });
        }
        static_for<phases>([&]<int I>() FUSE_INLINE_LAMBDA { phase<I>(block, p, state, span, cache, results); });

        if constexpr (sets::writes_items && !writes_early) {
            auto write = [&](ColumnItems<P, V>& items, index_t s, bool inside) FUSE_INLINE_LAMBDA {
                load_either<sets::items & ~(H == Hold::resident ? cached : 0)>(items, p, state, s);
                write_column<kir::Extent::item, V>(p, ColumnContext<P, V>{p, state, items, results}, s, inside);
            };
            if constexpr (H == Hold::resident) {
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    write(cache.items[j], position(span, j), inside(span, j));
                }
            } else {
                for (index_t s = span.first; s < span.end; s += span.step) {
                    write(cache.items[0], s, true);
                }
            }
        }
        finish_columns(block, ColumnContext<P, V>{p, state, cache.items[0], results}, tile);
    }

    template <class B>
    static FUSE_HD void host_tile(B& block, const Params<P>& p, index_t tile) {
        const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
        if constexpr (H == Hold::beside) {
            RowsAsColumns<P, V> rows(p);
            host_columns(block, rows.params(), rows.load(state), tile);
            rows.store(state);
        } else {
            host_columns(block, p, state, tile);
        }
    }

    /// The columns of a host thread, which keeps what costs much and what is the same all along a column.
    template <class B>
    static FUSE_HD void host_columns(B& block, const Params<P>& p, const ColumnState<P, V>& state, index_t tile) {
        constexpr bool stretches = P::stretches && H != Hold::beside;
        const Span span{0, 1, p.walked_size};
        ColumnResults<P, V> results{};
        ProgramCalls<P, V> calls(p.walked_size * V);
        static_for<phases>([&]<int I>() FUSE_INLINE_LAMBDA {
            constexpr bool writes = writes_early && I + 1 == phases;
            const auto total = detail::fold_host_column<I, stretches, writes, P, V, B>(p, state, results, span, calls);
            detail::project_columns<first_result<P, I>, at_t<typename P::phases, I>, P, V>(total, p, results);
        });
        if constexpr (sets::writes_items) {
            if (!writes_early || (stretches && stretched(p))) {
                write_host_columns<stretches>(p, state, results, calls);
            }
        }
        const ColumnItems<P, V> none{};
        finish_columns(block, ColumnContext<P, V>{p, state, none, results}, tile);
    }

    template <bool Stretches>
    static FUSE_HD void write_host_columns(const Params<P>& p, const ColumnState<P, V>& state,
                                           const ColumnResults<P, V>& results, ProgramCalls<P, V>& calls) {
        using Known = typename detail::calls_in_outputs<P>::again;
        using Constants = typename detail::output_constants<P, V>::type;
        const index_t ahead = prefetch_end<sets::items, 1>(p, state);
        const auto write = [&](const auto& with_values) FUSE_INLINE_LAMBDA {
            for (index_t s = 0; s < p.walked_size; ++s) {
                ColumnViews<P, V> items;
                view_column<sets::items, P, V, (sets::item_writers > 1)>(items, p, state, s);
                if (s < ahead) {
                    prefetch_column<sets::items, 1>(p, state, s);
                }
                const ColumnContext<P, V, ColumnViews<P, V>> context{p, state, items, results};
                write_column<kir::Extent::item, V>(p, with_values(context, s), s);
            }
        };
        const auto write_kept_values = [&]() FUSE_INLINE_LAMBDA {
            const ColumnConstants<P, V, Constants> constants(p, state, results);
            write([&](const auto& context, index_t s) FUSE_INLINE_LAMBDA {
                return calls.template with<type_list<>, Known>(constants.in(context), s * V, state.evaluated);
            });
        };
        // Where operands are stretched only the output's own elements may be evaluated.
        if constexpr (Stretches && Known::size + Constants::size > 0) {
            if (stretched(p)) {
                write([](const auto& context, index_t) FUSE_INLINE_LAMBDA { return context; });
            } else {
                write_kept_values();
            }
        } else {
            write_kept_values();
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
                const index_t s = position(span, j);
                ColumnItems<P, V> items = cache.items[j];
                load_either<sets::template phase<I> & ~cached>(items, p, state, s);
                const ColumnContext<P, V> context{p, state, items, results};
                const auto with = [&](int, auto&& take) FUSE_INLINE_LAMBDA { take(context, s); };
                for_items<V>(state.evaluated, [&](int v) FUSE_INLINE_LAMBDA {
                    auto joined = parts.item[v];
                    Product<Ph>{}.template take_run<1>(joined, with, v, j == 0);
                    parts.item[v] = inside(span, j) ? joined : parts.item[v];
                });
            }
            FUSE_UNROLL
            for (int v = 0; v < V; ++v) {
                parts.item[v] = Product<Ph>{}.closed(parts.item[v]);
            }
        } else {
            constexpr bool writes = writes_early && I + 1 == phases;
            parts =
                detail::fold_column<Ph, first_result<P, I>, sets::template phase<I>, N, FoldLength::any, writes, P, V>(
                    block, p, state, results, span);
        }
        const auto total = BlockYReduce(block, parts, Accumulators{});
        detail::project_columns<first_result<P, I>, Ph, P, V>(total, p, results);
    }
};

FUSE_END_NAMESPACE
