// SPDX-License-Identifier: Apache-2.0
//
// Packs along several axes that are no vectors as a whole, on a device: an operand that is the same along the innermost
// axis, or rows of a length that half a vector divides, planes of 14 x 14 say. Half a pack lies along the innermost axis as
// a rule, and then has one division, for the place of its first item, and one access where it may. Else item by item.
#pragma once

#include "fuse/primitives/thread/item_path.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <int V>
inline constexpr int piece_items = V > 4 ? V / 2 : V;

/// Whether n items from p on may be accessed as one.
template <int V, class T>
FUSE_HD bool is_aligned_piece(const T* p) {
    return reinterpret_cast<std::uintptr_t>(p) % alignof(Pack<T, V>) == 0;
}

/// Items first, first + 1, ... along a path of several axes, all of which exist.
template <int V, class T, int N, bool Vectors, bool Narrow>
FUSE_HD void read_pieces(Pack<T, V>& out, const T* p, const ItemPath<N, Vectors, Narrow>& path, index_t first) {
    constexpr int size = piece_items<V>;
    FUSE_UNROLL
    for (int k = 0; k < V; k += size) {
        Pack<T, size> piece;
        if (path.run_from(first + k) >= size) {
            const T* from = p + path(first + k);
            const index_t step = path.strides[N - 1];
            if (step == 1) {
                load_pack(piece, from, is_aligned_piece<size>(from));
            } else {
                load_strided(piece, from, step);
            }
        } else {
            FUSE_UNROLL
            for (int i = 0; i < size; ++i) {
                piece.item[i] = p[path(first + k + i)];
            }
        }
        FUSE_UNROLL
        for (int i = 0; i < size; ++i) {
            out.item[k + i] = piece.item[i];
        }
    }
}

/// The mirror: stores all of them.
template <int V, class T, int N, bool Vectors, bool Narrow>
FUSE_HD void write_pieces(T* p, const ItemPath<N, Vectors, Narrow>& path, const Pack<T, V>& in, index_t first) {
    constexpr int size = piece_items<V>;
    FUSE_UNROLL
    for (int k = 0; k < V; k += size) {
        Pack<T, size> piece;
        FUSE_UNROLL
        for (int i = 0; i < size; ++i) {
            piece.item[i] = in.item[k + i];
        }
        if (path.run_from(first + k) >= size) {
            T* to = p + path(first + k);
            const index_t step = path.strides[N - 1];
            if (step == 1) {
                store_pack(to, piece, is_aligned_piece<size>(to));
            } else {
                store_strided(to, piece, step);
            }
        } else {
            FUSE_UNROLL
            for (int i = 0; i < size; ++i) {
                p[path(first + k + i)] = piece.item[i];
            }
        }
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
