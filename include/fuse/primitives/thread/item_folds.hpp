// SPDX-License-Identifier: Apache-2.0
//
// ItemFolds: a reduction many times over, as one reduction of items side by side. A block folds the columns of a pack,
// or the values of a batch, for the barriers of one fold.
#pragma once

#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

/// V accumulators of type A, which move in 16-byte accesses.
template <class A, int V>
struct alignas(pack_alignment<A, V>) Items {
    A item[V];
};

/// R on each of V items by itself.
template <class R, int V, class A = typename R::accumulator>
struct ItemFolds {
    using accumulator = Items<A, V>;
    static constexpr bool commutative = R::commutative;

    R r{};

    FUSE_HD constexpr accumulator init() const {
        accumulator a;
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            a.item[v] = r.init();
        }
        return a;
    }
    FUSE_HD constexpr accumulator combine(const accumulator& a, const accumulator& b) const {
        accumulator c;
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            c.item[v] = r.combine(a.item[v], b.item[v]);
        }
        return c;
    }
};

FUSE_END_NAMESPACE
