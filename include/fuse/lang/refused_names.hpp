// SPDX-License-Identifier: Apache-2.0
//
// Functions of NumPy and PyTorch that are more than one kernel, or forms of them that are other functions here: they say
// what to write.
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
template <Expression X, class T>
auto take(const X&, const T&) {
    static_assert(
        sizeof(X) == 0,
        "fuse: take needs the axis along which its indices count: take(x, target, axes<1>) is x[i, target[i]], "
        "one element of each row; there is no gather of any others, x[indices]");
}
template <Expression C, class... A>
    requires(sizeof...(A) < 2)
auto where(const C&, const A&...) {
    static_assert(
        sizeof(C) == 0,
        "fuse: where takes a condition and two values, where(x > 0, x, 0); the places where a condition holds "
        "are compact(index<0>(), x > 0)");
}

FUSE_END_NAMESPACE
