// SPDX-License-Identifier: Apache-2.0
//
// As pointer_without_extents.cpp, for a view without a name and the address of one number.
// expect: fuse: a pointer alone has no extents: view(p, n) has n elements, view(p, fuse::shape()) has one
#include <fuse/fuse.hpp>

void f(const float* p, float s) {
#ifdef FUSE_CONTROL
    fuse::eval(fuse::host, fuse::view(&s, fuse::shape()) = sum(fuse::view(p, 8)));
#else
    fuse::eval(fuse::host, fuse::view(&s) = sum(fuse::view(p, 8)));
#endif
}
