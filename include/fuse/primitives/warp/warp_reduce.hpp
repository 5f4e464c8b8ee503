// SPDX-License-Identifier: Apache-2.0
//
// Folds over aligned segments of `width` lanes (a power of two up to the warp size) by shuffles alone: no
// memory, no barrier. Both walk the distances 1, 2, 4, ... upwards, so that a lane always joins two
// neighbouring ranges and the index order is kept for operations that do not commute. Whole warps of 32-bit integers
// take the one instruction that the hardware has for them (word_folds.hpp).
//
// Every existing lane of the warp must call, and every segment must be complete: use them where width divides
// the number of threads of the block.
#pragma once

#include "fuse/primitives/machine/block_traits.hpp"
#include "fuse/primitives/warp/word_folds.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Lane i of a segment of `width` stands for the items [i * unit, (i + 1) * unit) of `count`: rounds in which no item
/// would meet another are left out.
template <Shuffles B, class A, class R>
FUSE_HD A butterfly(B& block, A acc, const R& r, int width, unsigned unit, unsigned count) {
    const unsigned lane = linear_thread(block) % B::warp_size;
    FUSE_UNROLL
    for (unsigned distance = 1; distance < B::warp_size; distance *= 2) {
        if (distance * unit >= count) {
            break;
        }
        const A other = block.shuffle_xor(acc, static_cast<int>(distance), width);
        if constexpr (R::commutative) {
            acc = r.combine(acc, other);
        } else {
            acc = (lane & distance) != 0 ? r.combine(other, acc) : r.combine(acc, other);
        }
    }
    return acc;
}

template <Shuffles B, class A, class R>
FUSE_HD A fold_down(B& block, A acc, const R& r, int width) {
    const unsigned lane = linear_thread(block) % B::warp_size;
    FUSE_UNROLL
    for (int distance = 1; distance < B::warp_size; distance *= 2) {
        if (distance >= width) {
            break;
        }
        const A other = block.shuffle_down(acc, static_cast<unsigned>(distance), width);
        if (lane % static_cast<unsigned>(2 * distance) == 0) {
            acc = r.combine(acc, other);
        }
    }
    return acc;
}

}  // namespace detail

/// All lanes of the segment get its fold. width may be a run-time value; rounds beyond it are skipped.
/// log2(width) shuffles, or none where the block folds words (WordFolds): whole warps, a 32-bit integer and sum, min,
/// max, any, all or a bitwise operation.
template <Warps B, class A, class R>
FUSE_HD A WarpReduce(B& block, A acc, const R& r, int width) {
    if constexpr (Shuffles<B>) {
        if constexpr (detail::folds_as_word<B, R, A>) {
            if (width == B::warp_size) {  // segments are complete: so is the warp
                return block.template fold_words<detail::word_fold_of<R>>(acc);
            }
        }
        if constexpr (may_have_partial_warp<B>) {
            if (block.in_complete_warp()) {
                auto warp = block.complete_warps();
                return detail::butterfly(warp, acc, r, width, 1, static_cast<unsigned>(width));
            }
        }
        return detail::butterfly(block, acc, r, width, 1, static_cast<unsigned>(width));
    } else {
        return acc;
    }
}

/// Lane 0 of each segment gets its fold, with exactly width - 1 combinations in all; other lanes are
/// undefined. log2(width) shuffles, or none as for WarpReduce.
template <Warps B, class A, class R>
FUSE_HD A WarpReduceDown(B& block, A acc, const R& r, int width) {
    if constexpr (Shuffles<B>) {
        if constexpr (detail::folds_as_word<B, R, A>) {
            if (width == B::warp_size) {
                return block.template fold_words<detail::word_fold_of<R>>(acc);
            }
        }
        if constexpr (may_have_partial_warp<B>) {
            if (block.in_complete_warp()) {
                auto warp = block.complete_warps();
                return detail::fold_down(warp, acc, r, width);
            }
        }
        return detail::fold_down(block, acc, r, width);
    } else {
        return acc;
    }
}

FUSE_END_NAMESPACE
