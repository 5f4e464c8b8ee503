// SPDX-License-Identifier: Apache-2.0
//
// Long scans by many blocks in one pass: every element is read once and written once. A block takes a tile, scans it,
// publishes its total, learns from the tiles before it what to add (primitives/lookback.hpp), and writes.
#pragma once

#include "fuse/kernels/scan_rows.hpp"
#include "fuse/primitives/lookback.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct ScanLookbackKernel {
    using program = P;
    static constexpr int vector = V;
    static constexpr int max_threads = 256;
    static constexpr int min_blocks = scan_min_blocks<P, V, N, max_threads>;
    static constexpr int stages = 1;
    static constexpr Link link = Link::lookback;
    using Tile = ScanTile<P, V, N>;
    using accumulator_type = typename Tile::accumulator;
    using State = Lookback<accumulator_type>;

    static constexpr std::size_t scratch_bytes(unsigned dim_x, unsigned dim_y) {
        const std::size_t scan = x_scan_scratch_bytes(dim_x, dim_y, sizeof(accumulator_type));
        const std::size_t lookback = State::scratch_bytes(dim_x, dim_y);
        return scan < lookback ? lookback : scan;
    }

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t size = Tile::size(block);
        State state(static_cast<std::uint64_t*>(p.partials), p.chunk, (p.seq_size + size - 1) / size, p.outer_size);
        const LookbackTile place = state.take(block);
        const RowState<P> row(p, place.row);
        Tile tile;
        tile.load(block, p, row, place.index * size, p.seq_size);
        const auto total = tile.scan(block, p, row);
        state.publish(block, place, total);
        const auto before = state.collect(block, typename Tile::reduction{}, place, total);
        tile.write(p, row, place.row, before);
        if ((place.index + 1) * size >= p.seq_size && linear_thread(block) == 0) {
            write_totals<P, V>(p, row, place.row, typename Tile::reduction{}.combine(before, total));
        }
    }
};

FUSE_END_NAMESPACE
