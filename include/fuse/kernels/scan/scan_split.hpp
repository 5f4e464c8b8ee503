// SPDX-License-Identifier: Apache-2.0
//
// Scans of few long rows on the CPU: pieces of a row in parallel, which are folded by a first stage and scanned by a
// second. On a device scan_lookback.hpp does this in one pass.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/sweep.hpp"
#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/kernels/scan/scan_tile.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V>
struct ScanSplitKernel : Kernel<P, V, scan_vectors<Cpu>, Link::grid_sync, 2> {
    using Tile = ScanTile<P, V, 1>;
    using product = typename Tile::product;
    using phase = at_t<typename P::phases, 0>;

    static constexpr std::size_t partial_bytes(const Launch& l) {
        return sizeof(typename product::accumulator) * static_cast<std::size_t>(l.grid);
    }

    template <int Stage, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        const index_t row = block.block_x() / p.group;
        const index_t member = block.block_x() % p.group;
        const RowState<P> state(p, row);
        const index_t begin = member * p.share < p.walked_size ? member * p.share : p.walked_size;
        const index_t end = begin + p.share < p.walked_size ? begin + p.share : p.walked_size;
        auto* partials = static_cast<typename product::accumulator*>(p.partials) + row * p.group;
        if constexpr (Stage == 0) {
            const results_t<P> none{};
            partials[member] = fold_plain_span<phase, leaf_sets<P>::template phase<0>, 1, FoldLength::any, P, V>(
                block, p, state, none, Span{begin, V, end});
        } else {
            auto carry = product{}.init();
            for (index_t m = 0; m < member; ++m) {
                carry = product{}.combine(carry, partials[m]);
            }
            for (index_t first = begin; first < end; first += Tile::size(block)) {
                Tile tile;
                tile.load(block, p, state, first, end);
                const auto total = tile.scan(block, p, state);
                tile.write(p, state, row, carry);
                carry = product{}.combine(carry, total);
            }
            if (member + 1 == p.group) {
                write_totals<P, V>(p, state, row, carry);
            }
        }
    }
};

FUSE_END_NAMESPACE
