// SPDX-License-Identifier: Apache-2.0
//
// The map family: no reduction. Each thread takes N vectors of V elements, a block's width apart; blocks step through
// the domain. All loads of a thread are issued before the first value is used.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/visit_span.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/kernels/map/host_tile.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct MapKernel : Kernel<P, V, N> {
    static constexpr int max_threads = 256;
    static constexpr int min_blocks = 4;

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const RowState<P> row(p, 0);
        const results_t<P> results{};
        if constexpr (lone_thread<B> && (Params<P>::traits::walked_rank > 1)) {
            host_pieces(block, p, row, results);
        } else {
            const index_t first = block.block_x() * p.share;
            for (index_t tile = first; tile < p.walked_size; tile += block.grid_x() * p.share) {
                const index_t end = tile + p.share < p.walked_size ? tile + p.share : p.walked_size;
                one_tile(block, p, row, results, thread_span<V, false>(tile, end, block.thread_x(), block.dim_x()));
            }
        }
        const RowItems<P, V> none{};
        write_once(p, RowContext<P, V>{p, row, none, results},
                   Share{block.block_x(), block.grid_x(), block.thread_x(), block.dim_x()});
    }

private:
    /// By a host thread: a share of the domain at a time, or a tile of it.
    template <class B>
    static FUSE_HD void host_pieces(B& block, const Params<P>& p, const RowState<P>& row, const results_t<P>& results) {
        const bool tiled = p.share == 0;
        HostTile<P> tile(p, tiled);
        const auto tiles = tile.tiles(p);
        const index_t pieces = tiled ? tiles.of(p.walked_size) : (p.walked_size + p.share - 1) / p.share;
        for (index_t i = block.block_x(); i < pieces; i += block.grid_x()) {
            Span span{i * p.share, V, (i + 1) * p.share < p.walked_size ? (i + 1) * p.share : p.walked_size};
            if (tiled) {
                tile.move(p, row, tiles, i);
                span = {0, V, tile.params.walked_size};
            }
            one_tile(block, tiled ? tile.params : p, tiled ? tile.row : row, results, span);
        }
    }

    template <class B>
    static FUSE_HD void one_tile(B&, const Params<P>& p, const RowState<P>& row, const results_t<P>& results,
                                 const Span& span) {
        if constexpr (P::stretches) {
            if (stretched(p)) {
                return visit_own<leaf_sets<P>::items, V>(
                    p, row, results, span,
                    [&](const RowContext<P, 1>& context, index_t s) { write_own(p, context, 0, s); });
            }
        }
        if constexpr (!lone_thread<B> && (Params<P>::traits::walked_rank > 1)) {
            // Others take other kernels (broadcast_map.hpp).
        } else if constexpr (lone_thread<B>) {
            visit_chunks<leaf_sets<P>::items, chunk_items>(
                p, row, results, span, [&](const ChunkContext<P>& context, index_t s, index_t left) FUSE_INLINE_LAMBDA {
                    write_items<false, P, chunk_items>(p, context, 0, s, left);
                });
        } else {
            visit_span<leaf_sets<P>::items, N, P, V>(
                p, row, results, span,
                [&](const RowContext<P, V>& context, index_t s, index_t left)
                    FUSE_INLINE_LAMBDA { write_items<false, P, V>(p, context, 0, s, left); });
        }
    }
};

FUSE_END_NAMESPACE
