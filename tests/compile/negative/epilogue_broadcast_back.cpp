// SPDX-License-Identifier: Apache-2.0
//
// A reduction over the kept axes ends the kernel: its result cannot meet the elements again in the same eval.
// expect: fuse: a reduction over the kept axes ends the kernel: its result cannot be broadcast back
#include <fuse/fuse.hpp>

void f(const float* p, float* q) {
    const auto x = fuse::view<"x">(p, 4, 8);
    const auto most = fuse::max(x, fuse::axes<1>, fuse::keepdims);
    const auto total = fuse::sum(fuse::max(x, fuse::axes<1>));
#ifdef FUSE_CONTROL
    fuse::eval(fuse::host, fuse::view<"y">(q, 4, 8) = x - most, fuse::view<"s">(q + 32, fuse::shape()) = total);
#else
    fuse::eval(fuse::host, fuse::view<"y">(q, 4, 8) = (x - most) * total);
#endif
}
