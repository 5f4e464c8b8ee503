// SPDX-License-Identifier: Apache-2.0
//
// A part of the variable is another view.
// expect: fuse: the expression reads a part of the variable
#include <fuse/gradient.hpp>

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    const auto part = fuse::view<"part">(x[0]);
    static_cast<void>(fuse::gradient(sum(part * part), part));
#else
    static_cast<void>(fuse::gradient(sum(x[0] * x[0]), x));
#endif
}
