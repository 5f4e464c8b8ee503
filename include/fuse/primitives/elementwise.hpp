// SPDX-License-Identifier: Apache-2.0
//
// Apply a single-thread functor to register tiles. Any number of inputs, each with its own type; the functor
// is called once per item in item order, and with a `valid` count it is never called on an item that was not
// loaded, so it may trap on garbage.
#pragma once

#include "fuse/primitives/pack.hpp"

FUSE_BEGIN_NAMESPACE

/// out[k] = f(in[k]...) for all items. No input: fill from a nullary functor.
template <int V, class R, class F, class... Ts>
FUSE_HD void ElementwiseAny(Pack<R, V>& out, F&& f, const Pack<Ts, V>&... in) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = static_cast<R>(f(in.item[k]...));
    }
}

/// The same for the first `valid` items; the others of `out` keep their value.
template <int V, class R, class F, class... Ts>
FUSE_HD void ElementwiseAny(int valid, Pack<R, V>& out, F&& f, const Pack<Ts, V>&... in) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        if (k < valid) {
            out.item[k] = static_cast<R>(f(in.item[k]...));
        }
    }
}

/// [1, NX] op [NY, NX]: the row is used again for each of the NY rows of the tile (item iy * NX + ix).
template <int NX, int V, class R, class F, class T, class U>
FUSE_HD void CycleBinary(Pack<R, V>& out, F&& f, const Pack<T, NX>& row, const Pack<U, V>& tile) {
    static_assert(V % NX == 0, "the tile must consist of whole rows");
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = static_cast<R>(f(row.item[k % NX], tile.item[k]));
    }
}

FUSE_END_NAMESPACE
