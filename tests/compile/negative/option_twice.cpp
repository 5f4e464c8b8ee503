// SPDX-License-Identifier: Apache-2.0
//
// A reduction takes each option once.
// expect: fuse: an option is given twice
#include <fuse/fuse.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    const auto y = fuse::sum(x, fuse::axes<1>, fuse::keepdims);
#else
    const auto y = fuse::sum(x, fuse::axes<1>, fuse::axes<0>);
#endif
    static_cast<void>(y);
}
