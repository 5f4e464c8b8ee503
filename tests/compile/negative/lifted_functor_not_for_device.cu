// SPDX-License-Identifier: Apache-2.0
//
// A binary functor as a reduction or a scan is called on the device as well.
// expect: calling a __host__ function("
// expect: Largest::operator ()(float, float) const")
#include <fuse/fuse.hpp>

struct Largest {
    static constexpr float identity = 0;
#ifdef FUSE_CONTROL
    FUSE_HD
#endif
    float operator()(float a, float b) const {
        return a < b ? b : a;
    }
};

void f(const float* p, float* q) {
    fuse::eval(fuse::cuda, fuse::view<"y">(q, 8) = fuse::scan(Largest{}, fuse::view<"x">(p, 8)));
}
