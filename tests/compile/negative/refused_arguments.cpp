// SPDX-License-Identifier: Apache-2.0
//
// Functions of the right name with arguments that are missing, of another kind, or one too many.
// expect 1: fuse: the axes of roll are axes<...>, not numbers
// expect 2: fuse: the axes of roll are axes<...>, not numbers
// expect 3: fuse: pad takes the elements before, those after, axes and their value
// expect 4: fuse: pad takes the elements before, those after, axes and their value
// expect 5: fuse: pad takes the elements before, those after, axes and their value
// expect 6: fuse: pad takes the elements before, those after, axes and their value
// expect 7: fuse: round is to integers
// expect 8: fuse: a function is not an operand, what it returns is
// expect 9: fuse: a function is not an operand, what it returns is
// expect 10: fuse: a function is not an operand, what it returns is
// expect 11: fuse: discounted_cumsum takes an expression, its discount and axes
// expect 12: fuse: discounted_cumsum takes an expression, its discount and axes
// expect 13: one that is an expression divides, softmax(x / t)
// expect 14: one that is an expression divides, softmax(x / t)
// expect 15: fuse: an output is a view, which expand_dims is not
// expect 16: fuse: compact takes an expression and a condition
// expect 17: fuse: compact takes an expression and a condition
// expect 18: fuse: an option is given twice
// expect 19: fuse: an option is given twice
// expect 20: fuse: pad takes the elements before, those after, axes and their value
// expect 21: fuse: an output is a view or a part of one, slice<1>(y, 0, 3)
// expect 22: fuse: an output is a view or a part of one, slice<1>(y, 0, 3)
// expect 23: fuse: an output is a view, of one number, too
// expect 24: fuse: an output is a view, which expand_dims is not
#include <fuse/fuse.hpp>
#include <fuse/stencil.hpp>

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto v = fuse::view<"v">(p, 4);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, y = roll(x, 1, 0));
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, y = roll(x, {1, 2}, {0, 1}));
#elif FUSE_WRONG == 3
    static_cast<void>(pad(x, 1));
#elif FUSE_WRONG == 4
    static_cast<void>(pad(x, 1, 1, 0.5));
#elif FUSE_WRONG == 5
    static_cast<void>(pad(x, {1, 1}, 0.5));
#elif FUSE_WRONG == 6
    static_cast<void>(pad(x, 1, fuse::axes<0>, 0.5F));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, y = round(x, 2));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, y = x * fuse::index<1>);
#elif FUSE_WRONG == 9
    fuse::eval(fuse::host, y = where(x > 0, fuse::index<0>, x));
#elif FUSE_WRONG == 10
    fuse::eval(fuse::host, y = fuse::index<1>);
#elif FUSE_WRONG == 11
    fuse::eval(fuse::host, y = discounted_cumsum(x, fuse::axes<1>));
#elif FUSE_WRONG == 12
    fuse::eval(fuse::host, r = fuse::discounted_cumsum(1.0F, v));
#elif FUSE_WRONG == 13
    fuse::eval(fuse::host, y = softmax(x, fuse::scalar<"t">(2.0F)));
#elif FUSE_WRONG == 14
    fuse::eval(fuse::host, y = log_softmax(x, fuse::axes<1>, fuse::scalar<"t">(2.0F)));
#elif FUSE_WRONG == 15
    fuse::eval(fuse::host, fuse::expand_dims<1>(r) = sum(x, fuse::axes<1>, fuse::keepdims));
#elif FUSE_WRONG == 16
    fuse::eval(fuse::host, r = fuse::compact(3, v > 0));
#elif FUSE_WRONG == 17
    fuse::eval(fuse::host, r = compact(v > 0));
#elif FUSE_WRONG == 18
    fuse::eval(fuse::host, r = sort(v, fuse::axes<1>, fuse::axes<-1>));
#elif FUSE_WRONG == 19
    fuse::eval(fuse::host, r = argsort(v, fuse::descending, fuse::descending));
#elif FUSE_WRONG == 20
    static_cast<void>(pad(x, 1, 1, 0));
#elif FUSE_WRONG == 21
    fuse::eval(fuse::host, roll(y, 1, fuse::axes<0>) = x);
#elif FUSE_WRONG == 22
    fuse::eval(fuse::host, (y * 2)[0] = x[0]);
#elif FUSE_WRONG == 23
    fuse::eval(fuse::host, fuse::scalar<"s">(*q) = sum(x));
#elif FUSE_WRONG == 24
    fuse::eval(fuse::host, fuse::expand_dims<0>(v) = 0.5);
#else
    fuse::eval(fuse::host, y = roll(x, {1, 2}, fuse::axes<0, 1>) + round(x * 100) / 100 + fuse::index<1>());
    fuse::eval(fuse::host, fuse::view<"o">(q, 6, 10) = pad(x, 1, 1) + pad(x, {2, 1}, {}, {}, 0.5));
    fuse::eval(fuse::host, y = roll(x[0], 1, {}) + discounted_cumsum(x, fuse::constant<9, 10>, fuse::axes<1>));
    fuse::eval(fuse::host, y = softmax(x / fuse::scalar<"t">(2.0F)));
    fuse::eval(fuse::host, r = sum(x, fuse::axes<1>, fuse::keepdims));
    fuse::eval(fuse::host, reshape(r, -1, 1) = sum(x, fuse::axes<1>, fuse::keepdims));
    fuse::eval(fuse::host, r = compact(fuse::index<0>(), v > 0));
    fuse::eval(fuse::host, slice<1>(y, 0, 3) = slice<1>(x, 1, 4), fuse::view<"s">(p, fuse::shape()) = sum(y));
    fuse::eval(fuse::host, y[0] = sort(x[0], fuse::descending, fuse::axes<0>));
#endif
}
