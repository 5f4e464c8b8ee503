// SPDX-License-Identifier: Apache-2.0
//
// Init and InitWithDataIndex: fill a thread's registers with one value, or with the 64-bit indices of its
// items.
#pragma once

#include "fuse/primitives/thread/item_path.hpp"
#include "fuse/primitives/thread/pack.hpp"
#include "fuse/primitives/thread/tile.hpp"

FUSE_BEGIN_NAMESPACE

template <int V, class T>
FUSE_HD void Init(Pack<T, V>& out, std::type_identity_t<T> value) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = value;
    }
}

/// item[k] = first + k * step
template <int V, class T>
FUSE_HD void InitWithDataIndex(Pack<T, V>& out, index_t first, index_t step = 1) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = static_cast<T>(first + k * step);
    }
}

/// item[k] = first + where item k0 + k lies along a path
template <int V, class T, int N, Packs Lie, bool Narrow>
FUSE_HD void InitWithDataIndex(Pack<T, V>& out, index_t first, const ItemPath<N, Lie, Narrow>& path, index_t k0) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = static_cast<T>(first + path(k0 + k));
    }
}

/// The linear indices of a thread's items of a 2-D tile: item[iy * NX + ix] = first + x * stride_x + y * stride_y for
/// item (x, y), also beyond the ends of the tile, where the sum may wrap around.
template <int NX, int NY, class T, ThreadBlock B>
FUSE_HD void InitWithDataIndex(B& block, Pack<T, NX * NY>& out, index_t first, const TileShape& tile) {
    FUSE_UNROLL
    for (int iy = 0; iy < NY; ++iy) {
        FUSE_UNROLL
        for (int ix = 0; ix < NX; ++ix) {
            const auto x = static_cast<std::uint64_t>(tile_x(block, ix));
            const auto y = static_cast<std::uint64_t>(tile_y(block, iy));
            const std::uint64_t index = static_cast<std::uint64_t>(first) +
                                        x * static_cast<std::uint64_t>(tile.stride_x) +
                                        y * static_cast<std::uint64_t>(tile.stride_y);
            out.item[iy * NX + ix] = static_cast<T>(static_cast<index_t>(index));
        }
    }
}

FUSE_END_NAMESPACE
