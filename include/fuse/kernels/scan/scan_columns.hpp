// SPDX-License-Identifier: Apache-2.0
//
// Scans along an axis outside the innermost one. A block takes dim_x * V neighbouring columns at one index along the
// other kept axes and walks down them, dim_y * N elements of a column at a time: a thread folds N consecutive ones,
// BlockYScan joins the threads of a column, and a carry goes from step to step. A host thread has a way of its own.
#pragma once

#include "fuse/kernels/scan/host_column_scan.hpp"
#include "fuse/kernels/scan/scan_stretched.hpp"
#include "fuse/primitives/block/block_scan.hpp"

FUSE_BEGIN_NAMESPACE

/// Takes element s of a thread's columns in, if it exists.
template <class P, int V, class Ph, class A>
FUSE_HD void take_column_item(A& fold, const Params<P>& p, const ColumnState<P, V>& state,
                              const ColumnItems<P, V>& items, index_t s) {
    if (s < p.walked_size) {
        const ColumnResults<P, V> no_results{};
        const ColumnContext<P, V> context{p, state, items, no_results};
        for_items<V>(state.evaluated,
                     [&](int v) FUSE_INLINE_LAMBDA { Product<Ph>{}.accumulate(fold.item[v], context, v, s); });
    }
}

/// Writes the outputs of elements s ... s + N - 1 of a thread's columns; start: the fold of those before. Their folds are
/// taken again: kept, they would need as many registers as the elements.
template <int N, class P, int V, class A>
FUSE_HD void write_scanned_columns(const Params<P>& p, const ColumnState<P, V>& state,
                                   const ColumnItems<P, V> (&items)[N], index_t s, const A& start) {
    using phase = at_t<typename P::phases, 0>;
    using Accumulators = ItemFolds<Product<phase>, V>;
    const ColumnResults<P, V> no_results{};
    A before = start;
    A running = Accumulators{}.init();
    FUSE_UNROLL
    for (int j = 0; j < N; ++j) {
        if (s + j < p.walked_size) {
            take_column_item<P, V, phase>(running, p, state, items[j], s + j);
            const A through = Accumulators{}.combine(start, running);
            write_column<kir::Extent::item, V>(
                p, ScanColumnContext<P, V>({p, state, items[j], no_results}, before, through, s + j), s + j);
            before = through;
        }
    }
}

/// H: beside, or swept.
template <class P, int V, int N, Hold H = Hold::swept>
struct ScanColumnsKernel : Kernel<P, V, N> {
    static constexpr bool down_columns = true;
    static constexpr bool takes_neighbours = true;
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 1;
    using phase = at_t<typename P::phases, 0>;
    using Accumulators = ItemFolds<Product<phase>, V>;
    using accumulator_type = typename Accumulators::accumulator;
    static constexpr leaf_set loads = leaf_sets<P>::template phase<0> | leaf_sets<P>::items;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return y_scan_scratch_bytes(l.dim_x, l.dim_y, sizeof(accumulator_type));
    }

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t tiles = detail::column_tiles<P, V>(block, p);
        if constexpr (lone_thread<B>) {
            host_tiles(block, p, tiles);
        } else {
            for (index_t tile = block.block_x(); tile < tiles; tile += block.grid_x()) {
                const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
                accumulator_type carry = Accumulators{}.init();
                if constexpr (P::stretches) {
                    if (stretched(p)) {
                        carry = stretched_columns(block, p, state);
                        finish_columns(block, p, state, tile, carry);
                        continue;
                    }
                }
                const index_t step = static_cast<index_t>(block.dim_y()) * N;
                index_t s = static_cast<index_t>(block.thread_y()) * N;
                Step now = load_step(p, state, s);
                for (index_t first = 0; first < p.walked_size; first += step, s += step) {
                    const Step next = load_step(p, state, s + step);  // on its way while this one is worked on
                    carry = one_step(block, p, state, now, s, carry);
                    now = next;
                }
                finish_columns(block, p, state, tile, carry);
            }
        }
    }

private:
    /// The tiles of a block of one thread and of its group's neighbours.
    template <class B>
    static FUSE_HD void host_tiles(B& block, const Params<P>& p, index_t tiles) {
        const index_t group = p.group;
        const index_t behind = static_cast<index_t>(block.grid_x()) - block.block_x();
        const index_t own = group < behind ? group : behind;
        for (index_t first = block.block_x(); first < tiles; first += block.grid_x()) {
            const index_t end = first + own < tiles ? first + own : tiles;
            for (index_t tile = first; tile < end;) {
                if constexpr (P::stretches) {
                    if (stretched(p)) {
                        const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
                        finish_columns(block, p, state, tile, stretched_columns(block, p, state));
                        ++tile;
                        continue;
                    }
                }
                tile += detail::HostColumnScan<P, V, H>::scan(block, p, tile, end);
            }
        }
    }

    /// The columns of one thread, walked by thread_y 0 alone.
    template <class B>
    static FUSE_HD accumulator_type stretched_columns(B& block, const Params<P>& p, const ColumnState<P, V>& state) {
        RunningFold<Accumulators> fold;
        accumulator_type total = Accumulators{}.init();
        if (block.thread_y() == 0) {
            const ColumnResults<P, V> no_results{};
            for (index_t s = 0; s < p.walked_size; ++s) {
                ColumnItems<P, V> items;
                load_column<loads, ColumnLoads::items, P, V>(items, p, state, s);
                const ColumnContext<P, V> context{p, state, items, no_results};
                const accumulator_type before = total;
                accumulator_type part = Accumulators{}.init();
                for_items<V>(state.left, [&](int v) { fold_phase_own<phase, 0>(part.item[v], p, context, s, v); });
                fold.push(part);
                total = fold.through();
                using Item = typename Product<phase>::accumulator;
                write_column<kir::Extent::item, V>(
                    p, StretchedScanContext<P, ColumnContext<P, V>, Item, V>(context, before.item, total.item, s), s);
            }
        }
        return total;
    }

    /// Elements s ... s + N - 1 of this thread's columns.
    struct Step {
        ColumnItems<P, V> items[N];
    };
    static FUSE_HD Step load_step(const Params<P>& p, const ColumnState<P, V>& state, index_t s) {
        Step step = {};
        as_whole_vectors<loads>(p, state, [&]<ColumnLoads Loads>() FUSE_INLINE_LAMBDA {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                if (s + j < p.walked_size) {
                    load_column<loads, Loads, P, V>(step.items[j], p, state, s + j);
                }
            }
        });
        return step;
    }

    /// Scans them and writes the outputs; returns the next carry.
    template <class B>
    static FUSE_HD accumulator_type one_step(B& block, const Params<P>& p, const ColumnState<P, V>& state,
                                             const Step& step, index_t s, const accumulator_type& carry) {
        accumulator_type own = Accumulators{}.init();
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            take_column_item<P, V, phase>(own, p, state, step.items[j], s + j);
        }
        const auto column = BlockYScan(block, own, Accumulators{});
        write_scanned_columns<N>(p, state, step.items, s, Accumulators{}.combine(carry, column.before));
        return Accumulators{}.combine(carry, column.total);
    }
};

FUSE_END_NAMESPACE
