// SPDX-License-Identifier: Apache-2.0
//
// What has no derivative, or none of this shape.
// expect 1: fuse: vjp: dy has the rank of y
// expect 2: fuse: integers and bool have no derivative: cast<float>(x) in the expression
// expect 3: fuse: a loss of integers or bool, as a count is, has no derivative
// expect 4: fuse: a loss of integers or bool, as a count is, has no derivative
// expect 5: fuse: vjp takes y, the variable and dy, an expression of the shape of y
// expect 6: fuse: vjp takes y, the variable and dy, an expression of the shape of y
// expect 7: fuse: gradient takes a loss and one variable, the view itself, not its name
// expect 8: fuse: gradient takes a loss and one variable, the view itself, not its name
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
#elif FUSE_WRONG == 5
    static_cast<void>(fuse::vjp(softmax(x), x));
#elif FUSE_WRONG == 6
    static_cast<void>(fuse::vjp(softmax(x), x, 0.5));
#elif FUSE_WRONG == 7
    static_cast<void>(fuse::gradient(sum(x * x), "x"));
#elif FUSE_WRONG == 8
    static_cast<void>(gradient(sum(x * x)));
#else
    static_cast<void>(fuse::gradient(sum(n * x), x));
    static_cast<void>(fuse::vjp(softmax(x), x, fuse::view<"dy">(p, 4, 8)));
#endif
}
