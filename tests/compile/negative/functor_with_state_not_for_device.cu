// SPDX-License-Identifier: Apache-2.0
//
// As functor_not_for_device.cu, for a functor that carries a value. This one is constexpr, which does not mark it.
// expect: calling a constexpr __host__ function
#include <fuse/fuse.hpp>

struct Scale {
    float by;
#ifdef FUSE_CONTROL
    FUSE_HD
#endif
    constexpr float operator()(float v) const {
        return by * v;
    }
};

void f(const float* p, float* q) {
    fuse::eval(fuse::cuda, fuse::view<"y">(q, 8) = fuse::map(Scale{3}, fuse::view<"x">(p, 8)));
}
