// SPDX-License-Identifier: Apache-2.0
//
// An expression has no value before it runs, and a container is no expression.
// expect 1: fuse: an expression is not a number
// expect 2: fuse: an expression is not a number
// expect 3: fuse: an expression is not a number
// expect 4: fuse: an expression is not a number
// expect 5: fuse: a container is not an operand: a view of it is
// expect 6: fuse: an expression is not a container
// expect 7: fuse: a container is not an operand: a view of it is
// expect 8: fuse: a container is not an output: a view of it is
// expect 9: fuse: a container is not an operand: a view of it is
// expect 10: fuse: an expression is not a number
// expect 11: fuse: a container is not an operand: a view of it is
// expect 12: fuse: an expression is not a number
// expect 12: an element of a view is x(i, j), not x[i][j]
#include <fuse/fuse.hpp>

#include <cmath>
#include <vector>

void f(float* p, float* q, std::vector<float>& v) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
#if FUSE_WRONG == 1
    if (x > 0) {
        *q = 1;
    }
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, y = x < 0 ? x : x * 2);
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, y = std::sin(y));
#elif FUSE_WRONG == 4
    *q = sum(x);
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, r = v + 1 * r);
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, v = r * 2);
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, r += v);
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, v -= r);
#elif FUSE_WRONG == 9
    fuse::eval(fuse::host, r = fuse::tensor<float>(4) * 2);
#elif FUSE_WRONG == 10
    fuse::eval(fuse::host, y = std::pow(x * 2, 2));
#elif FUSE_WRONG == 11
    fuse::eval(fuse::host, r = v);
#elif FUSE_WRONG == 12
    *q = x[1][2];
#else
    fuse::eval(fuse::host, y = where(x > 0, x, sin(x)));
    fuse::eval(fuse::host, fuse::view<"v">(v) = r * 2 + fuse::view<"w">(v));
    fuse::eval(fuse::host, fuse::view<"v">(v) -= r);
#endif
}
