// SPDX-License-Identifier: Apache-2.0
//
// Fold of a row of threads with consecutive linear ids, the common part of BlockXReduce (rows of dim_x
// threads) and BlockReduce (one row of all threads). The way is chosen by the length:
//   a power of two within a warp   shuffles only;
//   whole warps                    the row's first warp rakes (rake_fold.hpp), as for one longer row of any length;
//   anything else                  scratch_fold.
// A way that needs no barrier must not touch scratch either (see ThreadBlock).
#pragma once

#include "fuse/primitives/block/rake_fold.hpp"
#include "fuse/primitives/block/scratch_fold.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_HD constexpr bool fits_in_warp(unsigned length, unsigned warp_size) {
    return length <= warp_size && (length & (length - 1)) == 0;
}

/// Whether rows of `length` threads are whole warps, of several threads each.
FUSE_HD constexpr bool fills_warps(unsigned length, unsigned warp_size) {
    return warp_size > 1 && length % warp_size == 0;
}

/// Bytes of one half of scratch that row_fold needs for `rows` rows.
FUSE_COLD constexpr std::size_t row_fold_scratch_bytes(unsigned length, unsigned rows, std::size_t accumulator_bytes,
                                                       BlockTraits block) {
    const unsigned warp = block.warp_size;
    if (fits_in_warp(length, warp)) {
        return 0;
    }
    unsigned slots = scratch_fold_slots(length, rows);
    const bool whole = fills_warps(length, warp);
    const bool rakes = warp > 1 && accumulator_bytes <= rake_limit && !block.spares_registers;
    if (!rakes && whole) {
        slots = rows * (length / warp);
    } else if (rakes && (whole || (rows == 1 && length > warp))) {
        slots = rows * Rake(length, accumulator_bytes, warp).slots(length);
    }
    return scratch_round_up(slots * accumulator_bytes);
}

/// Rows of whole warps by shuffles in every warp, twice: for values too large to rake, for those that a warp folds in
/// one instruction, and where registers are to be spared. One barrier, as every warp folds the results of the row's
/// warps again. within_warp: the fold of the thread's own warp.
template <class Mode, Shuffles B, class A, class R>
FUSE_HD A fold_warps(B& block, A within_warp, const R& r, unsigned rank, unsigned length, unsigned row, unsigned rows) {
    static_assert(B::warp_size * B::warp_size >= max_block_threads, "one warp holds the results of all others");
    const unsigned warps = length / B::warp_size;
    const unsigned lane = rank % B::warp_size;
    A* partials = block.template scratch<A>(rows * warps) + row * warps;
    if (lane == 0) {
        partials[rank / B::warp_size] = within_warp;
    }
    block.sync();
    if (!Mode::all && rank >= static_cast<unsigned>(B::warp_size)) {
        return within_warp;
    }
    constexpr bool few = most_warps<B> < static_cast<unsigned>(B::warp_size);
    int width = folds_as_word<B, R, A> ? B::warp_size : few ? static_cast<int>(most_warps<B>) : 2;
    while (!few && width < static_cast<int>(warps)) {
        width *= 2;
    }
    const unsigned k = lane & static_cast<unsigned>(width - 1);
    auto&& warp = complete_warps(block);
    return WarpReduce(warp, k < warps ? partials[k] : A(r.init()), r, width);
}

template <class Mode, ThreadBlock B, class A, class R>
FUSE_HD A row_fold(B& block, A acc, const R& r, unsigned rank, unsigned length, unsigned row, unsigned rows) {
    if (length == 1) {
        return acc;
    }
    if constexpr (Shuffles<B>) {
        constexpr bool rakes = sizeof(A) <= rake_limit && !spares_registers<B>;
        constexpr bool by_warps = !rakes || folds_as_word<B, R, A>;
        if constexpr (regular_shape<B> && by_warps && Mode::all) {
            // One code for what lies within a warp, whether that is the row or a part of it: kernels have many folds. Blocks
            // of few warps wait for each other more often, and have one for whole warps, without a branch.
            constexpr auto warp = static_cast<unsigned>(B::warp_size);
            constexpr bool straight = most_warps<B> < warp;
            if constexpr (straight) {
                if (length < warp) {
                    return WarpReduce(block, acc, r, static_cast<int>(length));
                }
            }
            const A within = WarpReduce(block, acc, r, static_cast<int>(straight || length > warp ? warp : length));
            return length <= warp ? within : fold_warps<Mode>(block, within, r, rank, length, row, rows);
        }
        if (fits_in_warp(length, B::warp_size)) {
            const int width = static_cast<int>(length);
            return Mode::all ? WarpReduce(block, acc, r, width) : WarpReduceDown(block, acc, r, width);
        }
        if (regular_shape<B> || length % B::warp_size == 0) {
            if constexpr (by_warps) {
                auto&& warp = complete_warps(block);
                const A within = WarpReduce(warp, acc, r, B::warp_size);
                return fold_warps<Mode>(block, within, r, rank, length, row, rows);
            } else {
                return rake_fold<Mode, true>(block, acc, r, rank, length, row, rows);
            }
        }
        if constexpr (rakes) {
            if (rows == 1 && length > B::warp_size) {
                return rake_fold<Mode, false>(block, acc, r, rank, length, row, rows);
            }
        }
    }
    return scratch_fold<Mode>(block, acc, r, GroupMember{rank, length, row, rows, false});
}

}  // namespace detail

FUSE_END_NAMESPACE
