// SPDX-License-Identifier: Apache-2.0
//
// An axis is reduced once, also when it is named from both ends.
// expect: fuse: an axis is named twice in axes<...>
#include <fuse/fuse.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    const auto y = fuse::sum(x, fuse::axes<1, -2>);
#else
    const auto y = fuse::sum(x, fuse::axes<1, -1>);
#endif
    static_cast<void>(y);
}
