// SPDX-License-Identifier: Apache-2.0
//
// How a host thread reads the items of a vector that it folds: where they are, if they lie side by side, for nothing is
// written until they are folded; else from a copy. A copy of each vector would cost as much as its sum.
#pragma once

#include "fuse/kernels/body/unpack.hpp"

FUSE_BEGIN_NAMESPACE

template <class T, int V>
struct PackView {
    const T* items;
    Pack<T, V> copied;
};

template <class T, int V>
FUSE_HD compute_t<T> unpack(const PackView<T, V>& view, int v) {
    return to_compute(view.items[v]);
}

FUSE_END_NAMESPACE
