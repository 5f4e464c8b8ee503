// SPDX-License-Identifier: Apache-2.0
//
// Columns of few elements each row, whose rows lie one behind the other: read and written in lines of a few rows
// (plan/joined_rows.hpp), a vector of which each thread along x has, so that it meets the same columns in all lines. Lines are
// shared by the threads along y and by `group` blocks, or by those of a cluster, which bring each other what they have folded.
#pragma once

#include "fuse/kernels/columns/column_end.hpp"
#include "fuse/kernels/columns/joined_folds.hpp"
#include "fuse/kernels/columns/joined_place.hpp"
#include "fuse/kernels/columns/ladder.hpp"
#include "fuse/primitives/grid/last_block.hpp"

FUSE_BEGIN_NAMESPACE

/// Says of all that differs from row to row that it lies in lines, which rows of one element have no axis for.
template <class P>
FUSE_HD void join_rows(Params<P>& p) {
    const auto join = [](auto& operand) FUSE_INLINE_LAMBDA {
        operand.x = 1;
        operand.vector = true;
    };
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (at_t<typename P::leaves, I>::walked) {
            join(get<I>(p.leaves));
        }
    });
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
            join(get<I>(p.outputs));
        }
    });
}

template <class P, int V, int N>
struct JoinedColumnsKernel : Kernel<P, V, N, one_sweep<P, true> ? Link::last_block : Link::group_sync> {
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 1;
    static constexpr bool in_waves = true;
    static constexpr Link lone_link = Link::none;
    using sets = leaf_sets<P>;
    using sweeps = sweeps_t<P, true>;
    /// After one sweep the last block of a group finishes columns alone.
    static constexpr bool once = one_sweep<P, true>;
    static constexpr FoldLength length = once ? FoldLength::bounded : FoldLength::any;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest_bytes(detail::sweep_sizes<sweeps>, [&l](std::size_t accumulator) {
            return detail::largest(
                detail::largest(last_block_scratch_bytes, scratch_round_up(l.dim_x * accumulator * V)),
                detail::largest(detail::halving_fold_scratch_bytes(l.dim_y, l.dim_x, accumulator * V),
                                detail::halving_fold_scratch_bytes(2, l.threads(), accumulator)));
        });
    }
    static constexpr std::size_t place_bytes = scratch_round_up(detail::largest_accumulator<sweeps>);
    /// Of each block of a group, and before those the fold of them: an accumulator for each column, of which a line has no more
    /// than lanes. The fold of one sweep lies where no other has parts (shared_columns.hpp).
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return place_bytes * l.dim_x * V * static_cast<std::size_t>(l.grid + l.grid / l.group);
    }
    /// What the blocks of a cluster have of all columns, of two sweeps: one may still be read where the next is brought. The
    /// share of others is 0. One fold has nothing to gain from a cluster (measured).
    static constexpr bool may_cluster = place_bytes <= joined_cluster_bytes && !once;
    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return may_cluster && share > 0 ? 2 * max_cluster_blocks * joined_cluster_bytes : 0;
    }

#if FUSE_HAS_DEVICE_BODIES
    template <DeviceAtomics B>
    static FUSE_HD void run(B& block, const Params<P>& p) {
        unsigned clustered = 1;
        if constexpr (may_cluster && B::has_clusters) {
            clustered = block.cluster_blocks();
            if (clustered > 1) {
                block.cluster_arrive();  // has begun, and may be written to
                block.cluster_wait();
            }
        }
        const unsigned blocks = clustered * p.group;  // one of them is 1
        for (index_t tile = block.block_x() / blocks; tile < p.kept_size; tile += block.grid_x() / blocks) {
            one_tile(block, p, tile, blocks, clustered > 1);
        }
    }

private:
    template <class B>
    static FUSE_HD void one_tile(B& block, const Params<P>& p, index_t tile, unsigned blocks, bool clustered) {
        const unsigned member = block.block_x() % blocks;
        const JoinedPlace<P, V> place(block, p, tile, index_t{member} * block.dim_y() + block.thread_y(),
                                      index_t{blocks} * block.dim_y());
        ColumnResults<P, V> results{};
        const auto columns = static_cast<unsigned>(p.x_size);
        const auto sweep = [&]<int I>(auto&& meet) FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            using Folds = ItemFolds<Product<typename Sw::phase>, V>;
            constexpr bool writes = sets::writes_early && I + 1 == sweeps::size;
            const auto line =
                detail::halving_fold(block, place.template fold<Sw, N, length, writes, B>(p, results), Folds{},
                                     block.thread_y(), block.dim_y(), block.thread_x(), block.dim_x());
            const auto* totals = detail::join_lanes<Folds, V>(block, line, columns);
            if constexpr (may_cluster && B::has_clusters) {
                if (clustered) {
                    totals = of_cluster<I % 2, typename Sw::phase>(block, totals, columns);
                }
            }
            if (p.group > 1) {
                totals = of_group<typename Sw::phase>(block, p, tile, totals, meet);
            }
            if (totals != nullptr) {
                const auto lanes = detail::spread_lanes<Folds, V>(totals, block.thread_x(), columns);
                detail::project_columns<Sw::first, typename Sw::phase, P, V>(lanes, p, results);
            }
            return totals != nullptr;
        };
        if constexpr (once) {
            const auto last = [&](auto&& fold) FUSE_INLINE_LAMBDA {
                const bool is = last_block(block, p.counters + tile, p.group);
                if (is) {
                    fold();
                }
                return is;
            };
            if (sweep.template operator()<0>(last)) {
                finish(block, p, place, results, tile);
            }
        } else {
            GroupRounds rounds(p.group > 1 ? p.counters + tile : nullptr, p.group);
            const auto all = [&](auto&& fold) FUSE_INLINE_LAMBDA {
                rounds.meet(block, fold);
                return true;
            };
            static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA { sweep.template operator()<I>(all); });
            if (p.group > 1) {
                rounds.leave(block);
            }
            if constexpr (sets::writes_items && !sets::writes_early) {
                place.template write<N>(p, results);
            }
            if (member == 0) {
                finish(block, p, place, results, tile);
            }
        }
    }

    /// From what a block of a cluster has of each column to what all of them have: each block is brought all parts. Half: where
    /// in its memory.
    template <int Half, class Ph, class One, class B>
    static FUSE_HD const One* of_cluster(B& block, const One* totals, unsigned columns) {
        const unsigned blocks = block.cluster_blocks();
        const unsigned threads = block_threads(block);
        auto* const parts =
            reinterpret_cast<One*>(block.own_memory() + Half * max_cluster_blocks * joined_cluster_bytes);
        for (unsigned i = linear_thread(block); i < columns * blocks; i += threads) {
            *block.peer(parts + block.cluster_rank() * columns + i % columns, i / columns) = totals[i % columns];
        }
        block.cluster_arrive();
        block.cluster_wait();
        One* const of_all = block.template scratch<One>(columns);
        for (unsigned c = linear_thread(block); c < columns; c += threads) {
            One total = parts[c];
            for (unsigned other = 1; other < blocks; ++other) {
                total = Product<Ph>{}.combine(total, parts[other * columns + c]);
            }
            of_all[c] = total;
        }
        block.sync();
        return of_all;
    }

    /// From what a block of a group has of each column to what all of them have. meet(fold) calls fold() in the block that
    /// arrives last; null: another block arrives later, and goes on alone.
    template <class Ph, class One, class B, class Meet>
    static FUSE_HD const One* of_group(B& block, const Params<P>& p, index_t tile, const One* totals, Meet&& meet) {
        const auto columns = static_cast<unsigned>(p.x_size);
        const unsigned t = linear_thread(block);
        const std::size_t place = place_bytes * columns;
        auto* const memory =
            static_cast<unsigned char*>(p.partials) + static_cast<std::size_t>(tile * (p.group + index_t{1})) * place;
        auto* const of_all = reinterpret_cast<One*>(memory);
        auto* const parts = reinterpret_cast<One*>(memory + place);
        if (t < columns) {
            parts[block.block_x() % p.group * columns + t] = totals[t];
        }
        return meet([&]() FUSE_INLINE_LAMBDA {
            const One total = detail::fold_members_of_columns(block, parts, Product<Ph>{}, p.group, columns);
            if (t < columns) {
                of_all[t] = total;
            }
            block.sync();
        })
                   ? of_all
                   : nullptr;
    }

    template <class B>
    static FUSE_HD void finish(B& block, const Params<P>& p, const JoinedPlace<P, V>& place,
                               const ColumnResults<P, V>& results, index_t tile) {
        const ColumnItems<P, V> none{};
        const ColumnState<P, V> state = place.of_first_row(p);
        finish_columns(block, ColumnContext<P, V>{p, state, none, results}, tile);
    }
#endif
};

FUSE_END_NAMESPACE
