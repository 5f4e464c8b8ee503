// SPDX-License-Identifier: Apache-2.0
//
// The variable of a gradient has a name.
// expect: fuse: the variable of a derivative has a name
#include <fuse/gradient.hpp>

void f(const float* p) {
#ifdef FUSE_CONTROL
    const auto x = fuse::view<"x">(p, 4);
#else
    const auto x = fuse::view(p, 4);
#endif
    static_cast<void>(fuse::gradient(sum(x * x), x));
}
