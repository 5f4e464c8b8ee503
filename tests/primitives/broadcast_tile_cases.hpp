// SPDX-License-Identifier: Apache-2.0
//
// 2-D ReadDataBc against plain index arithmetic: matrices, rows, columns and scalars around the size of the block, and
// columns and rows of several axes each, from a first index on.
#pragma once

#include <cstdint>

#include "primitives/tile2d_cases.hpp"

namespace fuse::testing {

/// Row-major index over `extents` to an offset, as one would write it down.
template <int Rank>
index_t plain_offset(index_t index, const index_t (&extents)[Rank], const index_t (&strides)[Rank]) {
    index_t offset = 0;
    for (int axis = Rank - 1; axis >= 0; --axis) {
        offset += index % extents[axis] * strides[axis];
        index /= extents[axis];
    }
    return offset;
}

template <int Rank>
index_t plain_size(const index_t (&extents)[Rank]) {
    index_t size = 1;
    for (index_t extent : extents) {
        size *= extent;
    }
    return size;
}

template <int NX, int NY, bool IsBoundary, int RankX, int RankY>
struct BroadcastTile {
    const std::int16_t* in;
    float* out;  // all registers
    BroadcastConfig<RankX> columns;
    BroadcastConfig<RankY> rows;
    index_t first_x;
    index_t left_x;
    index_t first_y;
    index_t left_y;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Pack<float, NX * NY> items;
        ReadDataBc<NX, NY, IsBoundary>(block, items, in, BroadcastSpan{columns, first_x, left_x},
                                       BroadcastSpan{rows, first_y, left_y}, float(filled));
        store_pack(out + linear_thread(block) * (NX * NY), items, false);
    }
};

/// Columns and rows over the given extents, the operand's strides of each, the tile at (first_x, first_y).
template <int NX, int NY, bool IsBoundary, int RankX, int RankY, class Runner>
unsigned count_wrong_broadcast_tile(const Runner& run, Dim2 block, const index_t (&extents_x)[RankX],
                                    const index_t (&strides_x)[RankX], const index_t (&extents_y)[RankY],
                                    const index_t (&strides_y)[RankY], index_t first_x, index_t first_y) {
    const index_t left_x = plain_size(extents_x) - first_x;
    const index_t left_y = plain_size(extents_y) - first_y;
    index_t last = 0;
    for (int axis = 0; axis < RankX; ++axis) {
        last += (extents_x[axis] - 1) * strides_x[axis];
    }
    for (int axis = 0; axis < RankY; ++axis) {
        last += (extents_y[axis] - 1) * strides_y[axis];
    }
    typename Runner::template Buffer<std::int16_t> in(static_cast<std::size_t>(last) + 1);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<std::int16_t>(hash(i, 7) % 30000 + 100);
    }
    typename Runner::template Buffer<float> out(static_cast<std::size_t>(block.count()) * NX * NY);
    run(Dim2{1, 1}, block, 0,
        BroadcastTile<NX, NY, IsBoundary, RankX, RankY>{in.data(), out.data(),
                                                        BroadcastConfig<RankX>(extents_x, strides_x),
                                                        BroadcastConfig<RankY>(extents_y, strides_y), first_x,
                                                        IsBoundary ? left_x : 0, first_y, IsBoundary ? left_y : 0});
    unsigned wrong = 0;
    for (index_t y = 0; y < static_cast<index_t>(block.y) * NY; ++y) {
        for (index_t x = 0; x < static_cast<index_t>(block.x) * NX; ++x) {
            const index_t thread = y % block.y * block.x + x % block.x;
            const index_t k = y / block.y * NX + x / block.x;
            float expected = filled;
            if (x < left_x && y < left_y) {
                expected = in[static_cast<std::size_t>(plain_offset(first_x + x, extents_x, strides_x) +
                                                       plain_offset(first_y + y, extents_y, strides_y))];
            }
            wrong += out[static_cast<std::size_t>(thread * NX * NY + k)] != expected;
        }
    }
    return wrong;
}

template <int NX, int NY, class Runner>
unsigned count_wrong_broadcast_tiles(const Runner& run) {
    unsigned wrong = 0;
    for (Dim2 block : tile_blocks) {
        const index_t w = static_cast<index_t>(block.x) * NX;
        const index_t h = static_cast<index_t>(block.y) * NY;
        // A matrix of whole, one smaller, one larger size; a row, a column and a scalar broadcast to it.
        for (index_t more : {-1, 0, 1}) {
            if (w + more > 0 && h + more > 0) {
                wrong += count_wrong_broadcast_tile<NX, NY, true, 1, 1>(run, block, {w + more}, {1}, {h + more},
                                                                        {w + more}, 0, 0);
                wrong += count_wrong_broadcast_tile<NX, NY, true, 1, 1>(run, block, {w + more}, {1}, {h}, {0}, 0, 0);
                wrong += count_wrong_broadcast_tile<NX, NY, true, 1, 1>(run, block, {w}, {0}, {h + more}, {1}, 0, 0);
            }
        }
        wrong += count_wrong_broadcast_tile<NX, NY, true, 1, 1>(run, block, {1}, {0}, {1}, {0}, 0, 0);
        wrong += count_wrong_broadcast_tile<NX, NY, false, 1, 1>(run, block, {w}, {h}, {h}, {1}, 0, 0);
        // Kept axes (5, 3) as columns, reduced axes (4, 2, 3) as rows of one operand, the second kept one broadcast.
        wrong +=
            count_wrong_broadcast_tile<NX, NY, true, 2, 3>(run, block, {5, 3}, {24, 0}, {4, 2, 3}, {6, 3, 1}, 2, 3);
        wrong += count_wrong_broadcast_tile<NX, NY, true, 2, 1>(run, block, {5, 3}, {1, 5}, {7}, {15}, 15, 0);
        wrong += count_wrong_broadcast_tile<NX, NY, true, 1, 2>(run, block, {7}, {2}, {5, 3}, {14, 0}, 1, 14);
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_broadcast_tiles(const Runner& run) {
    return count_wrong_broadcast_tiles<1, 1>(run) + count_wrong_broadcast_tiles<1, 3>(run) +
           count_wrong_broadcast_tiles<2, 2>(run) + count_wrong_broadcast_tiles<4, 3>(run);
}

}  // namespace fuse::testing
