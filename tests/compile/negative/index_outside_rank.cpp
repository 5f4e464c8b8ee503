// SPDX-License-Identifier: Apache-2.0
//
// index<A>() is a coordinate of the expression in which it stands.
// expect: fuse: index<Axis>() names an axis outside the expression in which it stands
#include <fuse/fuse.hpp>

void f(const float* p, float* q) {
    const auto x = fuse::view<"x">(p, 4, 8);
#ifdef FUSE_CONTROL
    fuse::eval(fuse::host, fuse::view<"y">(q, 4, 8) = x * fuse::index<1>());
#else
    fuse::eval(fuse::host, fuse::view<"y">(q, 4, 8) = x * fuse::index<2>());
#endif
}
