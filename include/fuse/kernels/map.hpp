// SPDX-License-Identifier: Apache-2.0
//
// The map family: no reduction. Each thread takes N vectors of V elements, a block's width apart; blocks step through
// the domain. All loads of a thread are issued before the first value is used.
#pragma once

#include "fuse/kernels/contexts.hpp"
#include "fuse/kernels/run.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
struct MapKernel {
    using program = P;
    static constexpr int vector = V;
    static constexpr int max_threads = 256;
    static constexpr int min_blocks = 4;
    static constexpr int stages = 1;
    static constexpr Link link = Link::none;

    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const RowState<P> row(p, 0);
        const results_t<P> results{};
        const index_t width = static_cast<index_t>(block.dim_x()) * V;
        const index_t first = block.block_x() * p.chunk;
        for (index_t tile = first; tile < p.seq_size; tile += block.grid_x() * p.chunk) {
            const index_t end = tile + p.chunk < p.seq_size ? tile + p.chunk : p.seq_size;
            for (index_t s = tile + block.thread_x() * V; s < end; s += width * N) {
                RowItems<P, V> items[N];
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    load_items<leaf_sets<P>::items, P, V>(items[j], p, row, s + j * width, end - s - j * width);
                }
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    const RowContext<P, V> context{p, row, items[j], results};
                    write_items<false, P, V>(p, context, 0, s + j * width, end - s - j * width);
                }
            }
        }
        if (block.block_x() == 0 && block.thread_x() == 0) {
            const RowItems<P, V> none{};
            write_single<kir::Extent::once>(p, RowContext<P, V>{p, row, none, results}, 0);
        }
    }
};

FUSE_END_NAMESPACE
