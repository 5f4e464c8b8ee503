// SPDX-License-Identifier: Apache-2.0
//
// Few tiles of columns and one phase: `group` blocks share a tile, the last of them to arrive finishes it.
#pragma once

#include "fuse/kernels/columns/column_group.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct ColumnSplitKernel : Kernel<P, V, N, Link::last_block, 2> {
    static constexpr bool down_columns = true;
    static constexpr int max_threads = 512;
    /// Runs of several words each need the registers of two.
    static constexpr int min_blocks = folds_runs_program<P> ? 1 : 2;
    static constexpr bool in_waves = true;
    using phase = at_t<typename P::phases, 0>;
    using Accumulators = ItemFolds<Product<phase>, V>;
    using accumulator = typename Accumulators::accumulator;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest(last_block_scratch_bytes,
                               y_reduce_scratch_bytes(l.dim_x, l.dim_y, sizeof(accumulator), planned_block));
    }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return sizeof(accumulator) * static_cast<std::size_t>(l.grid) * l.dim_x;
    }

    /// Partials are stored per block and thread x, V accumulators each.
    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t tile = block.block_x() / p.group;
        const index_t member = block.block_x() % p.group;
        const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
        auto* partials = static_cast<accumulator*>(p.partials);
        ColumnResults<P, V> results{};
        if constexpr (Stage == 0) {
            const Span span = detail::column_share(block, p, member);
            accumulator parts =
                detail::fold_column<phase, 0, leaf_sets<P>::template phase<0>, N, FoldLength::bounded, P, V>(
                    block, p, state, results, span);
            parts = BlockYReduce(block, parts, Accumulators{}, OneThread{});
            if (block.thread_y() == 0) {
                partials[static_cast<index_t>(block.block_x()) * block.dim_x() + block.thread_x()] = parts;
            }
        } else {
            const accumulator total =
                detail::fold_members<Accumulators>(block, partials + tile * p.group * block.dim_x() + block.thread_x(),
                                                   p.group, block.dim_x(), OneThread{});
            if (block.thread_y() == 0) {
                detail::project_columns<0, phase, P, V>(total, p, results);
                const ColumnItems<P, V> none{};
                const ColumnContext<P, V> context{p, state, none, results};
                write_column<kir::Extent::kept, V>(p, context, 0);
                if (block.thread_x() == 0) {
                    write_once(p, context, Share{tile, 1, 0, 1});
                }
            }
        }
    }
};

FUSE_END_NAMESPACE
