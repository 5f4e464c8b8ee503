// SPDX-License-Identifier: Apache-2.0
//
// As reduction_not_for_device.cu, for the project of an op that leaves out what has a default.
// expect: calling a __host__ function("
// expect: Largest::project(float, long) const")
#include <fuse/fuse.hpp>

struct Largest {
    using accumulator = float;
    FUSE_HD float init() const { return 0; }
    FUSE_HD float leaf(float v, fuse::index_t) const { return v; }
    FUSE_HD float combine(float a, float b) const { return a < b ? b : a; }
#ifdef FUSE_CONTROL
    FUSE_HD
#endif
    double project(float a, fuse::index_t) const {
        return a;
    }
};

void f(const float* p, double* q) {
    fuse::eval(fuse::cuda, fuse::view<"y">(q, fuse::shape()) = fuse::reduce(Largest{}, fuse::view<"x">(p, 8)));
}
