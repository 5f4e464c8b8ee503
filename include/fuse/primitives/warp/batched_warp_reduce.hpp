// SPDX-License-Identifier: Apache-2.0
//
// K folds at once over a warp. In a butterfly every lane computes every result; with K values per lane it is
// enough that somebody does. So lanes at distance 1, 2, 4, ... hand each other the half of their values that the other
// goes on with: the number of values halves at each step, and 32 values cost 16 + 8 + 4 + 2 + 1 = 31 shuffles, not 160.
// A value without a counterpart (K is any number) takes part in a plain butterfly and is then owned twice, so no lane
// ever combines something that is not a value.
//
// Distances go upwards, which keeps the order of the lanes. The owner of value k is the lane whose number ends in the
// bits of k: values split by their lowest bit first, as lanes do.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"
#include "fuse/primitives/warp/warp_broadcast.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Values of lanes `distance` apart: values 2 j and 2 j + 1 become value j, the fold of one of them over both lanes.
template <int Count, Shuffles B, class A, int K, class R>
FUSE_HD void transposing_step(B& block, A (&values)[K], const R& r, unsigned lane, int distance) {
    const bool upper = (lane & static_cast<unsigned>(distance)) != 0;
    FUSE_UNROLL
    for (int j = 0; j < (Count + 1) / 2; ++j) {
        const A even = values[2 * j];
        const A odd = values[2 * j + 1 < Count ? 2 * j + 1 : 2 * j];
        const A mine = upper ? odd : even;
        const A other = block.shuffle_xor(upper ? even : odd, distance, B::warp_size);
        if constexpr (R::commutative) {
            values[j] = r.combine(mine, other);
        } else {
            values[j] = upper ? r.combine(other, mine) : r.combine(mine, other);
        }
    }
}

/// Folds Count values over lanes that differ in the bits Distance, 2 * Distance, ..., end / 2 of their number. The
/// value k ends in the lanes whose such bits are the lowest bits of k; what is left of k is its index in values.
template <int Count, int Distance, Shuffles B, class A, int K, class R>
FUSE_HD void transposing_fold(B& block, A (&values)[K], const R& r, unsigned lane, int end) {
    if constexpr (Distance < B::warp_size) {
        if (Distance < end) {
            transposing_step<Count>(block, values, r, lane, Distance);
            transposing_fold<(Count + 1) / 2, 2 * Distance>(block, values, r, lane, end);
        }
    }
}

/// As transposing_fold, and then every lane of the segment of `width` lanes gets all values from their owners. The
/// width is a constant where the recursion ends, and so are the indices of all values.
template <int Count, int Distance, Shuffles B, class A, int K, class R>
FUSE_HD void batched_segment_fold(B& block, A (&values)[K], const R& r, unsigned lane, int width) {
    if constexpr (Distance < B::warp_size) {
        if (Distance < width) {
            transposing_step<Count>(block, values, r, lane, Distance);
            batched_segment_fold<(Count + 1) / 2, 2 * Distance>(block, values, r, lane, width);
            return;
        }
    }
    if constexpr (K > 1 && Distance > 1) {
        A owned[Count];
        FUSE_UNROLL
        for (int j = 0; j < Count; ++j) {
            owned[j] = values[j];
        }
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            values[k] = WarpBroadcast(block, owned[k / Distance], k % Distance, Distance);
        }
    }
}

/// A warp of which only the first `lanes` exist: nobody can hand values to an absent lane, so each value is folded on
/// its own: lane l to cover the lanes from l on, as far as there are any. Lane 0 gets the results.
template <Shuffles B, class A, int K, class R>
FUSE_HD void partial_warp_fold(B& block, A (&values)[K], const R& r, unsigned lane, unsigned lanes) {
    for (unsigned distance = 1; distance < lanes; distance *= 2) {
        const bool joins = lane + distance < lanes;
        const int source = static_cast<int>(joins ? lane + distance : lane);
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            const A other = block.shuffle(values[k], source, B::warp_size);
            if (joins) {
                values[k] = r.combine(values[k], other);
            }
        }
    }
}

}  // namespace detail

/// Lane k of every segment of `width` lanes (a power of two up to the warp size) returns the fold of values[k] over the
/// segment, for k < K <= width; other lanes are undefined. K - 1 shuffles for K a power of two, and one more for each
/// halving of the width beyond K: 31 for 32 values in a warp, 9 for 8. Every existing lane of the warp must call, and
/// every segment must be complete.
template <Warps B, class A, int K, class R>
FUSE_HD A WarpReduceScatter(B& block, const A (&values)[K], const R& r, int width) {
    if constexpr (Shuffles<B>) {
        A held[K];
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            held[k] = values[k];
        }
        const unsigned lane = linear_thread(block) % B::warp_size;
        detail::transposing_fold<K, 1>(block, held, r, lane, width);
        return held[0];
    } else {
        return values[0];
    }
}

/// Replaces each of the K values, in every lane of the segment, by its fold over the segment: the shuffles of
/// WarpReduceScatter and one per value. Any K; the rest as for WarpReduceScatter.
template <Warps B, class A, int K, class R>
FUSE_HD void BatchedWarpReduce(B& block, A (&values)[K], const R& r, int width) {
    if constexpr (Shuffles<B>) {
        const unsigned lane = linear_thread(block) % B::warp_size;
        detail::batched_segment_fold<K, 1>(block, values, r, lane, width);
    }
}

FUSE_END_NAMESPACE
