// SPDX-License-Identifier: Apache-2.0
//
// Functions of NumPy and PyTorch that are more than one kernel: their names say how it is done in two.
#pragma once

#include "fuse/lang/node.hpp"

FUSE_BEGIN_NAMESPACE

template <Expression X, class... A>
auto median(const X&, const A&...) {
    static_assert(
        sizeof(X) == 0,
        "fuse: a median is two kernels: eval(fuse::host, s = sort(x, axes<-1>)), then an eval of the middle of "
        "each row, a strided view of s");
}
template <Expression X, class... A>
auto quantile(const X&, const A&...) {
    static_assert(
        sizeof(X) == 0,
        "fuse: a quantile is two kernels: eval(fuse::host, s = sort(x, axes<-1>)), then an eval of its place in "
        "each row, a strided view of s");
}

FUSE_END_NAMESPACE
