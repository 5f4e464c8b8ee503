// SPDX-License-Identifier: Apache-2.0
//
// A reduction beside a scan is over the scanned axis: the total of all rows would be known after all blocks only.
// expect: fuse: a scan cannot be one kernel with a reduction over other axes than its own
#include <fuse/fuse.hpp>

void f(const float* p, float* q, float* r) {
    const auto x = fuse::view<"x">(p, 4, 8);
    const auto y = fuse::view<"y">(q, 4, 8);
#ifdef FUSE_CONTROL
    fuse::eval(fuse::host, y = fuse::cumsum(x, fuse::axes<1>), fuse::view<"r">(r, 4) = fuse::sum(x, fuse::axes<1>));
#else
    fuse::eval(fuse::host, y = fuse::cumsum(x, fuse::axes<1>), fuse::view<"r">(r, fuse::shape()) = fuse::sum(x));
#endif
}
