// SPDX-License-Identifier: Apache-2.0
//
// The device could not follow a reference to the host's stack.
// expect: lambda cannot capture variables by reference
#include <fuse/fuse.hpp>

void f(const float* p, float* q, float by) {
#ifdef FUSE_CONTROL
    const auto scale = [by] __host__ __device__(float v) { return by * v; };
#else
    const auto scale = [&by] __host__ __device__(float v) { return by * v; };
#endif
    fuse::eval(fuse::cuda, fuse::view<"y">(q, 8) = fuse::map(scale, fuse::view<"x">(p, 8)));
}
