// SPDX-License-Identifier: Apache-2.0
//
// Cumsum: running folds over a tile of items, V consecutive ones per thread, with a carry from tile to tile. Each
// thread scans its own items, one BlockScan joins the threads.
#pragma once

#include "fuse/primitives/block/block_scan.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

/// Item i becomes the fold of items 0 .. i.
struct Inclusive {
    static constexpr bool inclusive = true;
};
/// Item i becomes the fold of items 0 .. i - 1, the first one the carry.
struct Exclusive {
    static constexpr bool inclusive = false;
};

/// Running folds of the block's items: thread t (linear) holds items t * V .. t * V + V - 1. `carry` is what came
/// before the tile, r.init() at the start; the return value, the same in every thread, is the carry of the next tile.
/// Items beyond the end of the data must hold r.init(). Any associative r, also one that does not commute. Scratch:
/// block_scan_scratch_bytes; at most two barriers.
template <int V, ThreadBlock B, class A, class R, class Mode = Inclusive>
FUSE_HD A Cumsum(B& block, Pack<A, V>& items, const R& r, A carry, Mode = {}) {
    A total = items.item[0];
    FUSE_UNROLL
    for (int v = 1; v < V; ++v) {
        total = r.combine(total, items.item[v]);
    }
    const Prefix<A> prefix = BlockScan(block, total, r);
    A running = r.combine(carry, prefix.before);
    FUSE_UNROLL
    for (int v = 0; v < V; ++v) {
        const A next = r.combine(running, items.item[v]);
        items.item[v] = Mode::inclusive ? next : running;
        running = next;
    }
    return r.combine(carry, prefix.total);
}

FUSE_END_NAMESPACE
