// SPDX-License-Identifier: Apache-2.0
//
// An element of a pack, as functors see it.
#pragma once

#include "fuse/ops/types/compute_type.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

/// Element v of a pack. A bfloat16 is the upper half of a float: taken from the 32-bit word that two of them share it
/// costs one instruction; taken as 16 bits first, the upper of the two costs three.
template <class T, int V>
FUSE_HD compute_t<T> unpack(const Pack<T, V>& pack, int v) {
#if FUSE_ON_DEVICE
    if constexpr (std::is_same_v<T, bfloat16> && V % 2 == 0) {
        unsigned word;
        memcpy(&word, &pack.item[v & ~1], sizeof(word));
        return __uint_as_float((v & 1) == 0 ? word << 16 : word & 0xffff0000u);
    }
#endif
    return to_compute(pack.item[v]);
}

FUSE_END_NAMESPACE
