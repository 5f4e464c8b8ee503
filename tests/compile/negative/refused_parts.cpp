// SPDX-License-Identifier: Apache-2.0
//
// Parts of expressions that are not those of their operands, and axes that there are not.
// expect 1: fuse: index<>() and random numbers count in the whole expression
// expect 2: fuse: a scan or sort runs along this axis
// expect 3: fuse: this axis is outside the operand's rank
// expect 4: fuse: row and column take a matrix
// expect 5: fuse: index<>() and random numbers count in the whole expression
// expect 6: fuse: this axis is outside the operand's rank
// expect 7: fuse: a scan or sort runs along this axis
// expect 8: fuse: a scan or sort runs along this axis
// expect 9: fuse: transpose takes each axis of the expression once
// expect 10: fuse: index<>() and random numbers count in the expression as it is
// expect 11: fuse: a sort runs along the last axis
// expect 12: and take that apart; from the other end they are cumsum(x, axes<1>, reverse) and sort(x, descending)
#include <fuse/fuse.hpp>

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 8);
    [[maybe_unused]] const auto wide = fuse::view<"w">(q, 4, 3);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, y = (x + fuse::index<0>())[1]);
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, y = cumsum(x, fuse::axes<0>)[1]);
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, y = select<2>(x * 2, 0));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, y = row(y * 2, 0));
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, y = dropout(x, 0.5, 7)[0]);
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, y = sum(x)[0]);
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, x = flip<0, 1>(sort(x * 2)));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, x = flip(sort(x)));
#elif FUSE_WRONG == 9
    fuse::eval(fuse::host, x = transpose<0, 0>(x * 2));
#elif FUSE_WRONG == 10
    fuse::eval(fuse::host, x = transpose(x + fuse::index<0>()));
#elif FUSE_WRONG == 11
    fuse::eval(fuse::host, x = transpose(sort(x)));
#elif FUSE_WRONG == 12
    fuse::eval(fuse::host, x = flip<1>(cumsum(flip<1>(x), fuse::axes<1>)));
#else
    fuse::eval(fuse::host, wide = slice<1>(softmax(x), 0, 3));
    fuse::eval(fuse::host, fuse::view<"t">(q, 8, 4) = transpose(x * 2));
    fuse::eval(fuse::host, x = cumsum(x, fuse::axes<1>, fuse::reverse));
    fuse::eval(fuse::host, x = sort(x, fuse::descending));
    fuse::eval(fuse::host, y = cumsum(x, fuse::axes<1>)[1] * row(x + 1, 0));
#endif
}
