// SPDX-License-Identifier: Apache-2.0
//
// Long columns with several phases, or with outputs per element: each sweep reads them again, and `group` blocks share a
// tile. They leave what they have folded; the last of them to arrive folds that, and all go on with the result, or where one
// sweep is all there is, the last alone.
#pragma once

#include "fuse/kernels/columns/column_end.hpp"
#include "fuse/kernels/columns/column_group.hpp"
#include "fuse/kernels/columns/column_writes.hpp"
#include "fuse/primitives/grid/last_block.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct SharedColumnsKernel : Kernel<P, V, N, one_sweep<P, !P::stretches> ? Link::last_block : Link::group_sync> {
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 1;  // with half as many registers each sweep waits for those that it spills
    static constexpr bool in_waves = true;
    static constexpr Link lone_link = Link::none;
    using sets = leaf_sets<P>;
    static constexpr bool once = one_sweep<P, !P::stretches>;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest_bytes(detail::sweep_sizes<sweeps_t<P, true>>, [&l](std::size_t accumulator) {
            return detail::largest(last_block_scratch_bytes,
                                   y_reduce_scratch_bytes(l.dim_x, l.dim_y, accumulator * V, planned_block));
        });
    }
    /// Of each block, and before those of a tile the fold of them, V accumulators per thread x. Sweeps use the same places: a
    /// block that has come to the next fold has read the last one. So the fold lies where no sweep has parts, whose sizes
    /// may differ.
    static constexpr std::size_t place_bytes =
        detail::largest_bytes(detail::sweep_sizes<sweeps_t<P, true>>,
                              [](std::size_t accumulator) { return (accumulator * V + 15) / 16 * 16; });
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return place_bytes * l.dim_x * static_cast<std::size_t>(l.grid + l.grid / l.group);
    }

#if FUSE_HAS_DEVICE_BODIES
    template <DeviceAtomics B>
    static FUSE_HD void run(B& block, const Params<P>& p) {
        const index_t tiles = detail::column_tiles<P, V>(block, p);
        for (index_t tile = block.block_x() / p.group; tile < tiles; tile += block.grid_x() / p.group) {
            if constexpr (P::stretches) {
                if (stretched(p)) {
                    one_tile<true>(block, p, tile);
                    continue;
                }
            }
            one_tile<false>(block, p, tile);
        }
    }

private:
    template <bool Stretched, class B>
    static FUSE_HD void one_tile(B& block, const Params<P>& p, index_t tile) {
        const index_t member = block.block_x() % p.group;
        const ColumnState<P, V> state = detail::column_state<P, V>(block, p, tile);
        const Span span = detail::column_share<P>(block, p, member, p.group);
        GroupRounds rounds(p.group > 1 ? p.counters + tile : nullptr, p.group);
        bool finishes = member == 0;
        ColumnResults<P, V> results{};
        using sweeps = sweeps_t<P, !Stretched>;
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            using Folds = ItemFolds<Product<typename Sw::phase>, V>;
            // Before this block arrives: the outputs of columns may lie where these read.
            constexpr bool writes = sets::writes_early && I + 1 == sweeps::size;
            auto total = BlockYReduce(block, fold<Sw, Stretched, writes, B>(p, state, results, span), Folds{});
            if (p.group > 1) {
                using part = typename Folds::accumulator;
                const std::size_t places = place_bytes * block.dim_x();
                auto* const first = static_cast<unsigned char*>(p.partials) +
                                    static_cast<std::size_t>(tile * (p.group + index_t{1})) * places;
                auto* const of_all = reinterpret_cast<part*>(first) + block.thread_x();
                auto* const own = reinterpret_cast<part*>(first + places) + block.thread_x();
                if (block.thread_y() == 0) {
                    own[member * block.dim_x()] = total;
                }
                const auto fold_all = [&]() FUSE_INLINE_LAMBDA {
                    return detail::fold_members<Folds>(block, own, p.group, block.dim_x(), OneThread{});
                };
                if constexpr (once) {
                    finishes = last_block(block, p.counters + tile, p.group);
                    if (finishes) {
                        total = fold_all();
                    }
                } else {
                    rounds.meet(block, [&]() FUSE_INLINE_LAMBDA {
                        const auto all = fold_all();
                        if (block.thread_y() == 0) {
                            *of_all = all;
                        }
                    });
                    total = *of_all;
                }
            }
            detail::project_columns<Sw::first, typename Sw::phase, P, V>(total, p, results);
        });
        if (!once && p.group > 1) {
            rounds.leave(block);
        }
        if constexpr (sets::writes_items && !sets::writes_early) {
            as_whole_vectors<sets::items>(p, state, [&]<ColumnLoads Loads>() FUSE_INLINE_LAMBDA {
                detail::write_backwards<N, Loads>(p, state, results, span);
            });
        }
        if (finishes) {
            const ColumnItems<P, V> none{};
            finish_columns(block, ColumnContext<P, V>{p, state, none, results}, tile);
        }
    }

    template <class Sw, bool Stretched, bool Writes, class B>
    static FUSE_HD auto fold(const Params<P>& p, const ColumnState<P, V>& state, const ColumnResults<P, V>& results,
                             const Span& span) {
        using Ph = typename Sw::phase;
        if constexpr (Stretched) {
            const auto part =
                detail::fold_column_stretched<Ph, Sw::first, Sw::leaves, P, V, B>(p, state, results, span);
            if constexpr (Writes) {
                detail::write_backwards<1, ColumnLoads::items>(p, state, results, span);
            }
            return part;
        } else {
            constexpr leaf_set read = Sw::leaves | (Writes ? sets::items : leaf_set{0});
            return detail::fold_plain_column<Ph, read, N, FoldLength::any, Writes, P, V, B>(p, state, results, span);
        }
    }
#endif
};

FUSE_END_NAMESPACE
