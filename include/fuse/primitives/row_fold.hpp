// SPDX-License-Identifier: Apache-2.0
//
// Fold of a row of threads with consecutive linear ids, the common part of BlockXReduce (rows of dim_x
// threads) and BlockReduce (one row of all threads). Three ways, chosen by the length, from no barrier to
// two:
//   a power of two within a warp   shuffles only;
//   whole warps                    shuffles, warp results to scratch, one barrier, then *every* warp folds the row's
//                                  warp results again: that is cheaper than a second barrier to broadcast them;
//   anything else                  scratch_fold.
// A way that needs no barrier must not touch scratch either (see ThreadBlock).
#pragma once

#include "fuse/primitives/scratch_fold.hpp"
#include "fuse/primitives/warp_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_HD constexpr bool fits_in_warp(unsigned length, unsigned warp_size) {
    return length <= warp_size && (length & (length - 1)) == 0;
}

/// Bytes of one half of scratch that row_fold needs for `rows` rows.
constexpr std::size_t row_fold_scratch_bytes(unsigned length, unsigned rows, std::size_t accumulator_bytes) {
    constexpr unsigned warp = 32;
    if (fits_in_warp(length, warp)) {
        return 0;
    }
    const unsigned slots = length % warp == 0 ? rows * (length / warp) : scratch_fold_slots(length, rows);
    return scratch_round_up(slots * accumulator_bytes);
}

// A row of whole warps has at most 32 of them (1024 threads), so one warp can hold all of its warp results.
template <class Mode, ThreadBlock B, class A, class R>
FUSE_HD A warp_row_fold(B& block, A acc, const R& r, unsigned rank, unsigned length, unsigned row, unsigned rows) {
    const unsigned warps = length / B::warp_size;
    const unsigned lane = rank % B::warp_size;
    A* partials = block.template scratch<A>(rows * warps) + row * warps;

    acc = WarpReduce(block, acc, r, B::warp_size);
    if (lane == 0) {
        partials[rank / B::warp_size] = acc;
    }
    block.sync();
    if (!Mode::all && rank >= static_cast<unsigned>(B::warp_size)) {
        return acc;
    }
    unsigned width = 2;
    while (width < warps) {
        width *= 2;
    }
    const unsigned k = lane & (width - 1);  // a run-time % is a division, and its latency stands in every phase
    return WarpReduce(block, k < warps ? partials[k] : A(r.init()), r, static_cast<int>(width));
}

template <class Mode, ThreadBlock B, class A, class R>
FUSE_HD A row_fold(B& block, A acc, const R& r, unsigned rank, unsigned length, unsigned row, unsigned rows) {
    if (length == 1) {
        return acc;
    }
    if constexpr (B::warp_size > 1) {
        if (fits_in_warp(length, B::warp_size)) {
            const int width = static_cast<int>(length);
            return Mode::all ? WarpReduce(block, acc, r, width) : WarpReduceDown(block, acc, r, width);
        }
        if (regular_shape<B> || length % B::warp_size == 0) {
            return warp_row_fold<Mode>(block, acc, r, rank, length, row, rows);
        }
    }
    return scratch_fold<Mode>(block, acc, r, FoldPlace{rank, length, row, rows, false});
}

}  // namespace detail

FUSE_END_NAMESPACE
