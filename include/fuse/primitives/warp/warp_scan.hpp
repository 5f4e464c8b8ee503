// SPDX-License-Identifier: Apache-2.0
//
// Prefixes over aligned segments of `width` lanes (a power of two up to the warp size) by shuffles alone: log2(width)
// of them, no memory, no barrier. A lane always joins the range that ends just before its own, so the index order is
// kept for operations that do not commute (Kogge and Stone 1973; Hillis and Steele 1986).
//
// Every existing lane of the warp must call. In a partial last segment the lanes that exist get right results.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

/// Inclusive: lane i of a segment gets the fold of lanes 0 .. i, for each of N values. Their chains of shuffles are
/// interleaved. width may be a run-time value; a constant one is unrolled by the compiler.
template <int N, Warps B, class A, class R>
FUSE_HD void WarpScan(B& block, A (&acc)[N], const R& r, int width) {
    if constexpr (Shuffles<B>) {
        const unsigned lane = linear_thread(block) % B::warp_size & static_cast<unsigned>(width - 1);
        for (int distance = 1; distance < width; distance *= 2) {
            A before[N];
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                before[j] = block.shuffle_up(acc[j], static_cast<unsigned>(distance), width);
            }
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                const A joined = r.combine(before[j], acc[j]);
                acc[j] = lane >= static_cast<unsigned>(distance) ? joined : acc[j];
            }
        }
    }
}

/// The same for one value.
template <Warps B, class A, class R>
FUSE_HD A WarpScan(B& block, A acc, const R& r, int width) {
    A one[1] = {acc};
    WarpScan(block, one, r, width);
    return one[0];
}

/// From an inclusive scan to the exclusive one: lane i gets the fold of lanes 0 .. i - 1, lane 0 the identity.
template <Warps B, class A, class R>
FUSE_HD A WarpShiftScan(B& block, A inclusive, const R& r, int width) {
    if constexpr (Shuffles<B>) {
        const unsigned lane = linear_thread(block) % B::warp_size & static_cast<unsigned>(width - 1);
        const A before = block.shuffle_up(inclusive, 1U, width);
        return lane == 0 ? A(r.init()) : before;
    } else {
        return r.init();
    }
}

FUSE_END_NAMESPACE
