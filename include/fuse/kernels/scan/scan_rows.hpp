// SPDX-License-Identifier: Apache-2.0
//
// Scans along the innermost axis: dim_x threads per row, dim_y rows per block, a row tile by tile with a carry. Vectors
// begin with the row; Peeled: where its memory is aligned, for rows of any length that begin anywhere.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/kernels/scan/scan_stretched.hpp"
#include "fuse/kernels/scan/scan_tile.hpp"

FUSE_BEGIN_NAMESPACE

/// Blocks per multiprocessor that a scan kernel leaves registers for: a word for each running fold of a thread and each
/// fold before a vector, and some forty for the rest, a few more where each vector is looked at by itself.
template <class P, int V, int N, int Threads, bool Peeled>
inline constexpr int scan_min_blocks = [] {
    const int words = static_cast<int>(sizeof(typename ScanTile<P, V, N>::accumulator) + 3) / 4 * N * (V + 1);
    const int blocks = 65536 / Threads / (words + (Peeled ? 48 : 42));
    return blocks < 1 ? 1 : blocks;
}();

template <class P, int V, int N, bool Peeled = false>
struct ScanRowsKernel : Kernel<P, V, N> {
    static constexpr int max_threads = Peeled ? peeled_scan_threads : 512;
    static constexpr int min_blocks = scan_min_blocks<P, V, N, max_threads, Peeled>;
    using Paths = std::conditional_t<Peeled, PeeledPaths, detail::LaidPaths<>>;
    using Tile = ScanTile<P, V, N, Paths>;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return x_scan_scratch_bytes(l.dim_x, l.dim_y, sizeof(typename Tile::accumulator));
    }

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (P::stretches) {
            if (stretched(p)) {
                return scan_rows_stretched(block, p);
            }
        }
        const index_t step = static_cast<index_t>(block.grid_x()) * block.dim_y();
        for (index_t start = static_cast<index_t>(block.block_x()) * block.dim_y(); start < p.kept_size;
             start += step) {
            const index_t row = start + block.thread_y();
            const bool active = row < p.kept_size;  // threads beyond the last row take part in the collectives
            const RowState<P> state(p, active ? row : 0);
            const index_t end = active ? p.walked_size : 0;
            Paths paths;
            index_t first = 0;
            if constexpr (Peeled) {
                paths.head = detail::row_head<V, true>(p, active ? row : 0);
                first = paths.head > 0 ? paths.head - V : 0;
            }
            auto carry = typename Tile::product{}.init();
            for (; first < p.walked_size; first += Tile::size(block)) {
                Tile tile(paths);
                tile.load(block, p, state, first, end);
                const auto total = tile.scan(block, p, state);
                tile.write(p, state, row, carry);
                carry = typename Tile::product{}.combine(carry, total);
            }
            if (active && block.thread_x() == 0) {
                write_totals<P, V>(p, state, row, carry);
            }
        }
    }
};

FUSE_END_NAMESPACE
