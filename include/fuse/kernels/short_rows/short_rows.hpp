// SPDX-License-Identifier: Apache-2.0
//
// Rows of a few elements, a thread each. Were every thread to read its own row, a warp would touch 32 places at a time, and
// write each sector of memory several times. So the rows of a block, which lie one behind the other, are copied to shared
// memory as one piece; the threads fold them there, and leave results there, which are written as one piece again.
// Operands whose rows do not lie so are read and written where they are.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/row_end.hpp"
#include "fuse/kernels/short_rows/row_tile.hpp"

FUSE_BEGIN_NAMESPACE

template <class P>
struct ShortRowsKernel
    : Kernel<P, 1, 1, P::epilogue::size == 0 ? Link::none : Link::last_block, P::epilogue::size == 0 ? 1 : 2> {
    using sets = leaf_sets<P>;
    using Tile = RowTile<P>;
    static constexpr int max_threads = static_cast<int>(short_row_threads);
    static constexpr int min_blocks = 8;
    static constexpr bool has_epilogue = P::epilogue::size > 0;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        if constexpr (has_epilogue) {
            using epilogue = typename EpilogueMemory<P>::accumulator;
            return detail::largest(last_block_scratch_bytes,
                                   block_reduce_scratch_bytes(l.dim_x, l.dim_y, sizeof(epilogue), true));
        } else {
            return 0;
        }
    }
    static FUSE_HD constexpr unsigned own_bytes(unsigned threads) { return Tile::bytes(threads); }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        if constexpr (has_epilogue) {
            return EpilogueMemory<P>::bytes(l.grid);
        } else {
            return 0;
        }
    }

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 1) {
            finish_epilogue<1>(block, p);
        } else {
            EpilogueAccumulator<P, 1, B> epilogue;
            const index_t rows = block.dim_y();
            for (index_t first = block.block_x() * rows; first < p.outer_size; first += block.grid_x() * rows) {
                const Tile tile(block, p, first);
                tile.load(block, p);
                const index_t row = first + block.thread_y();
                if (row < p.outer_size) {
                    one_row(block, p, tile, row, epilogue);
                }
                tile.store(block, p);
            }
            if constexpr (has_epilogue) {
                epilogue.store_partial(block, p);
            }
        }
    }

private:
    template <class B>
    static FUSE_HD void one_row(B& block, const Params<P>& p, const Tile& tile, index_t row,
                                EpilogueAccumulator<P, 1, B>& epilogue) {
        const RowState<P> state(p, row);
        const auto n = static_cast<int>(p.seq_size);
        results_t<P> results{};
        static_for<P::phases::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            const Product<at_t<typename P::phases, I>> product;
            auto total = product.init();
            FUSE_NO_UNROLL
            for (int s = 0; s < n; ++s) {
                const RowItems<P, 1> items = tile.template items<sets::template phase<I>>(p, state, s);
                product.accumulate(total, RowContext<P, 1>{p, state, items, results}, 0, s);
            }
            product.template project<first_result<P, I>>(total, p, p.seq_size, results);
        });
        if constexpr (sets::writes_items) {
            FUSE_NO_UNROLL
            for (int s = 0; s < n; ++s) {
                const RowItems<P, 1> items = tile.template items<sets::items>(p, state, s);
                const RowContext<P, 1> context{p, state, items, results};
                tile.write(p, context, row, s);
                epilogue.take_items(context, row, p.seq_size, s, 1);
            }
        }
        const RowItems<P, 1> none{};
        finish_row<P, 1>(block, p, row, RowContext<P, 1>{p, state, none, results}, epilogue);
    }
};

FUSE_END_NAMESPACE
