// SPDX-License-Identifier: Apache-2.0
//
// A scan of a scan needs a whole sweep between the two.
// expect: fuse: a scan cannot be one kernel with a scan or reduction of its result
#include <fuse/fuse.hpp>

void f(const float* p, float* q) {
    const auto x = fuse::view<"x">(p, 4, 8);
    const auto running = fuse::cumsum(x, fuse::axes<1>);
#ifdef FUSE_CONTROL
    fuse::eval(fuse::host, fuse::view<"y">(q, 4, 8) = running + fuse::cummax(x, fuse::axes<1>));
#else
    fuse::eval(fuse::host, fuse::view<"y">(q, 4, 8) = fuse::cummax(running, fuse::axes<1>));
#endif
}
