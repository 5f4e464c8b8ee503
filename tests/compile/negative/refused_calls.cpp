// SPDX-License-Identifier: Apache-2.0
//
// What is said to eval, value and explain in a wrong way.
// expect 1: fuse: eval takes statements, output = expression
// expect 2: fuse: eval takes statements, output = expression
// expect 3: fuse: eval takes at least one statement
// expect 4: fuse: eval begins with an executor
// expect 5: fuse: eval begins with an executor
// expect 6: fuse: value begins with an executor
// expect 7: fuse: value() takes scalar expressions
// expect 8: fuse: explain begins with an executor
// expect 9: fuse: explain takes statements and expressions
// expect 10: fuse: fuse::cuda needs nvcc
// expect 11: fuse: fuse::cuda needs nvcc
#include <fuse/fuse.hpp>

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, x * 2);
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, sum(x));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host);
#elif FUSE_WRONG == 4
    fuse::eval(y = x * 2);
#elif FUSE_WRONG == 5
    fuse::eval(y = x * 2, fuse::host);
#elif FUSE_WRONG == 6
    *q = fuse::value(sum(x));
#elif FUSE_WRONG == 7
    fuse::value(fuse::host, y = x);
#elif FUSE_WRONG == 8
    fuse::explain(y = x * 2);
#elif FUSE_WRONG == 9
    fuse::explain(fuse::host, 2);
#elif FUSE_WRONG == 10
    fuse::eval(fuse::cuda, y = x * 2);
#elif FUSE_WRONG == 11
    *q = fuse::value(fuse::cuda.on(nullptr), sum(x));
#else
    fuse::eval(fuse::host, y = x * 2);
    *q = fuse::value(fuse::host, sum(x));
#endif
}
