// SPDX-License-Identifier: Apache-2.0
//
// What has no derivative, or none of this shape.
// expect 1: fuse: vjp: dy has the rank of y
// expect 2: fuse: integers and bool have no derivative: cast<float>(x) in the expression
// expect 3: fuse: a loss of integers or bool, as a count is, has no derivative
// expect 4: fuse: a loss of integers or bool, as a count is, has no derivative
#include <fuse/gradient.hpp>

void f(const float* p, const int* q) {
    const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto n = fuse::view<"n">(q, 4, 8);
#if FUSE_WRONG == 1
    static_cast<void>(fuse::vjp(softmax(x), x, fuse::view<"dy">(p, 8)));
#elif FUSE_WRONG == 2
    static_cast<void>(fuse::gradient(sum(n * x), n));
#elif FUSE_WRONG == 3
    static_cast<void>(fuse::gradient(count_nonzero(x), x));
#elif FUSE_WRONG == 4
    static_cast<void>(fuse::gradient(fuse::norm<0>(x), x));
#else
    static_cast<void>(fuse::gradient(sum(n * x), x));
#endif
}
