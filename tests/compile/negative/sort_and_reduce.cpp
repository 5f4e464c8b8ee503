// SPDX-License-Identifier: Apache-2.0
//
// A sort merges nothing, so no reduction runs along with it.
// expect: fuse: a sort cannot be one kernel with a scan or a reduction
#include <fuse/fuse.hpp>

void f(const float* p, float* q, float* r) {
    const auto x = fuse::view<"x">(p, 4, 8);
    const auto y = fuse::view<"y">(q, 4, 8);
#ifdef FUSE_CONTROL
    static_cast<void>(r);
    fuse::eval(fuse::host, y = fuse::sort(x));
#else
    fuse::eval(fuse::host, y = fuse::sort(x), fuse::view<"r">(r, 4) = fuse::sum(x, fuse::axes<1>));
#endif
}
