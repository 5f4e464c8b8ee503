// SPDX-License-Identifier: Apache-2.0
//
// Columns with one phase on a CPU: `group` blocks share a tile, a piece of its rows each, where tiles are fewer than cores
// may be.
#pragma once

#include "fuse/kernels/body/epilogue.hpp"
#include "fuse/kernels/columns/column_end.hpp"
#include "fuse/kernels/columns/column_sweep.hpp"
#include "fuse/kernels/columns/rows_as_columns.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N, Hold H>
struct ColumnPiecesKernel : Kernel<P, V, N, Link::last_block, 2> {
    static constexpr int max_threads = 1;
    static constexpr int min_blocks = 1;
    static constexpr Link lone_link = Link::none;
    using Accumulators = ItemFolds<Product<at_t<typename P::phases, 0>>, V>;
    using accumulator = typename Accumulators::accumulator;

    static constexpr std::size_t partial_bytes(const Launch& l) {
        return sizeof(accumulator) * static_cast<std::size_t>(l.grid);
    }

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        auto* partials = static_cast<accumulator*>(p.partials);
        const index_t tiles = detail::column_tiles<P, V>(block, p);
        const index_t member = block.block_x() % p.group;
        for (index_t tile = block.block_x() / p.group; tile < tiles; tile += block.grid_x() / p.group) {
            const auto state = detail::column_state<P, V>(block, p, tile);
            if constexpr (Stage == 0) {
                const index_t first = member * p.share;
                const bool last = p.group == 1 || first + p.share > p.walked_size;
                const auto total = fold<B>(p, state, Span{first, 1, last ? p.walked_size : first + p.share});
                if (p.group == 1) {
                    finish_columns(block, p, state, tile, total);
                } else {
                    partials[block.block_x()] = total;
                }
            } else if (p.group > 1) {
                finish_columns(block, p, state, tile,
                               fold_partials<Accumulators>(block, partials + tile * p.group, p.group));
            }
        }
    }

private:
    template <class B>
    static FUSE_HD accumulator fold(const Params<P>& p, const ColumnState<P, V>& state, const Span& span) {
        ProgramCalls<P, V> calls(0);
        const ColumnResults<P, V> none{};
        if constexpr (H == Hold::beside) {
            RowsAsColumns<P, V> rows(p);
            return detail::fold_host_column<0, false, false, P, V, B>(rows.params(), rows.load(state), none, span,
                                                                      calls);
        } else {
            return detail::fold_host_column<0, P::stretches, false, P, V, B>(p, state, none, span, calls);
        }
    }
};

FUSE_END_NAMESPACE
