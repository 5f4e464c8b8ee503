// SPDX-License-Identifier: Apache-2.0
//
// Scans of few long columns by many blocks in one pass, as scan_lookback.hpp does it with rows. A tile is dim_x * V
// neighbouring columns, N consecutive elements of them per thread, held in registers from load to write.
#pragma once

#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/kernels/scan/scan_columns.hpp"
#include "fuse/primitives/grid/lookback.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct ScanColumnsLookbackKernel : Kernel<P, V, N, Link::lookback> {
    static constexpr int max_threads = column_lookback_threads;
    static constexpr int min_blocks = column_lookback_blocks;
    using phase = at_t<typename P::phases, 0>;
    using Accumulators = ItemFolds<Product<phase>, V>;
    using accumulator_type = typename Accumulators::accumulator;
    using State = Lookback<accumulator_type, LookbackOver::columns>;
    static constexpr leaf_set loads = leaf_sets<P>::template phase<0> | leaf_sets<P>::items;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest(y_scan_scratch_bytes(l.dim_x, l.dim_y, sizeof(accumulator_type)),
                               State::scratch_bytes(l.dim_x, l.dim_y, planned_block));
    }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return static_cast<std::size_t>(l.state_words) * sizeof(std::uint64_t);
    }

    template <int, DeviceAtomics B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t depth = static_cast<index_t>(block.dim_y()) * N;
        const index_t strips = detail::column_tiles<P, V>(block, p);
        State lookback(static_cast<std::uint64_t*>(p.partials), p.state_words, (p.walked_size + depth - 1) / depth,
                       strips);
        for (LookbackTile tile = lookback.take(block); lookback.exists(tile); tile = lookback.take(block)) {
            const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile.row);
            one_tile(block, p, lookback, tile, state, tile.index * depth + static_cast<index_t>(block.thread_y()) * N);
        }
    }

private:
    template <class B>
    static FUSE_HD void one_tile(B& block, const Params<P>& p, State& lookback, const LookbackTile& tile,
                                 const ColumnState<P, V>& state, index_t s) {
        ColumnItems<P, V> items[N] = {};
        as_whole_vectors<loads>(p, state, [&]<ColumnLoads Loads>() FUSE_INLINE_LAMBDA {
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                if (s + j < p.walked_size) {
                    load_column<loads, Loads, P, V>(items[j], p, state, s + j);
                }
            }
        });
        lookback.request(block);
        accumulator_type own = Accumulators{}.init();
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            take_column_item<P, V, phase>(own, p, state, items[j], s + j);
        }
        const auto column = BlockYScan(block, own, Accumulators{});
        const auto published = lookback.publish(block, Accumulators{}, tile, column.total);
        const accumulator_type carry = lookback.collect(block, Accumulators{}, tile, published);
        write_scanned_columns<N>(p, state, items, s, Accumulators{}.combine(carry, column.before));
        if (tile.index + 1 == lookback.tiles()) {
            finish_columns(block, p, state, tile.row, Accumulators{}.combine(carry, column.total));
        }
    }
};

FUSE_END_NAMESPACE
