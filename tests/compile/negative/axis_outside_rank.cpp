// SPDX-License-Identifier: Apache-2.0
//
// The axes of a reduction are checked against the rank, which is always known.
// expect: fuse: an axis of axes<...> is outside the operand's rank
#include <fuse/fuse.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    const auto y = fuse::sum(x, fuse::axes<-2>);
#else
    const auto y = fuse::sum(x, fuse::axes<2>);
#endif
    static_cast<void>(y);
}
