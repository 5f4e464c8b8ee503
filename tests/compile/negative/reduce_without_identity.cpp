// SPDX-License-Identifier: Apache-2.0
//
// A user's binary functor becomes a reduction only if it says where to start.
// expect: fuse: a reduction functor needs identity()
#include <fuse/fuse.hpp>

struct LargerMagnitude {
    FUSE_HD constexpr float operator()(float a, float b) const { return a * a < b * b ? b : a; }
#ifdef FUSE_CONTROL
    static constexpr float identity() {
        return 0.0F;
    }
#endif
};

void f(const float* p) {
    const auto y = fuse::reduce(LargerMagnitude{}, fuse::view<"x">(p, 8));
    static_cast<void>(y);
}
