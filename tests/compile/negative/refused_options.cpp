// SPDX-License-Identifier: Apache-2.0
//
// Options that an operand or an op does not take.
// expect 1: fuse: an axis of axes<...> is outside the operand's rank
// expect 2: fuse: an axis of axes<...> is outside the operand's rank
// expect 3: fuse: an axis of axes<...> is outside the operand's rank
// expect 4: fuse: an axis of axes<...> is outside the operand's rank
// expect 5: fuse: an axis of axes<...> is outside the operand's rank
// expect 6: fuse: nan::ignore is an option of min, max, argmin and argmax
// expect 7: fuse: accumulate<T> takes an arithmetic type
// expect 8: fuse: a sort runs along the last axis
// expect 9: fuse: expand_dims: the axis is outside the result's rank
// expect 10: fuse: take needs the axis along which its indices count
// expect 11: fuse: where takes a condition and two values
// expect 12: and a temperature, which is a floating-point number: softmax(x, axes<1>, 2.0)
// expect 13: and a temperature, which is a floating-point number: softmax(x, axes<1>, 2.0)
// expect 14: fuse: the element at one place of all rows is a part: select<1>(x, 0)
#include <fuse/fuse.hpp>

struct Pair {
    float a, b;
};

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, r = max(x, fuse::axes<2>));
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, r = var(x, fuse::axes<-3>));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, y = softmax(x, fuse::axes<2>));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, y = layer_norm(x, fuse::axes<2>));
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, y = cumsum(x, fuse::axes<2>));
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, r = sum(x, fuse::axes<1>, fuse::nan::ignore));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, r = sum(x, fuse::axes<1>, fuse::accumulate<Pair>));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, y = sort(x, fuse::axes<0>));
#elif FUSE_WRONG == 9
    static_cast<void>(fuse::expand_dims<4>(x));
#elif FUSE_WRONG == 10
    fuse::eval(fuse::host, r = take(x, r));
#elif FUSE_WRONG == 11
    fuse::eval(fuse::host, r = where(x > 0));
#elif FUSE_WRONG == 12
    fuse::eval(fuse::host, y = softmax(x, fuse::axes<1>, 2));
#elif FUSE_WRONG == 13
    fuse::eval(fuse::host, y = log_softmax(x, 2.0F, fuse::axes<1>));
#elif FUSE_WRONG == 14
    fuse::eval(fuse::host, r = take(x, 0, fuse::axes<1>));
#else
    fuse::eval(fuse::host, r = max(x, fuse::axes<-1>, fuse::nan::ignore));
    fuse::eval(fuse::host, y = softmax(x, fuse::axes<1>, 2.0));
    fuse::eval(fuse::host, r = select<1>(x, 0));
    fuse::eval(fuse::host, y = log_softmax(x, 2.0F));
#endif
}
