// SPDX-License-Identifier: Apache-2.0
//
// Long rows with one phase, or everything: `group` blocks share a row, the last of them to arrive folds the partials
// and writes.
#pragma once

#include "fuse/kernels/body/shares.hpp"
#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/split/run_share.hpp"
#include "fuse/primitives/grid/ticket_fold.hpp"

FUSE_BEGIN_NAMESPACE

/// Uniform: where vectors lie in runs (note_runs), the leaves that have one item for each (run_share.hpp).
template <class P, int V, int N, leaf_set Uniform = 0>
struct SplitKernel : Kernel<P, V, N, Link::last_block, 2> {
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 2;
    using phase = at_t<typename P::phases, 0>;
    using product = Product<phase>;
    using Tickets = TicketFold<typename product::accumulator>;
    static constexpr Link lone_link = Link::none;
    static constexpr bool in_waves = true;
    /// Whether blocks send what they have to the one that folds it: few words, of everything.
    static constexpr bool sends = P::kept_rank == 0 && Tickets::words <= most_message_words;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest(last_block_scratch_bytes, Tickets::scratch_bytes(l.dim_x, l.dim_y, planned_block));
    }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return sizeof(typename product::accumulator) * static_cast<std::size_t>(l.grid);
    }

    static constexpr index_t counter_words(const Launch& l) {
        return sends ? 2 * Tickets::state_words(l.grid) : l.grid / l.group;
    }

    /// Where all blocks share the one row: in one go.
    template <DeviceAtomics B>
        requires(sends)
    static FUSE_HD void run(B& block, const Params<P>& p) {
        Tickets tickets(reinterpret_cast<std::uint64_t*>(p.counters));
        if (p.group > 1) {
            tickets.draw(block);
        }
        const RowState<P> state(p, 0);
        const results_t<P> none{};
        auto total = fold(block, p, state, none, block.block_x());
        if ((p.group == 1 || tickets.fold(block, total, product{})) && linear_thread(block) == 0) {
            finish(p, state, 0, total);
        }
    }

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t row = P::kept_rank > 0 ? block.block_x() / p.group : 0;
        const index_t member = block.block_x() - row * p.group;
        auto* partials = static_cast<typename product::accumulator*>(p.partials);
        const RowState<P> state(p, row);
        if constexpr (Stage == 0) {
            const results_t<P> none{};
            const auto part = fold(block, p, state, none, member);
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
    template <class B>
    static FUSE_HD typename product::accumulator fold(B& block, const Params<P>& p, const RowState<P>& state,
                                                      const results_t<P>& none, index_t member) {
        constexpr leaf_set leaves = leaf_sets<P>::template phase<0>;
        if constexpr (Uniform != 0) {
            return detail::fold_run_share<phase, leaves, Uniform, V, N>(block, p, state, none, member);
        } else {
            return detail::fold_share<phase, 0, leaves, V, N, FoldLength::bounded>(block, p, state, none, member);
        }
    }
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
