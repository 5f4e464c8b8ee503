// SPDX-License-Identifier: Apache-2.0
//
// A view has at most eight axes.
// expect: fuse: at most 8 axes
#include <fuse/fuse.hpp>

void f(const float* p) {
#ifdef FUSE_CONTROL
    const auto x = fuse::view<"x">(p, 1, 1, 1, 1, 1, 1, 1, 1);
#else
    const auto x = fuse::view<"x">(p, 1, 1, 1, 1, 1, 1, 1, 1, 1);
#endif
    static_cast<void>(x);
}
