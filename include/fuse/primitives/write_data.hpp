// SPDX-License-Identifier: Apache-2.0
//
// WriteData: registers to contiguous memory, the mirror of ReadData. Counts are signed 64-bit: a thread
// beyond the end has a negative number of items left and stores nothing.
#pragma once

#include "fuse/primitives/read_data.hpp"

FUSE_BEGIN_NAMESPACE

/// One vector: stores the first min(V, left) items.
template <int V, class T>
FUSE_HD void WriteData(T* p, const Pack<T, V>& in, index_t left, bool aligned) {
    if (left >= V) {
        store_pack(p, in, aligned);
    } else {
        store_guarded(p, in, 1, left < 0 ? 0 : static_cast<int>(left));
    }
}

/// A tile of N striped vectors per thread, to `p` with room for `count` items from there on.
template <int V, int N, class T, ThreadBlock B>
FUSE_HD void WriteData(B& block, T* p, const Pack<T, V> (&tile)[N], index_t count, bool aligned) {
    FUSE_UNROLL
    for (int i = 0; i < N; ++i) {
        const index_t first = striped_item<V>(block, i);
        const index_t left = count - first;
        WriteData(left > 0 ? p + first : p, tile[i], left, aligned);
    }
}

FUSE_END_NAMESPACE
