// SPDX-License-Identifier: Apache-2.0
//
// Folds over aligned segments of `width` lanes (a power of two up to the warp size) by shuffles alone: no
// memory, no barrier. Both walk the distances 1, 2, 4, ... upwards, so that a lane always joins two
// neighbouring ranges and the index order is kept for operations that do not commute. Whole warps of 32-bit integers
// take the one instruction that the hardware has for them (warp_redux.hpp).
//
// Every existing lane of the warp must call, and every segment must be complete: use them where width divides
// the number of threads of the block.
#pragma once

#include "fuse/primitives/thread_block.hpp"
#include "fuse/primitives/warp_redux.hpp"

FUSE_BEGIN_NAMESPACE

/// All lanes of the segment get its fold. width may be a run-time value; a constant one is unrolled by the compiler.
/// log2(width) shuffles, or none where redux.sync does it: width 32, a 32-bit integer and sum, min, max, any, all or a
/// bitwise operation.
template <ThreadBlock B, class A, class R>
FUSE_HD A WarpReduce(B& block, A acc, const R& r, int width) {
    if constexpr (detail::uses_redux<B, R, A>) {
        if (width == B::warp_size) {  // segments are complete: so is the warp
            return detail::warp_redux<R>(acc);
        }
    }
    const unsigned lane = linear_thread(block) % B::warp_size;
    for (int distance = 1; distance < width; distance *= 2) {
        const A other = block.shuffle_xor(acc, distance, width);
        if constexpr (R::commutative) {
            acc = r.combine(acc, other);
        } else {
            const bool upper = (lane & static_cast<unsigned>(distance)) != 0;
            acc = upper ? r.combine(other, acc) : r.combine(acc, other);
        }
    }
    return acc;
}

/// Lane 0 of each segment gets its fold, with exactly width - 1 combinations in all; other lanes are
/// undefined. log2(width) shuffles, or none as for WarpReduce.
template <ThreadBlock B, class A, class R>
FUSE_HD A WarpReduceDown(B& block, A acc, const R& r, int width) {
    if constexpr (detail::uses_redux<B, R, A>) {
        if (width == B::warp_size) {
            return detail::warp_redux<R>(acc);
        }
    }
    const unsigned lane = linear_thread(block) % B::warp_size;
    for (int distance = 1; distance < width; distance *= 2) {
        const A other = block.shuffle_down(acc, static_cast<unsigned>(distance), width);
        if (lane % static_cast<unsigned>(2 * distance) == 0) {
            acc = r.combine(acc, other);
        }
    }
    return acc;
}

FUSE_END_NAMESPACE
