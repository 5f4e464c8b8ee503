// SPDX-License-Identifier: Apache-2.0
//
// Empty lanes of rows that lie between vectors. The threads of a row are a power of two, four at the least, so up to half of
// the vectors that they have room for is empty, of short rows more. To ask whether some thread has the next vector saves what
// an empty one costs. But behind a branch loads are not on their way together, and the compiler computes a value of one
// sweep, exp(x - max), anew for the next. What was measured is in docs/journal.md, "Empty lanes".
#pragma once

#include <bit>

#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/rows/ladder.hpp"
#include "fuse/plan/leaf_sets.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// How many of the N vectors of V items that a thread holds of a row are loaded and evaluated without asking. Held: operands
/// that are held and differ from row to row; passing: others of these.
template <class P, int V, int N, int Ends, int Held, bool Passing>
inline constexpr int sure_vectors = N;
template <class P, int V, int N, int Held, bool Passing>
inline constexpr int sure_vectors<P, V, N, RowEnds::singles, Held, Passing> = [] {
    using sets = leaf_sets<P>;
    constexpr bool narrow = V > 4;
    constexpr int beside = std::popcount(sets::beside);
    constexpr bool again = calls_again<P>::type::size > 0;
    if constexpr (Held == 1 && beside < 2 && !again && !Passing) {
        // Nothing is computed anew: but a scale beside narrow items, and loads alone of wide ones, would wait.
        return (narrow ? beside == 0 : sets::writes_items) ? 1 : N;
    } else if constexpr (narrow) {
        // One exponential of a row is kept with it; of several values, or other operands, there are too many to be kept.
        return again && calls_before<P, P::phases::size>::type::size == 1 && beside == 0 && !Passing ? N : 2;
    } else {
        return Held == 1 && !sets::writes_items ? N : 2;
    }
}();

}  // namespace detail

FUSE_END_NAMESPACE
