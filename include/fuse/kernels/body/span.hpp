// SPDX-License-Identifier: Apache-2.0
//
// The share of a thread in a row: vectors `step` apart in [first, end).
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

struct Span {
    index_t first;
    index_t step;
    index_t end;
};

/// The vectors of thread t of n in [begin, end): interleaved, so that neighbours read neighbouring memory; or one
/// contiguous piece each, which keeps the order of elements for an op that does not commute (V = 1 there).
template <int V, bool Ordered>
FUSE_HD Span thread_span(index_t begin, index_t end, index_t t, index_t n) {
    if constexpr (Ordered) {
        const index_t piece = (end - begin + n - 1) / n;
        const index_t first = begin + t * piece;
        return {first, 1, first + piece < end ? first + piece : end};
    } else {
        return {begin + t * V, n * V, end};
    }
}

FUSE_END_NAMESPACE
