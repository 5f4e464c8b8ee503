// SPDX-License-Identifier: Apache-2.0
//
// Scans along an axis outside the innermost one. A block takes dim_x * V neighbouring columns at one index along the
// other kept axes and walks down them, dim_y * N elements of a column at a time: a thread folds N consecutive ones,
// BlockYScan joins the threads of a column, and a carry goes from step to step. A host thread has a way of its own.
#pragma once

#include "fuse/kernels/columns/column_group.hpp"
#include "fuse/kernels/scan/host_column_scan.hpp"
#include "fuse/kernels/scan/scan_stretched.hpp"
#include "fuse/primitives/block/block_scan.hpp"
#include "fuse/primitives/grid/last_block.hpp"

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

/// H: beside, or swept. Shares: the blocks of a group may share a tile, each its piece of the columns. They fold that first, leave
/// the result, meet, and then walk down the piece again from the fold of those before: to read twice takes less than to wait
/// for the block above, one after the other (docs/journal.md, "Other people's shapes").
template <class P, int V, int N, Hold H = Hold::swept, bool Shares = false>
struct ScanColumnsKernel : Kernel<P, V, N, Shares ? Link::group_sync : Link::none> {
    static constexpr Link lone_link = Link::none;
    static constexpr bool in_waves = Shares;
    static constexpr bool down_columns = true;
    static constexpr bool takes_neighbours = true;
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 1;
    using phase = at_t<typename P::phases, 0>;
    using Accumulators = ItemFolds<Product<phase>, V>;
    using accumulator_type = typename Accumulators::accumulator;
    static constexpr leaf_set loads = leaf_sets<P>::template phase<0> | leaf_sets<P>::items;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        const std::size_t scan = y_scan_scratch_bytes(l.dim_x, l.dim_y, sizeof(accumulator_type));
        return Shares ? detail::largest(
                            scan, y_reduce_scratch_bytes(l.dim_x, l.dim_y, sizeof(accumulator_type), planned_block))
                      : scan;
    }
    /// The folds of the blocks that share tiles.
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return Shares ? sizeof(accumulator_type) * l.dim_x * static_cast<std::size_t>(l.grid) : 0;
    }

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t tiles = detail::column_tiles<P, V>(block, p);
        if constexpr (lone_thread<B>) {
            host_tiles(block, p, tiles);
        } else {
            const unsigned group = Shares ? p.group : 1;
            const unsigned first_tile = group > 1 ? block.block_x() / group : block.block_x();
            const unsigned member = block.block_x() - first_tile * group;
            for (index_t tile = first_tile; tile < tiles; tile += block.grid_x() / group) {
                const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
                accumulator_type carry = Accumulators{}.init();
                if constexpr (P::stretches) {
                    if (stretched(p)) {
                        carry = stretched_columns(block, p, state);
                        finish_columns(block, p, state, tile, carry);
                        continue;
                    }
                }
                Piece piece{0, p.walked_size};
                if constexpr (Shares) {
                    if (group > 1) {
                        // Whole steps: of a block's piece only what lies behind the end of the columns is missing.
                        const index_t step = static_cast<index_t>(block.dim_y()) * N;
                        const index_t share = (p.share + step - 1) / step * step;
                        piece.begin = smaller(member * share, p.walked_size);
                        piece.end = smaller(piece.begin + share, p.walked_size);
                        carry = fold_before(block, p, state, tile, member, piece);
                    }
                }
                walk(block, p, state, piece, [&](const Step& now, index_t s) FUSE_INLINE_LAMBDA {
                    carry = one_step(block, p, state, now, s, carry);
                });
                if (member + 1 == group) {
                    finish_columns(block, p, state, tile, carry);
                }
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

    /// The elements of the columns that a block takes.
    struct Piece {
        index_t begin;
        index_t end;
    };
    static FUSE_HD index_t smaller(index_t a, index_t b) { return a < b ? a : b; }

    /// Calls take(elements, s) for the steps of a piece; s: the thread's first element.
    template <class B, class Take>
    static FUSE_HD void walk(B& block, const Params<P>& p, const ColumnState<P, V>& state, const Piece& piece,
                             Take&& take) {
        const index_t step = static_cast<index_t>(block.dim_y()) * N;
        index_t s = piece.begin + static_cast<index_t>(block.thread_y()) * N;
        Step now = load_step(p, state, s);
        for (index_t first = piece.begin; first < piece.end; first += step, s += step) {
            const Step next = load_step(p, state, s + step);  // on its way while this one is worked on
            take(now, s);
            now = next;
        }
    }

    /// The fold of all elements above a block's piece. All threads of all blocks of the group must call.
    template <class B>
    static FUSE_HD accumulator_type fold_before(B& block, const Params<P>& p, const ColumnState<P, V>& state,
                                                index_t tile, unsigned member, const Piece& piece) {
        const Accumulators folds;
        accumulator_type total = folds.init();
        walk(block, p, state, piece, [&](const Step& now, index_t s) FUSE_INLINE_LAMBDA {
            accumulator_type own = folds.init();
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                take_column_item<P, V, phase>(own, p, state, now.items[j], s + j);
            }
            if constexpr (ordered_program<P>) {
                total = folds.combine(total, BlockYReduce(block, own, folds));
            } else {
                total = folds.combine(total, own);
            }
        });
        if constexpr (!ordered_program<P>) {
            total = BlockYReduce(block, total, folds, OneThread{});
        }
        auto* const parts =
            static_cast<accumulator_type*>(p.partials) + tile * p.group * block.dim_x() + block.thread_x();
        if (block.thread_y() == 0) {
            parts[member * block.dim_x()] = total;
        }
        meet_group(block, p.counters + tile, p.group, 0);
        const accumulator_type before =
            detail::fold_members<Accumulators>(block, parts, member, block.dim_x(), AllThreads{});
        leave_group(block, p.counters + tile, p.group, 1);
        return before;
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
