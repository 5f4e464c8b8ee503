// SPDX-License-Identifier: Apache-2.0
//
// Subtraction is not associative: a parallel reduction with it would mean something else on each device.
// expect: fuse: Sub, Div, FloorDiv, Mod, Pow and other functors that are not associative cannot be a reduction
#include <fuse/fuse.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 8);
#ifdef FUSE_CONTROL
    const auto y = fuse::reduce(fuse::Add<>{}, x);
#else
    const auto y = fuse::reduce(fuse::Sub<>{}, x);
#endif
    static_cast<void>(y);
}
