// SPDX-License-Identifier: Apache-2.0
//
// Columns of one phase: a tile is one block's, or `group` blocks share it. Those of a cluster hand what they have folded to
// each other through shared memory, and each finishes some of the columns; of others the last to arrive finishes all.
#pragma once

#include "fuse/kernels/columns/column_end.hpp"
#include "fuse/kernels/columns/column_group.hpp"
#include "fuse/kernels/columns/ladder.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct OnePhaseColumnsKernel : Kernel<P, V, N, Link::last_block, 2> {
    static constexpr bool down_columns = true;
    static constexpr int max_threads = 512;
    /// Runs of several words each need the registers of two.
    static constexpr int min_blocks = folds_runs_program<P> ? 1 : 2;
    static constexpr bool in_waves = true;
    static constexpr Link lone_link = Link::none;
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
    /// What the blocks of a cluster have of the columns that this block finishes. None where that would be much.
    static constexpr bool may_cluster = sizeof(accumulator) <= clustered_column_bytes;
    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t) {
        return may_cluster ? static_cast<unsigned>(scratch_round_up(sizeof(accumulator) * clustered_column_threads))
                           : 0;
    }

#if FUSE_HAS_DEVICE_BODIES
    template <class B>
    static FUSE_HD void run(B& block, const Params<P>& p) {
        const unsigned clustered = cluster_blocks(block);
        if (clustered > 1) {
            block.cluster_arrive();  // has begun, and may be written to
        }
        const unsigned blocks = clustered * p.group;  // one of them is 1
        const index_t tile = block.block_x() / blocks;
        const accumulator parts = fold_share(block, p, tile, block.block_x() % blocks, blocks);
        if (clustered > 1) {
            finish_in_cluster(block, p, tile, parts);
        } else if (p.group > 1) {
            leave(block, p, parts);
            const unsigned group = p.group == block.grid_x() ? 0 : block.block_x() / p.group;
            if (last_block(block, p.counters + group, p.group)) {
                stage<1>(block, p);
            }
        } else if (block.thread_y() == 0) {
            write(block, p, tile, parts);
        }
    }

    /// The two stages of several blocks that are no cluster.
    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t tile = block.block_x() / p.group;
        if constexpr (Stage == 0) {
            leave(block, p, fold_share(block, p, tile, block.block_x() % p.group, p.group));
        } else {
            const auto* const first =
                static_cast<const accumulator*>(p.partials) + tile * p.group * block.dim_x() + block.thread_x();
            const accumulator total =
                detail::fold_members<Accumulators>(block, first, p.group, block.dim_x(), OneThread{});
            if (block.thread_y() == 0) {
                write(block, p, tile, total);
            }
        }
    }

private:
    template <class B>
    static FUSE_HD unsigned cluster_blocks(B& block) {
        if constexpr (may_cluster && B::has_clusters) {
            return block.cluster_blocks();
        } else {
            return 1;
        }
    }

    /// Share number `member` of `members` of the columns of a tile, in the threads of the block's first row.
    template <class B>
    static FUSE_HD accumulator fold_share(B& block, const Params<P>& p, index_t tile, index_t member, index_t members) {
        constexpr leaf_set set = leaf_sets<P>::template phase<0>;
        const ColumnResults<P, V> none{};
        const Span span = detail::column_share(block, p, member, members);
        const auto fold = [&](const ColumnState<P, V>& state) FUSE_INLINE_LAMBDA {
            return detail::fold_column<phase, 0, set, N, FoldLength::bounded, false, P, V>(block, p, state, none, span);
        };
        // Each way apart: most columns lie as vectors of one index, and of these a compiler knows more.
        const auto fold_as_they_lie = [&]() FUSE_INLINE_LAMBDA {
            if constexpr (detail::may_pack_columns<B>) {
                if (packs_columns(p.packing)) {
                    return fold(detail::column_state_at<V, B>(p, detail::packed_column_place<V>(block, p, tile)));
                }
            }
            const auto state = detail::column_state_at<V, B>(p, detail::column_place<V>(block, p, tile));
            if constexpr (unaligned_leaves<P, V> != 0) {
                if (p.packing == ColumnPacking::unaligned) {
                    return detail::fold_whole_column<phase, set, N, FoldLength::bounded, ColumnLoads::pieces, false, P,
                                                     V, B>(p, state, none, span);
                }
            }
            return fold(state);
        };
        return BlockYReduce(block, fold_as_they_lie(), Accumulators{}, OneThread{});
    }

    /// Partials are stored per block and thread x, V accumulators each.
    template <class B>
    static FUSE_HD void leave(B& block, const Params<P>& p, const accumulator& parts) {
        if (block.thread_y() == 0) {
            const index_t place = static_cast<index_t>(block.block_x()) * block.dim_x() + block.thread_x();
            static_cast<accumulator*>(p.partials)[place] = parts;
        }
    }

    /// Block r gets the r-th part of the columns from all blocks of the cluster, and folds it in their order.
    template <class B>
    static FUSE_HD void finish_in_cluster(B& block, const Params<P>& p, index_t tile, const accumulator& parts) {
        const unsigned blocks = block.cluster_blocks();
        const unsigned rank = block.cluster_rank();
        const unsigned columns = (block.dim_x() + blocks - 1) / blocks;  // threads whose columns a block finishes
        const unsigned place = block.thread_x() % columns;
        auto* const brought = reinterpret_cast<accumulator*>(block.own_memory());
        block.cluster_wait();
        if (block.thread_y() == 0) {
            *block.peer(brought + rank * columns + place, block.thread_x() / columns) = parts;
        }
        block.cluster_arrive();
        block.cluster_wait();
        if (block.thread_y() == 0 && block.thread_x() / columns == rank) {
            accumulator total = brought[place];
            for (unsigned other = 1; other < blocks; ++other) {
                total = Accumulators{}.combine(total, brought[other * columns + place]);
            }
            write(block, p, tile, total);
        }
    }

    template <class B>
    static FUSE_HD void write(B& block, const Params<P>& p, index_t tile, const accumulator& total) {
        finish_columns(block, p, detail::column_state<P, V>(block, p, tile), tile, total);
    }
#endif
};

FUSE_END_NAMESPACE
