// SPDX-License-Identifier: Apache-2.0
//
// A functor that the device cannot call is an error: as a warning it leaves a kernel that stores nothing.
// expect: calling a __host__ function from a __host__ __device__ function is not allowed
#include <fuse/fuse.hpp>

struct Twice {
#ifdef FUSE_CONTROL
    FUSE_HD
#endif
    float operator()(float v) const {
        return 2 * v;
    }
};

void f(const float* p, float* q) {
    fuse::eval(fuse::cuda, fuse::view<"y">(q, 8) = fuse::map(Twice{}, fuse::view<"x">(p, 8)));
}
