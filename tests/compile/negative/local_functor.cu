// SPDX-License-Identifier: Apache-2.0
//
// nvcc does not take a class that a function defines as the argument of a kernel template; a lambda or a class outside is.
// expect: A type defined inside a __host__ function
#include <fuse/fuse.hpp>

#ifdef FUSE_CONTROL
struct Twice {
    FUSE_HD float operator()(float v) const { return 2 * v; }
};
#endif

void f(const float* p, float* q) {
#ifndef FUSE_CONTROL
    struct Twice {
        FUSE_HD float operator()(float v) const { return 2 * v; }
    };
#endif
    fuse::eval(fuse::cuda, fuse::view<"y">(q, 8) = fuse::map(Twice{}, fuse::view<"x">(p, 8)));
}
