// SPDX-License-Identifier: Apache-2.0
//
// Scans of rows of a few elements, and of rows that vectors do not divide: the rows of a block lie in shared memory
// (short_rows/row_tile.hpp), and a few threads share one. Each goes along its own elements, which are neighbours, twice: for
// their fold, and when the fold of those before them is known, for the results. A thread that has a row to itself goes
// along it once.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/kernels/scan/scan_vector.hpp"
#include "fuse/kernels/short_rows/row_tile.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// The results of scans at one element: `before` it and `through` it.
template <class P>
struct RunningContext : RowContext<P, 1> {
    using phase = at_t<typename P::phases, 0>;

    const scan_accumulator<P>& before;
    const scan_accumulator<P>& through;
    index_t position;

    FUSE_HD RunningContext(const RowContext<P, 1>& context, const scan_accumulator<P>& all_before,
                           const scan_accumulator<P>& up_to_here, index_t s)
        : RowContext<P, 1>(context), before(all_before), through(up_to_here), position(s) {}

    template <int I>
    FUSE_HD auto result(int) const {
        using R = typename phase::template at<I>::reduction_op;
        if constexpr (R::exclusive) {
            return R{}.project(get<I>(before), position);
        } else {
            return R{}.project(get<I>(through), position + 1);
        }
    }
};

namespace detail {

/// Whether what an output takes says itself where it goes.
template <class P, class O>
constexpr bool is_scattered_output() {
    if constexpr (O::extent == kir::Extent::item) {
        return is_scattered<decltype(Evaluate<typename O::expression>::at(std::declval<const RunningContext<P>&>(),
                                                                          0))>;
    } else {
        return false;
    }
}
template <class P, class... O>
constexpr bool scatters(type_list<O...>) {
    return (is_scattered_output<P, O>() || ...);
}

}  // namespace detail

template <class P>
struct ScanShortRowsKernel : Kernel<P, 1, short_row_elements> {
    using Tile = RowTile<P, longest_tiled_scan>;
    using product = scan_product<P>;
    using accumulator = scan_accumulator<P>;
    static constexpr int max_threads = static_cast<int>(short_row_threads);
    static constexpr int min_blocks = sizeof(accumulator) <= 8 && moving_bytes<scan_leaves<P>, P> <= 12 ? 16 : 8;

    static constexpr int item_bytes = detail::item_sizes<false>(typename P::leaves{}, typename P::outputs{}).widest;
    /// Elements of a bank of shared memory, and of a few.
    static constexpr int bank_items = item_bytes < 4 ? 4 / item_bytes : 1;
    static constexpr int few_banks = item_bytes < 32 ? 32 / item_bytes : 1;

    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return Tile::bytes(static_cast<unsigned>(share));
    }

    template <int, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t rows = static_cast<unsigned>(p.share) / static_cast<unsigned>(p.walked_size);
        for (index_t first = block.block_x() * rows; first < p.kept_size; first += block.grid_x() * rows) {
            const Tile tile(block, p, first);
            tile.load(block, p);
            // Threads beyond the last row take part in the collectives.
            for (unsigned start = 0; start < tile.rows(); start += block.dim_y()) {
                const unsigned own = start + block.thread_y();
                one_row(block, p, tile, first, own, own < tile.rows());
            }
            tile.store(block, p);
        }
    }

private:
    template <ThreadBlock B>
    static FUSE_HD void one_row(B& block, const Params<P>& p, const Tile& tile, index_t first, unsigned own,
                                bool active) {
        const index_t row = first + (active ? own : 0);
        const int n = static_cast<int>(p.walked_size);
        const int lanes = static_cast<int>(block.dim_x());
        // So many elements each that lanes meet different banks. Where rows meet the same ones, the first lane of each has
        // another number of them.
        const int share = ((n + lanes - 1) / lanes + bank_items - 1) / bank_items * bank_items | bank_items;
        const int skew = n % few_banks == 0 ? static_cast<int>(own % (32U / block.dim_x())) * bank_items : 0;
        const int spare = lanes * share - n;
        const int first_item = share * static_cast<int>(block.thread_x()) - (skew < spare ? skew : spare);
        const int begin = first_item < 0 ? 0 : first_item;
        const int end = !active ? 0 : first_item + share < n ? first_item + share : n;
        const RowState<P> state(p, row);
        const results_t<P> none{};
        // Several elements are on their way at a time.
        const auto for_own = [&]<leaf_set Set>(auto&& visit) FUSE_INLINE_LAMBDA {
            RowItems<P, 1> items[short_row_group];
            int s = begin;
            FUSE_NO_UNROLL
            for (; s + short_row_group <= end; s += short_row_group) {
                FUSE_UNROLL
                for (int j = 0; j < short_row_group; ++j) {
                    tile.template item<Set>(items[j], p, state, own, s + j);
                }
                FUSE_UNROLL
                for (int j = 0; j < short_row_group; ++j) {
                    visit(RowContext<P, 1>{p, state, items[j], none}, s + j);
                }
            }
            FUSE_NO_UNROLL
            for (; s < end; ++s) {
                tile.template item<Set>(items[0], p, state, own, s);
                visit(RowContext<P, 1>{p, state, items[0], none}, s);
            }
        };
        const product r{};
        accumulator before = r.init();
        accumulator total = before;
        if (lanes > 1) {
            accumulator folds[1] = {before};
            accumulator others[1] = {before};
            for_own.template operator()<leaf_sets<P>::template phase<0>>(
                [&](const RowContext<P, 1>& context, int s)
                    FUSE_INLINE_LAMBDA { r.accumulate(folds[0], context, 0, s); });
            total = join_threads<InOrder<product>>(block, folds, others, lanes);
            before = others[0];
        }
        for_own.template operator()<scan_leaves<P>>([&](const RowContext<P, 1>& context, int s) FUSE_INLINE_LAMBDA {
            accumulator through = before;
            r.accumulate(through, context, 0, s);
            tile.write(p, RunningContext<P>(context, before, through, s), own, s);
            before = through;
        });
        if (active && block.thread_x() == 0) {
            write_totals<P, 1>(p, state, row, lanes > 1 ? total : before);
        }
    }
};

FUSE_END_NAMESPACE
