// SPDX-License-Identifier: Apache-2.0
//
// WriteData: registers to memory, the mirror of ReadData. Counts are signed 64-bit: a thread
// beyond the end has a negative number of items left and stores nothing.
#pragma once

#include <cstring>

#include "fuse/primitives/thread/read_data.hpp"

FUSE_BEGIN_NAMESPACE

/// One vector: stores the first min(V, left) items.
template <int V, class T>
FUSE_HD void WriteData(T* p, const Pack<T, V>& in, index_t left, bool aligned) {
    if (left >= V) {
        store_pack(p, in, aligned);
    } else {
        store_guarded(p, in, 1, left < 0 ? 0 : static_cast<int>(left));
    }
}

/// One vector of items that are `stride` apart, the mirror of ReadDataBc along one axis: stores the first min(V, left),
/// left >= 0. The stride must keep them apart; `aligned` is looked at where it is 1.
template <int V, class T>
FUSE_HD void WriteData(T* p, const Pack<T, V>& in, index_t stride, index_t left, bool aligned) {
    if (stride == 1) {
        WriteData(p, in, left, aligned);
    } else {
        store_guarded(p, in, stride, left < V ? static_cast<int>(left) : V);
    }
}

/// Items first, first + 1, ... along a path from `p` on: stores the first min(V, left). The path must keep them apart.
template <int V, class T, int N, Packs Lie, bool Narrow>
FUSE_HD void WriteData(T* p, const ItemPath<N, Lie, Narrow>& path, const Pack<T, V>& in, index_t first, index_t left) {
    if constexpr ((Lie == Packs::whole || Lie == Packs::vectors) && V > 1) {
        if (left >= V) {
            store_pack(p + path.of_vector(first), in, true);
        }
    } else if constexpr (host_vector<V>) {
        if (left >= V && path.one_axis() && path.step == 1) {
            return store_pack(p + first, in, false);
        }
        for_runs_along(path, first, left < V ? left : V,
                       [&](index_t k, index_t end, index_t offset, index_t stride) FUSE_INLINE_LAMBDA {
                           if (stride == 1) {
                               std::memcpy(p + offset, in.item + k, static_cast<std::size_t>(end - k) * sizeof(T));
                           } else {
                               for (; k < end; ++k, offset += stride) {
                                   p[offset] = in.item[k];
                               }
                           }
                       });
    } else {
        if (V > 1 && path.vector && left >= V) {
            if constexpr (Lie == Packs::backwards) {
                store_pack(p + path.template of_pack<V>(first), reversed(in), true);
            } else {
                store_pack(p + path.of_vector(first), in, true);
            }
            return;
        }
        if constexpr (N > 1 && V > 1) {
            if (left >= V && !path.one_axis()) {
                detail::write_pieces(p, path, in, first);
                return;
            }
        }
        for_items<V>(left, [&](int k) FUSE_INLINE_LAMBDA { p[path(first + k)] = in.item[k]; });
    }
}

/// A tile of N striped vectors per thread, to `p` with room for `count` items from there on.
template <int V, int N, class T, ThreadBlock B>
FUSE_HD void WriteData(B& block, T* p, const Pack<T, V> (&tile)[N], index_t count, bool aligned) {
    FUSE_UNROLL
    for (int i = 0; i < N; ++i) {
        const index_t first = striped_item<V>(block, i);
        const index_t left = count - first;
        WriteData(left > 0 ? p + first : p, tile[i], left, aligned);
    }
}

/// NX x NY items per thread to a 2-D tile that begins at `p`, converted from Ty to Tx: the mirror of the 2-D ReadData.
/// Items beyond an end of the tile are not stored. The strides must keep its items apart.
template <int NX, int NY, bool IsBoundary = true, class Tx, class Ty, ThreadBlock B>
FUSE_HD void WriteData(B& block, Tx* p, const Pack<Ty, NX * NY>& in, const TileShape& tile) {
    const auto valid = detail::count_items<NX, NY, IsBoundary>(block, tile.size_x, tile.size_y);
    FUSE_UNROLL
    for (int iy = 0; iy < NY; ++iy) {
        FUSE_UNROLL
        for (int ix = 0; ix < NX; ++ix) {
            if (valid.holds(ix, iy)) {
                p[tile.offset(tile_x(block, ix), tile_y(block, iy))] = detail::convert_item<Tx>(in.item[iy * NX + ix]);
            }
        }
    }
}

FUSE_END_NAMESPACE
