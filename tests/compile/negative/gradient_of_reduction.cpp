// SPDX-License-Identifier: Apache-2.0
//
// A reduction op of the user's own has no derivative unless it says it.
// expect 1: fuse: this reduction op has no derivative: give it a member adjoint(element, result), that of the result with respect to one element, or adjoint(element, result, n) of n elements
// expect 2: fuse: this reduction op has no derivative: give it a member adjoint(element, result), that of the result with respect to one element, or adjoint(element, result, n) of n elements
#include <fuse/gradient.hpp>

struct Squares {
    using accumulator = float;
    FUSE_HD constexpr float init() const { return 0; }
    FUSE_HD constexpr float leaf(float v, fuse::index_t) const { return v * v; }
    FUSE_HD constexpr float combine(float a, float b) const { return a + b; }
};
struct Scaled : Squares {
    float by = 1;
    FUSE_HD constexpr float project(float a, fuse::index_t) const { return a * by; }
};
struct WithAdjoint : Squares {
    FUSE_HD constexpr float adjoint(float element, float) const { return 2 * element; }
};

void f(const float* p) {
    const auto x = fuse::view<"x">(p, 4);
#if FUSE_WRONG == 1
    static_cast<void>(fuse::gradient(fuse::reduce(Squares{}, x), x));
#elif FUSE_WRONG == 2
    static_cast<void>(fuse::gradient(fuse::reduce(Scaled{}, x), x));
#else
    static_cast<void>(fuse::gradient(fuse::reduce(WithAdjoint{}, x), x));
#endif
}
