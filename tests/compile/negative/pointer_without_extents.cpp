// SPDX-License-Identifier: Apache-2.0
//
// A pointer does not say how many elements there are: extents that were forgotten must not mean one element.
// expect: fuse: a pointer alone has no extents: view(p, n) has n elements, view(p, fuse::shape()) has one
#include <fuse/fuse.hpp>

#include <vector>

float f(const std::vector<float>& v) {
#ifdef FUSE_CONTROL
    return fuse::value(fuse::host, sum(fuse::view<"x">(v.data(), fuse::shape())));
#else
    return fuse::value(fuse::host, sum(fuse::view<"x">(v.data())));
#endif
}
