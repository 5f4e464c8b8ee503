// SPDX-License-Identifier: Apache-2.0
//
// A reduction may stand beside a scan for an output of its own, but every element of the row would have to wait for it.
// expect: fuse: the result of a reduction beside a scan is known at the end of the row
#include <fuse/fuse.hpp>

void f(const float* p, float* q, float* r) {
    const auto x = fuse::view<"x">(p, 4, 8);
    const auto total = fuse::sum(x, fuse::axes<1>, fuse::keepdims);
    const auto running = fuse::cumsum(x, fuse::axes<1>);
#ifdef FUSE_CONTROL
    fuse::eval(fuse::host, fuse::view<"y">(q, 4, 8) = running, fuse::view<"r">(r, 4) = total);
#else
    fuse::eval(fuse::host, fuse::view<"y">(q, 4, 8) = running / total, fuse::view<"r">(r, 4) = total);
#endif
}
