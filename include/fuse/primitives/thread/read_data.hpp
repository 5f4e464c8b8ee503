// SPDX-License-Identifier: Apache-2.0
//
// ReadData: memory to registers. A block reads contiguous memory in stripes: neighbouring threads read
// neighbouring 16-byte vectors, however many vectors each thread owns, so every access is coalesced. Only the
// thread whose vector straddles the end reads item by item; a last tile that ends exactly at a vector is as
// fast as all others. A 2-D tile has strides in both directions and is read item by item.
#pragma once

#include <cstring>

#include "fuse/primitives/machine/thread_block.hpp"
#include "fuse/primitives/thread/init.hpp"
#include "fuse/primitives/thread/item_path.hpp"
#include "fuse/primitives/thread/pack.hpp"
#include "fuse/primitives/thread/path_pieces.hpp"
#include "fuse/primitives/thread/tile.hpp"

FUSE_BEGIN_NAMESPACE

/// One vector: items p[0 .. V), of which `left` exist (any number, also none); the others are filled.
template <int V, class T>
FUSE_HD void ReadData(Pack<T, V>& out, const T* p, index_t left, bool aligned, std::type_identity_t<T> fill) {
    if (left >= V) {
        load_pack(out, p, aligned);
    } else {
        load_guarded(out, p, 1, left < 0 ? 0 : static_cast<int>(left), T(fill));
    }
}

namespace detail {

/// The first `count` of V items along a path, for a host thread.
template <int V, class T, int N, Packs Lie, bool Narrow>
FUSE_HD void read_along(Pack<T, V>& out, const T* p, const ItemPath<N, Lie, Narrow>& path, index_t first,
                        index_t count) {
    for_runs_along(path, first, count < V ? count : V,
                   [&](index_t k, index_t end, index_t offset, index_t stride) FUSE_INLINE_LAMBDA {
                       if (stride == 0) {
                           const T value = p[offset];
                           for (; k < end; ++k) {
                               out.item[k] = value;
                           }
                       } else if (stride == 1) {
                           std::memcpy(out.item + k, p + offset, static_cast<std::size_t>(end - k) * sizeof(T));
                       } else {
                           for (; k < end; ++k, offset += stride) {
                               out.item[k] = p[offset];
                           }
                       }
                   });
}

}  // namespace detail

/// Items first, first + 1, ... along a path from `p` on, all of which exist.
template <int V, class T, int N, Packs Lie, bool Narrow>
FUSE_HD void ReadData(Pack<T, V>& out, const T* p, const ItemPath<N, Lie, Narrow>& path, index_t first) {
    if constexpr (V == 1) {
        out.item[0] = p[path(first)];
    } else if (path.in_vectors()) {
        if constexpr (N > 1 && Lie == Packs::whole) {
            if (path.step == 0) {
                load_strided(out, p + path(first), 0);
                return;
            }
        }
        if constexpr (Lie == Packs::backwards) {
            load_pack(out, p + path.template of_pack<V>(first), true);
            out = reversed(out);
        } else {
            load_pack(out, p + path.of_vector(first), true);
        }
    } else if constexpr (host_vector<V>) {
        detail::read_along(out, p, path, first, V);
    } else if (path.one_axis()) {
        load_strided(out, p + first * path.step, path.step);
    } else if constexpr (N > 1) {
        detail::read_pieces(out, p, path, first);
    }
}

/// The same where `left` of them exist (any number, also none); the others are filled.
template <int V, class T, int N, Packs Lie, bool Narrow>
FUSE_HD void ReadData(Pack<T, V>& out, const T* p, const ItemPath<N, Lie, Narrow>& path, index_t first, index_t left,
                      std::type_identity_t<T> fill) {
    if (left >= V) {
        ReadData(out, p, path, first);
    } else {
        Init(out, fill);
        if constexpr (host_vector<V>) {
            detail::read_along(out, p, path, first, left);
        } else {
            for_items<V>(left, [&](int k) FUSE_INLINE_LAMBDA { out.item[k] = p[path(first + k)]; });
        }
    }
}

/// First item of vector `stripe` of this thread in a tile of striped vectors.
template <int V, ThreadBlock B>
FUSE_HD index_t striped_item(B& block, int stripe) {
    return (static_cast<index_t>(stripe) * block_threads(block) + linear_thread(block)) * V;
}

/// A tile of N striped vectors per thread, from `p` with `count` items left from there on.
template <int V, int N, class T, ThreadBlock B>
FUSE_HD void ReadData(B& block, Pack<T, V> (&tile)[N], const T* p, index_t count, bool aligned,
                      std::type_identity_t<T> fill) {
    FUSE_UNROLL
    for (int i = 0; i < N; ++i) {
        const index_t first = striped_item<V>(block, i);
        const index_t left = count - first;
        ReadData(tile[i], left > 0 ? p + first : p, left, aligned, fill);
    }
}

/// NX x NY items per thread of a 2-D tile that begins at `p`: out.item[iy * NX + ix] is item (tx + ix * dim_x,
/// ty + iy * dim_y), converted from Tx to Ty. Both ends of the tile are checked and registers beyond them are filled;
/// with IsBoundary = false the block lies within the tile, whose sizes are then not looked at. No barrier.
template <int NX, int NY, bool IsBoundary = true, class Ty, class Tx, ThreadBlock B>
FUSE_HD void ReadData(B& block, Pack<Ty, NX * NY>& out, const Tx* p, const TileShape& tile,
                      std::type_identity_t<Ty> fill) {
    const auto valid = detail::count_items<NX, NY, IsBoundary>(block, tile.size_x, tile.size_y);
    FUSE_UNROLL
    for (int iy = 0; iy < NY; ++iy) {
        FUSE_UNROLL
        for (int ix = 0; ix < NX; ++ix) {
            out.item[iy * NX + ix] =
                valid.holds(ix, iy) ? detail::convert_item<Ty>(p[tile.offset(tile_x(block, ix), tile_y(block, iy))])
                                    : fill;
        }
    }
}

FUSE_END_NAMESPACE
