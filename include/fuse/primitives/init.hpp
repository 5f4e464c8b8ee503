// SPDX-License-Identifier: Apache-2.0
//
// Init and InitWithDataIndex: fill a thread's registers with one value, or with the 64-bit indices of its
// items.
#pragma once

#include "fuse/primitives/pack.hpp"

FUSE_BEGIN_NAMESPACE

template <int V, class T>
FUSE_HD void Init(Pack<T, V>& out, std::type_identity_t<T> value) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = value;
    }
}

/// item[k] = first + k * step
template <int V, class T>
FUSE_HD void InitWithDataIndex(Pack<T, V>& out, index_t first, index_t step = 1) {
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = static_cast<T>(first + k * step);
    }
}

FUSE_END_NAMESPACE
