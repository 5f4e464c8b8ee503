// SPDX-License-Identifier: Apache-2.0
//
// Few long rows, or everything, with several phases or with outputs per element: each sweep reads them again, and `group`
// blocks share a row. They leave what they have folded; the last of them to arrive folds that, and all go on with the
// result. Of more than a cache has the sweep that writes goes backwards: it begins with what the one before it has read last.
#pragma once

#include "fuse/kernels/body/shares.hpp"
#include "fuse/kernels/body/straight_paths.hpp"
#include "fuse/kernels/body/visit_span.hpp"
#include "fuse/plan/joined_sweeps.hpp"
#include "fuse/primitives/grid/last_block.hpp"

FUSE_BEGIN_NAMESPACE

/// Lie: how packs lie, of which there is straight code: in vectors, or whole.
template <class P, int V, int N, Packs Lie>
struct SharedRowsKernel : Kernel<P, V, N, Link::group_sync> {
    static constexpr int max_threads = 512;
    static constexpr int min_blocks = 2;
    static constexpr bool in_waves = true;
    static constexpr Link lone_link = Link::none;
    using sets = leaf_sets<P>;
    using all_sweeps = possible_sweeps_t<P, rereading_sweeps_t<P>>;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        return detail::largest_bytes(detail::sweep_sizes<all_sweeps>, [&l](std::size_t accumulator) {
            return detail::largest(last_block_scratch_bytes,
                                   block_reduce_scratch_bytes(l.dim_x, l.dim_y, accumulator, planned_block));
        });
    }
    /// Of each block, and before those of a row the fold of them. Sweeps use the same places: a block that has come to the
    /// next fold has read the last one. So the fold lies where no sweep has parts, whose sizes may differ.
    static constexpr std::size_t place_bytes = scratch_round_up(detail::largest_accumulator<all_sweeps>);
    static constexpr std::size_t partial_bytes(const Launch& l) {
        return place_bytes * static_cast<std::size_t>(l.grid + l.grid / l.group);
    }

#if FUSE_HAS_DEVICE_BODIES
    template <DeviceAtomics B>
    static FUSE_HD void run(B& block, const Params<P>& p) {
        if constexpr (P::stretches) {
            if (stretched(p)) {
                return rows<true, detail::LaidPaths<>>(block, p);
            }
        }
        with_straight_paths<V, Lie>(p, [&]<class Paths>(const Paths&) { rows<false, Paths>(block, p); });
    }

private:
    /// Paths: where vectors lie.
    template <bool Stretched, class Paths, class B>
    static FUSE_HD void rows(B& block, const Params<P>& p) {
        const index_t first = block.block_x() / p.group;
        for (index_t row = first; row < p.kept_size; row += block.grid_x() / p.group) {
            one_row<Stretched, Paths>(block, p, row, row == first);
        }
    }

    template <bool Stretched, class Paths, class B>
    static FUSE_HD void one_row(B& block, const Params<P>& p, index_t row, bool is_first) {
        const index_t member = block.block_x() % p.group;
        const RowState<P> state(p, row);
        const Span span = detail::share_of<V, ordered_program<P>>(block, p, member);
        GroupRounds rounds(p.group > 1 ? p.counters + row : nullptr, p.group);
        results_t<P> results{};
        using sweeps = std::conditional_t<Stretched, sweeps_t<P, false>, rereading_sweeps_t<P>>;
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            using product = Product<typename Sw::phase>;
            const auto all_threads = [&](const auto& a, const auto& r)
                                         FUSE_INLINE_LAMBDA { return BlockReduce(block, a, r); };
            constexpr bool writes = !Stretched && sets::writes_early && I + 1 == sweeps::size;
            auto total =
                product{}.fold(fold<Sw, Stretched, Paths, writes>(block, p, row, state, results, span), all_threads);
            if (p.group > 1) {
                using part = typename product::accumulator;
                auto* const places = static_cast<unsigned char*>(p.partials) +
                                     static_cast<std::size_t>(row * (p.group + index_t{1})) * place_bytes;
                auto* const whole = reinterpret_cast<part*>(places);
                auto* const parts = reinterpret_cast<part*>(places + place_bytes);
                if (linear_thread(block) == 0) {
                    parts[member] = total;
                }
                rounds.meet(block, [&]() FUSE_INLINE_LAMBDA {
                    const auto all = fold_partials<product>(block, parts, p.group);
                    if (linear_thread(block) == 0) {
                        *whole = all;
                    }
                });
                total = *whole;
            }
            product{}.template project<Sw::first>(total, p, p.walked_size, results);
        });
        if (p.group > 1) {
            rounds.leave(block);
        }
        if constexpr (sets::writes_items && (Stretched || !sets::writes_early)) {
            write<Stretched, Paths>(p, row, state, results, span);
        }
        const RowItems<P, V> none{};
        const RowContext<P, V> context{p, state, none, results};
        if (member == 0 && linear_thread(block) == 0) {
            write_kept(p, context, row);
        }
        if (is_first) {
            write_once(p, context, Share{block.block_x(), block.grid_x(), linear_thread(block), block_threads(block)});
        }
    }

    template <class Sw, bool Stretched, class Paths, bool Writes, class B>
    static FUSE_HD auto fold(B& block, const Params<P>& p, index_t row, const RowState<P>& state,
                             const results_t<P>& results, const Span& span) {
        using Ph = typename Sw::phase;
        if constexpr (Stretched) {
            return fold_stretched_span<Ph, Sw::first, Sw::leaves, P, V>(block, p, state, results, span);
        } else if constexpr (Writes) {
            return fold_plain_span<Ph, Sw::leaves | sets::items, N, FoldLength::any, P, V>(
                block, p, state, results, span, Paths{},
                [&](const RowContext<P, V>& context, index_t s, index_t left)
                    FUSE_INLINE_LAMBDA { write_items<false, P, V>(p, context, row, s, left, Paths{}); });
        } else {
            return fold_plain_span<Ph, Sw::leaves, N, FoldLength::any, P, V>(block, p, state, results, span, Paths{});
        }
    }

    template <bool Stretched, class Paths>
    static FUSE_HD void write(const Params<P>& p, index_t row, const RowState<P>& state, const results_t<P>& results,
                              const Span& span) {
        if constexpr (Stretched) {
            visit_own<sets::items, V>(p, state, results, span, [&](const RowContext<P, 1>& context, index_t s) {
                write_own(p, context, row, s);
            });
        } else {
            constexpr int together = N > 2 ? 2 : N;
            const auto visit = [&](const RowContext<P, V>& context, index_t s, index_t left)
                                   FUSE_INLINE_LAMBDA { write_items<false, P, V>(p, context, row, s, left, Paths{}); };
            if (p.backwards) {
                visit_backwards<sets::items, together, P, V>(p, state, results, span, visit, Paths{});
            } else {
                visit_span<sets::items, together, P, V>(p, state, results, span, visit, Paths{});
            }
        }
    }
#endif
};

FUSE_END_NAMESPACE
