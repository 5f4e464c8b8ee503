// SPDX-License-Identifier: Apache-2.0
//
// Rows of a few elements, which a thread or a few take. Were each to read its own row, a warp would touch 32 places at a
// time, and write each sector of memory several times. So the rows of a block, which lie one behind the other, are copied
// to shared memory as one piece; each phase reads them there, element by element, and the results are left there, which
// are written as one piece again.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/row_end.hpp"
#include "fuse/kernels/body/row_terms.hpp"
#include "fuse/kernels/short_rows/ladder.hpp"
#include "fuse/kernels/short_rows/row_tile.hpp"
#include "fuse/primitives/warp/warp_reduce.hpp"

FUSE_BEGIN_NAMESPACE

template <class P>
struct ShortRowsKernel : Kernel<P, 1, short_row_elements, P::epilogue::size == 0 ? Link::none : Link::last_block,
                                P::epilogue::size == 0 ? 1 : 2> {
    using sets = leaf_sets<P>;
    using sweeps = held_sweeps_t<P>;
    using Tile = RowTile<P, longest_short_row>;
    static constexpr int max_threads = static_cast<int>(short_row_threads);
    /// All threads that a multiprocessor has, where the elements that a thread loads together leave registers for the rest.
    static constexpr int min_blocks =
        moving_leaves<sets::walked, P> <= 3 && moving_bytes<sets::walked, P> <= 12 ? 16 : 8;
    static constexpr bool has_epilogue = P::epilogue::size > 0;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        if constexpr (has_epilogue) {
            using epilogue = typename EpilogueMemory<P>::accumulator;
            return detail::largest(last_block_scratch_bytes,
                                   block_reduce_scratch_bytes(l.dim_x, l.dim_y, sizeof(epilogue), planned_block));
        } else {
            return 0;
        }
    }
    static FUSE_HD constexpr unsigned own_bytes(unsigned, index_t share) {
        return Tile::bytes(static_cast<unsigned>(share));
    }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        if constexpr (has_epilogue) {
            return EpilogueMemory<P>::bytes(l.grid);
        } else {
            return 0;
        }
    }

#if FUSE_HAS_DEVICE_BODIES
    template <int Stage, BufferMemory B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        if constexpr (Stage == 1) {
            finish_epilogue<1>(block, p);
        } else {
            EpilogueAccumulator<P, 1, B> epilogue;
            const index_t rows = static_cast<unsigned>(p.share) / static_cast<unsigned>(p.walked_size);
            for (index_t first = block.block_x() * rows; first < p.kept_size; first += block.grid_x() * rows) {
                const Tile tile(block, p, first);
                tile.load(block, p);
                // Threads beyond the last row take part in the collectives.
                for (unsigned start = 0; start < tile.rows(); start += block.dim_y()) {
                    const unsigned own = start + block.thread_y();
                    one_row(block, p, tile, first, own, own < tile.rows(), epilogue);
                }
                tile.store(block, p);
            }
            if constexpr (has_epilogue) {
                epilogue.store_partial(block, p);
            }
        }
    }

private:
    template <ThreadBlock B>
    static FUSE_HD void one_row(B& block, const Params<P>& p, const Tile& tile, index_t first, unsigned own,
                                bool active, EpilogueAccumulator<P, 1, B>& epilogue) {
        const index_t row = first + (active ? own : 0);
        const int n = static_cast<int>(p.walked_size);
        const int lanes = static_cast<int>(block.dim_x());
        const int most = (n + lanes - 1) / lanes;
        const int begin = most * static_cast<int>(block.thread_x());
        const TileShare share{own, begin, !active ? 0 : begin + most < n ? begin + most : n};
        const RowState<P> state(p, row);
        results_t<P> results{};
        static_for<sweeps::size>([&]<int I>() FUSE_INLINE_LAMBDA {
            using Sw = at_t<sweeps, I>;
            const Product<typename Sw::phase> product;
            auto total = product.init();
            tile.template for_share<Sw::leaves>(share, p, state, results,
                                                [&](const RowContext<P, 1>& context, int s)
                                                    FUSE_INLINE_LAMBDA { product.accumulate(total, context, 0, s); });
            total = WarpReduce(block, total, product, static_cast<int>(block.dim_x()));
            product.template project<Sw::first>(total, p, p.walked_size, results);
        });
        if constexpr (sets::writes_items) {
            using Written = HeldContext<P, 1>;
            tile.template for_share<sets::items, Written>(share, p, state, results,
                                                          [&](const Written& context, int s) FUSE_INLINE_LAMBDA {
                                                              tile.write(p, context, own, s);
                                                              epilogue.take_items(context, row, p.walked_size, s, 1);
                                                          });
        }
        if (active) {
            const RowItems<P, 1> none{};
            finish_row<P, 1, B>(p, row, RowContext<P, 1>{p, state, none, results}, block.thread_x(), block.dim_x(),
                                epilogue);
        }
    }
#endif
};

FUSE_END_NAMESPACE
