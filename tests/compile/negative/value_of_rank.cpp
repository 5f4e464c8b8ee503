// SPDX-License-Identifier: Apache-2.0
//
// value() returns one number.
// expect: fuse: value() takes a scalar expression: reduce over all axes, without keepdims
#include <fuse/fuse.hpp>

float f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    return fuse::value(fuse::host, fuse::sum(x));
#else
    return fuse::value(fuse::host, fuse::sum(x, fuse::axes<1>));
#endif
}
