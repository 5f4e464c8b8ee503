// SPDX-License-Identifier: Apache-2.0
//
// A functor must take as many operands as it is given.
// expect: fuse: a map functor
#include <fuse/fuse.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 8);
    const auto average = [](float a, float b) { return (a + b) / 2; };
#ifdef FUSE_CONTROL
    const auto y = fuse::map(average, x, x);
#else
    const auto y = fuse::map(average, x);
#endif
    static_cast<void>(y);
}
