// SPDX-License-Identifier: Apache-2.0
//
// Packs along several axes that are no vectors as a whole, on a device: an operand that is the same along the innermost
// axis, or rows of a length that no vector divides, planes of 14 x 14 or 7 x 7 say. A pack lies in one or two runs along the
// innermost axis as a rule, whose places take a division each; half a pack of one run is one access where it may be. Else
// item by item.
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

/// Where the items of a pack lie that begins with item `first` of a path of several axes.
template <int V>
struct PackRuns {
    int first_run;  ///< items in the run of the first, V at the most
    bool two;       ///< the others are in the next one
    index_t at;     ///< of the first item
    index_t next;   ///< where it would be, if the second run began there
    index_t step;

    template <int N, Packs Lie, bool Narrow>
    FUSE_HD PackRuns(const ItemPath<N, Lie, Narrow>& path, index_t first) : at(path(first)), step(path.strides[N - 1]) {
        const index_t run = path.run_from(first);
        first_run = run < V ? static_cast<int>(run) : V;
        two = true;
        next = at;
        if (first_run < V) {
            next = path(first + first_run) - first_run * step;
            two = V - first_run <= path.run_from(first + first_run);
        }
    }
    /// Whether items k .. k + n - 1 are in one run.
    FUSE_HD bool together(int k, int n) const { return k + n <= first_run || (two && k >= first_run); }
    /// Of item k, where there are two runs at the most.
    FUSE_HD index_t operator[](int k) const { return (k < first_run ? at : next) + k * step; }
};

/// Items first, first + 1, ... along a path of several axes, all of which exist.
template <int V, class T, int N, Packs Lie, bool Narrow>
FUSE_HD void read_pieces(Pack<T, V>& out, const T* p, const ItemPath<N, Lie, Narrow>& path, index_t first) {
    constexpr int size = piece_items<V>;
    const PackRuns<V> runs(path, first);
    if (runs.step == 0 && runs.two) {
        const T one = p[runs.at];
        const T other = runs.first_run < V ? p[runs.next] : one;
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            out.item[k] = k < runs.first_run ? one : other;
        }
        return;
    }
    FUSE_UNROLL
    for (int k = 0; k < V; k += size) {
        Pack<T, size> piece;
        const T* const from = p + runs[k];
        if (runs.step == 1 && runs.together(k, size) && is_aligned_piece<size>(from)) {
            load_pack(piece, from, true);
        } else if (runs.two) {
            FUSE_UNROLL
            for (int i = 0; i < size; ++i) {
                piece.item[i] = p[runs[k + i]];
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
template <int V, class T, int N, Packs Lie, bool Narrow>
FUSE_HD void write_pieces(T* p, const ItemPath<N, Lie, Narrow>& path, const Pack<T, V>& in, index_t first) {
    constexpr int size = piece_items<V>;
    const PackRuns<V> runs(path, first);
    FUSE_UNROLL
    for (int k = 0; k < V; k += size) {
        Pack<T, size> piece;
        FUSE_UNROLL
        for (int i = 0; i < size; ++i) {
            piece.item[i] = in.item[k + i];
        }
        T* const to = p + runs[k];
        if (runs.step == 1 && runs.together(k, size) && is_aligned_piece<size>(to)) {
            store_pack(to, piece, true);
        } else if (runs.two) {
            FUSE_UNROLL
            for (int i = 0; i < size; ++i) {
                p[runs[k + i]] = piece.item[i];
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
