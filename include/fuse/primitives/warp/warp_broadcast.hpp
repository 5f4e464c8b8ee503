// SPDX-License-Identifier: Apache-2.0
//
// WarpBroadcast: the value of one lane in all lanes of its segment.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

/// What lane `lane` of each aligned segment of `width` lanes (a power of two up to the warp size) holds, in every lane
/// of the segment. One shuffle. Every existing lane of the warp must call, and that lane must exist.
template <Warps B, class A>
FUSE_HD A WarpBroadcast(B& block, A value, int lane, int width) {
    if constexpr (Shuffles<B>) {
        return block.shuffle(value, lane, width);
    } else {
        return value;
    }
}

FUSE_END_NAMESPACE
