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

    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return Tile::bytes(static_cast<unsigned>(share));
    }

#if FUSE_HAS_DEVICE_BODIES
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
    /// Elements of a bank of shared memory, and of eight.
    static constexpr int item_bytes = static_cast<int>(detail::widest_in_tile<P>);
    static constexpr int bank_items = item_bytes < 4 ? 4 / item_bytes : 1;
    static constexpr int few_banks = item_bytes < 32 ? 32 / item_bytes : 1;

    /// What a thread has of row `own`; active: it has some. So many elements each that lanes meet different banks; where
    /// rows meet the same ones, the first lane of each has another number of them.
    template <ThreadBlock B>
    static FUSE_HD TileShare share_of(B& block, int n, unsigned own, bool active) {
        const int lanes = static_cast<int>(block.dim_x());
        const int most = ((n + lanes - 1) / lanes + bank_items - 1) / bank_items * bank_items | bank_items;
        const int skew = n % few_banks == 0 ? static_cast<int>(own % (32U / block.dim_x())) * bank_items : 0;
        const int spare = lanes * most - n;
        const int first = most * static_cast<int>(block.thread_x()) - (skew < spare ? skew : spare);
        return {own, first < 0 ? 0 : first, !active ? 0 : first + most < n ? first + most : n};
    }

    template <ThreadBlock B>
    static FUSE_HD void one_row(B& block, const Params<P>& p, const Tile& tile, index_t first, unsigned own,
                                bool active) {
        const index_t row = first + (active ? own : 0);
        const TileShare share = share_of(block, static_cast<int>(p.walked_size), own, active);
        const RowState<P> state(p, row);
        const results_t<P> none{};
        const product r{};
        accumulator before = r.init();
        accumulator total = before;
        const int lanes = static_cast<int>(block.dim_x());
        if (lanes > 1) {
            accumulator folds[1] = {before};
            accumulator others[1] = {before};
            tile.template for_share<leaf_sets<P>::template phase<0>>(
                share, p, state, none, [&](const RowContext<P, 1>& context, int s) FUSE_INLINE_LAMBDA {
                    r.accumulate(folds[0], context, 0, s);
                });
            total = join_threads<InOrder<product>>(block, folds, others, lanes);
            before = others[0];
        }
        tile.template for_share<scan_leaves<P>>(
            share, p, state, none, [&](const RowContext<P, 1>& context, int s) FUSE_INLINE_LAMBDA {
                accumulator through = before;
                r.accumulate(through, context, 0, s);
                tile.write(p, RunningContext<P>(context, before, through, s), own, s);
                before = through;
            });
        if (active && block.thread_x() == 0) {
            write_totals<P, 1>(p, state, row, lanes > 1 ? total : before);
        }
    }
#endif
};

FUSE_END_NAMESPACE
