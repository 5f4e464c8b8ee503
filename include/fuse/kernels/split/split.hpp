// SPDX-License-Identifier: Apache-2.0
//
// Long rows with one phase, or everything: `group` blocks share a row, the last of them to arrive folds the partials
// and writes.
#pragma once

#include "fuse/kernels/body/shares.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct SplitKernel : Kernel<P, V, N, Link::last_block, 2> {
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 2;
    using phase = at_t<typename P::phases, 0>;
    using product = Product<phase>;
    static constexpr bool lone_block_finishes = true;
    static constexpr bool in_waves = true;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest(
            last_block_scratch_bytes,
            block_reduce_scratch_bytes(l.dim_x, l.dim_y, sizeof(typename product::accumulator), planned_block));
    }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return sizeof(typename product::accumulator) * static_cast<std::size_t>(l.grid);
    }

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t row = block.block_x() / p.group;
        auto* partials = static_cast<typename product::accumulator*>(p.partials);
        const RowState<P> state(p, row);
        if constexpr (Stage == 0) {
            const results_t<P> none{};
            const auto part = detail::fold_share<phase, 0, leaf_sets<P>::template phase<0>, V, N, FoldLength::bounded>(
                block, p, state, none, block.block_x() % p.group);
            if (linear_thread(block) == 0) {
                if (p.group == 1) {
                    finish(p, state, row, part);
                } else {
                    partials[block.block_x()] = part;
                }
            }
        } else if (p.group > 1) {
            const auto total = fold_partials<product>(block, partials + row * p.group, p.group);
            if (linear_thread(block) == 0) {
                finish(p, state, row, total);
            }
        }
    }

private:
    static FUSE_HD void finish(const Params<P>& p, const RowState<P>& state, index_t row,
                               const typename product::accumulator& total) {
        results_t<P> results{};
        product{}.template project<0>(total, p, p.walked_size, results);
        const RowItems<P, V> none{};
        const RowContext<P, V> context{p, state, none, results};
        write_kept(p, context, row);
        write_once(p, context, Share{row, 1, 0, 1});
    }
};

FUSE_END_NAMESPACE
