// SPDX-License-Identifier: Apache-2.0
//
// ElementwiseRandom: fill registers with random numbers. Element i of an array always gets number i of the sequence,
// whichever thread computes it and however many items a thread owns: the same seed gives the same array under every
// launch shape, also on the CPU. A generator makes several numbers at a time, so a thread that owns neighbours makes
// each group once.
#pragma once

#include "fuse/primitives/thread/philox.hpp"
#include "fuse/primitives/thread/tile.hpp"

FUSE_BEGIN_NAMESPACE

/// out.item[k] = number k of the sequence from `state` on, converted as on a store. Then `state` is advanced past the
/// groups that were used, so that the next call goes on. Give every element a subsequence of its own (its index), or
/// use the forms below, to be independent of the launch shape.
template <int V, class T, class D>
FUSE_HD void ElementwiseRandom(Pack<T, V>& out, PhiloxState& state, const D& distribution) {
    constexpr int groups = (V + D::items - 1) / D::items;
    FUSE_UNROLL
    for (int g = 0; g < groups; ++g) {
        const auto drawn = distribution(state.words(static_cast<std::uint64_t>(g)));
        FUSE_UNROLL
        for (int j = 0; j < D::items; ++j) {
            if (g * D::items + j < V) {
                out.item[g * D::items + j] = detail::convert_item<T>(drawn.item[j]);
            }
        }
    }
    state.offset += groups;
}

/// out.item[k] = number first + k of the sequence from `state` on, first >= 0. Makes V / items groups (see the
/// distributions), one more where the pack does not begin at a group.
template <int V, class T, class D>
FUSE_HD void ElementwiseRandom(Pack<T, V>& out, const PhiloxState& state, index_t first, const D& distribution) {
    constexpr int groups = (V + 2 * D::items - 2) / D::items;
    const auto start = static_cast<std::uint64_t>(first);
    const int shift = static_cast<int>(start % D::items);
    Pack<T, groups * D::items> drawn{};
    FUSE_UNROLL
    for (int g = 0; g < groups; ++g) {
        if (g * D::items < V + shift) {
            const auto group = distribution(state.words(start / D::items + static_cast<std::uint64_t>(g)));
            FUSE_UNROLL
            for (int j = 0; j < D::items; ++j) {
                drawn.item[g * D::items + j] = detail::convert_item<T>(group.item[j]);
            }
        }
    }
    // Registers have no run-time index: each item is picked from the few places where it may be.
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = drawn.item[k];
        FUSE_UNROLL
        for (int s = 1; s < D::items; ++s) {
            if (s == shift) {
                out.item[k] = drawn.item[k + s];
            }
        }
    }
}

/// out.item[k] = number index.item[k] of the sequence from `state` on, indices >= 0 in any order, for example those of
/// InitWithDataIndex. Makes V groups.
template <int V, class T, class D>
FUSE_HD void ElementwiseRandom(Pack<T, V>& out, const PhiloxState& state, const Pack<index_t, V>& index,
                               const D& distribution) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        Pack<T, 1> one;
        ElementwiseRandom(one, state, index.item[k], distribution);
        out.item[k] = one.item[0];
    }
}

FUSE_END_NAMESPACE
