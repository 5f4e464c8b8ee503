// SPDX-License-Identifier: Apache-2.0
//
// Rows of a few elements, a thread each. Were every thread to read its own row, a warp would touch 32 places at a time,
// and write each sector of memory several times. So the rows of a block, which lie one behind the other, are copied to
// shared memory as one piece; each thread takes its row from there, holds it in registers for all phases, and leaves
// its results there, which are written as one piece again.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/row_end.hpp"
#include "fuse/kernels/short_rows/ladder.hpp"
#include "fuse/kernels/short_rows/row_tile.hpp"

FUSE_BEGIN_NAMESPACE

/// N: elements of the longest row.
template <class P, int N>
struct ShortRowsKernel
    : Kernel<P, 1, N, P::epilogue::size == 0 ? Link::none : Link::last_block, P::epilogue::size == 0 ? 1 : 2> {
    using sets = leaf_sets<P>;
    using Tile = RowTile<P, N>;
    static constexpr int max_threads = static_cast<int>(short_row_threads);
    static constexpr bool has_epilogue = P::epilogue::size > 0;
    /// All that is used of a row.
    static constexpr leaf_set held = sets::walked & (sets::sweeps_of::folded_in(true) | sets::items);
    /// Registers for what a thread holds.
    static constexpr int held_words = [] {
        using sizes = detail::leaf_sizes<typename P::leaves>;
        int words = 0;
        for (int i = 0; i < P::leaves::size; ++i) {
            words += ((held >> i) & 1U) != 0 ? (sizes::computed[i] + 3) / 4 * N : 0;
        }
        return words;
    }();
    /// About thirty registers for addresses and results.
    static constexpr int min_blocks = static_cast<int>(detail::limited(65536 / max_threads / (30 + held_words), 1, 8));

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        if constexpr (has_epilogue) {
            using epilogue = typename EpilogueMemory<P>::accumulator;
            return detail::largest(last_block_scratch_bytes,
                                   block_reduce_scratch_bytes(l.dim_x, l.dim_y, sizeof(epilogue), planned_block));
        } else {
            return 0;
        }
    }
    static FUSE_HD constexpr unsigned own_bytes(unsigned threads, index_t) { return Tile::bytes(threads); }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        if constexpr (has_epilogue) {
            return EpilogueMemory<P>::bytes(l.grid);
        } else {
            return 0;
        }
    }

    template <int Stage, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 1) {
            finish_epilogue<1>(block, p);
        } else {
            EpilogueAccumulator<P, 1, B> epilogue;
            const index_t rows = block.dim_y();
            for (index_t first = block.block_x() * rows; first < p.kept_size; first += block.grid_x() * rows) {
                const Tile tile(block, p, first);
                const index_t row = tile.active() ? first + block.thread_y() : first;
                const RowState<P> state(p, row);
                tile.load(block, p, state);
                if (tile.active()) {
                    one_row(block, p, tile, state, row, epilogue);
                }
                tile.store(block, p, row);
            }
            if constexpr (has_epilogue) {
                epilogue.store_partial(block, p);
            }
        }
    }

private:
    template <ThreadBlock B>
    static FUSE_HD void one_row(B& block, const Params<P>& p, const Tile& tile, const RowState<P>& state, index_t row,
                                EpilogueAccumulator<P, 1, B>& epilogue) {
        const auto n = static_cast<int>(p.walked_size);
        results_t<P> results{};
        RowItems<P, 1> items[N];
        tile.template items<held>(items, p, state);
        static_for<P::phases::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            const Product<at_t<typename P::phases, I>> product;
            auto total = product.init();
            for_held_elements<N>(n, [&](int j) FUSE_INLINE_LAMBDA {
                const auto part =
                    product.template gather<1>(RowContext<P, 1>{p, state, items[j], results}, j < n ? j : n - 1);
                const auto joined = product.combine(total, part);
                total = j < n ? joined : total;
            });
            product.template project<first_result<P, I>>(total, p, p.walked_size, results);
        });
        if constexpr (sets::writes_items) {
            for_held_elements<N>(n, [&](int j) FUSE_INLINE_LAMBDA {
                const RowContext<P, 1> context{p, state, items[j], results};
                tile.write(p, context, j);
                epilogue.take_items(context, row, p.walked_size, j, j < n ? 1 : 0);
            });
        }
        const RowItems<P, 1> none{};
        finish_row<P, 1, B>(p, row, RowContext<P, 1>{p, state, none, results}, block.thread_x(), block.dim_x(),
                            epilogue);
    }
};

FUSE_END_NAMESPACE
