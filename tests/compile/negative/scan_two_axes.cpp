// SPDX-License-Identifier: Apache-2.0
//
// A scan of a matrix says along which of its axes it runs.
// expect: fuse: a scan runs along one axis: say which with axes<k>
#include <fuse/fuse.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    const auto y = fuse::cumsum(x, fuse::axes<1>);
#else
    const auto y = fuse::cumsum(x);
#endif
    static_cast<void>(y);
}
