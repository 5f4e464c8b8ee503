// SPDX-License-Identifier: Apache-2.0
//
// The operators of an element type are called on the device like any functor.
// expect: calling a __host__ function("
// expect: operator +(
#include <fuse/fuse.hpp>

struct Point {
    float x, y;
};
#ifdef FUSE_CONTROL
FUSE_HD
#endif
Point operator+(Point a, Point b) {
    return {a.x + b.x, a.y + b.y};
}

void f(const Point* p, Point* q) {
    fuse::eval(fuse::cuda, fuse::view<"y">(q, fuse::shape()) = sum(fuse::view<"x">(p, 8)));
}
