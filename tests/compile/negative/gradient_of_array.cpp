// SPDX-License-Identifier: Apache-2.0
//
// A gradient is that of a scalar.
// expect: fuse: gradient takes a scalar: gradient(sum(y), x) or gradient(mean(y), x); of an array it is vjp(y, x, dy)
#include <fuse/gradient.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4);
#ifdef FUSE_CONTROL
    const auto y = fuse::gradient(sum(x * x), x);
#else
    const auto y = fuse::gradient(x * x, x);
#endif
    static_cast<void>(y);
}
