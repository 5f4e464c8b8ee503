// SPDX-License-Identifier: Apache-2.0
//
// ReduceLocal, the local mode of the Reduce primitive: folds what one thread holds in registers. Neighbours are joined
// in pairs, so N values cost log2(N) dependent steps, and the order of the values is kept.
#pragma once

#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Folds the first `count` of N values, at least one, in place: the result is values[0], which is returned.
template <class A, int N, class R>
FUSE_HD A fold_tree(A (&values)[N], int count, const R& r) {
    FUSE_UNROLL
    for (int step = 1; step < N; step *= 2) {
        FUSE_UNROLL
        for (int k = 0; k + step < N; k += 2 * step) {
            if (k + step < count) {
                values[k] = r.combine(values[k], values[k + step]);
            }
        }
    }
    return values[0];
}

/// Folds the first N of the values in place, N a power of two, each half with the other: what host compilers make vectors
/// of. The order of the values is not kept.
template <int N, class A, int V, class R>
FUSE_HD A fold_halves(A (&values)[V], const R& r) {
    if constexpr (N > 1) {
        FUSE_LANES
        for (int k = 0; k < N / 2; ++k) {
            values[k] = r.combine(values[k], values[k + N / 2]);
        }
        return fold_halves<N / 2>(values, r);
    } else {
        return values[0];
    }
}

}  // namespace detail

/// The fold of the N values in index order.
template <class A, int N, class R>
FUSE_HD A ReduceLocal(const A (&values)[N], const R& r) {
    A part[N];
    FUSE_UNROLL
    for (int k = 0; k < N; ++k) {
        part[k] = values[k];
    }
    return detail::fold_tree(part, N, r);
}

template <class A, int V, class R>
FUSE_HD A ReduceLocal(const Pack<A, V>& values, const R& r) {
    return ReduceLocal(values.item, r);
}

/// out[iy] = the fold of tile[iy * NX .. iy * NX + NX): each row of a tile of NY rows.
template <int NX, class A, int NY, int V, class R>
FUSE_HD void ReduceLocal(Pack<A, NY>& out, const Pack<A, V>& tile, const R& r) {
    static_assert(V == NX * NY, "the tile must consist of NY rows of NX items");
    FUSE_UNROLL
    for (int iy = 0; iy < NY; ++iy) {
        A row[NX];
        FUSE_UNROLL
        for (int ix = 0; ix < NX; ++ix) {
            row[ix] = tile.item[iy * NX + ix];
        }
        out.item[iy] = ReduceLocal(row, r);
    }
}

FUSE_END_NAMESPACE
