// SPDX-License-Identifier: Apache-2.0
//
// Operands of another shape or type than a function takes.
// expect 1: fuse: how many elements compact() keeps is not known: give it an output
// expect 2: fuse: compact takes two expressions with one axis
// expect 3: fuse: compact takes a bool expression, such as x > 0
// expect 4: fuse: a scan needs an axis: its operand is a scalar
// expect 5: fuse: diff needs an axis: its operand is a scalar
// expect 6: fuse: diff: the axis is outside the operand's rank
// expect 7: fuse: dot takes two vectors
// expect 8: fuse: norm<p>: p is 0, 1, 2, ... or fuse::inf
// expect 9: fuse: take: the axis is outside the operand's rank
// expect 10: fuse: take: the target has one axis less than the operand
// expect 11: fuse: take: the target holds integers
// expect 12: fuse: numpy's clip is clamp(x, low, high)
// expect 13: fuse: diff needs an axis: its operand is a scalar
// expect 14: fuse: the options of a reduction are axes<1>
// expect 15: fuse: cross_entropy: the input has shape (n, classes)
// expect 16: fuse: cross_entropy: the target has the input's shape without the classes
// expect 17: fuse: cross_entropy: the target holds class indices, integers; for probabilities include fuse/nn.hpp
// expect 18: fuse: reduction::batchmean needs a first axis to count
// expect 19: fuse: elements that are printed are numbers or complex numbers
// expect 20: fuse: the element type of a tensor must be trivially copyable and not const
// expect 21: fuse: compact takes two expressions with one axis
// expect 22: fuse: an axis of axes<...> is outside the operand's rank
// expect 23: fuse: how many elements compact() keeps is not known: give it an output
// expect 24: fuse: compact: keep says of each element whether it is kept, and has no axis here
// expect 25: fuse: the type of a Shape does not say how many axes it has
// expect 26: fuse: the type of a Shape does not say how many axes it has
// expect 27: fuse: nothing is computed of compact(): it is an output's expression; sum(where(keep, x, 0))
// expect 28: fuse: nothing is computed of compact(): it is an output's expression; sum(where(keep, x, 0))
// expect 29: fuse: nothing is computed of compact(): it is an output's expression; compact(x * 2, keep)
// expect 30: fuse: nothing is computed of compact(): it is an output's expression; compact(x, a && b)
// expect 31: fuse: norm<p>: p is 0, 1, 2, ... or fuse::inf
// expect 32: fuse: this reduction is defined for numbers
// expect 33: fuse: this reduction is defined for numbers
#include <fuse/fuse.hpp>

#include <string>

struct Pair {
    float a, b;
};

void f(float* p, float* q, int* classes, [[maybe_unused]] Pair* both) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto v = fuse::view<"v">(p, 4);
    [[maybe_unused]] const auto r = fuse::view<"r">(q, 4);
    [[maybe_unused]] const auto t = fuse::view<"t">(classes, 4);
    [[maybe_unused]] const auto a = fuse::scalar<"a">(1.0F);
#if FUSE_WRONG == 1
    static_cast<void>(fuse::tensor(fuse::host, compact(v, v > 0)));
#elif FUSE_WRONG == 2
    fuse::eval(fuse::host, r = compact(x, x > 0));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, r = compact(v, v));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, r = cumsum(a));
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, r = diff(a));
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, y = diff(x, fuse::axes<2>));
#elif FUSE_WRONG == 7
    *q = fuse::value(fuse::host, dot(x, y));
#elif FUSE_WRONG == 8
    *q = fuse::value(fuse::host, norm<-2>(x));
#elif FUSE_WRONG == 9
    fuse::eval(fuse::host, r = take(x, t, fuse::axes<2>));
#elif FUSE_WRONG == 10
    fuse::eval(fuse::host, r = take(x, fuse::view<"u">(classes, 4, 8), fuse::axes<1>));
#elif FUSE_WRONG == 11
    fuse::eval(fuse::host, r = take(x, v, fuse::axes<1>));
#elif FUSE_WRONG == 12
    fuse::eval(fuse::host, y = clip(x, 0, 1));
#elif FUSE_WRONG == 13
    fuse::eval(fuse::host, r = diff(fuse::view<"s">(p, fuse::shape())));
#elif FUSE_WRONG == 14
    fuse::eval(fuse::host, r = logsumexp(x, 1));
#elif FUSE_WRONG == 15
    *q = fuse::value(fuse::host, cross_entropy(v, t));
#elif FUSE_WRONG == 16
    *q = fuse::value(fuse::host, cross_entropy(x, fuse::view<"u">(classes, 4, 8)));
#elif FUSE_WRONG == 17
    *q = fuse::value(fuse::host, cross_entropy(x, v));
#elif FUSE_WRONG == 18
    *q = fuse::value(fuse::host, kl_div(a, a, fuse::reduction::batchmean));
#elif FUSE_WRONG == 19
    fuse::print(fuse::view<"pairs">(both, 4));
#elif FUSE_WRONG == 20
    static_cast<void>(fuse::tensor<std::string>(4));
#elif FUSE_WRONG == 21
    fuse::eval(fuse::host, y = compact(x, v > 0));
#elif FUSE_WRONG == 22
    fuse::eval(fuse::host, r = logsumexp(x, fuse::axes<2>));
#elif FUSE_WRONG == 23
    fuse::print(fuse::host, compact(v, v > 0));
#elif FUSE_WRONG == 24
    fuse::eval(fuse::host, r = compact(v, fuse::bernoulli(0.5, 7)));
#elif FUSE_WRONG == 25
    fuse::eval(fuse::host, y = broadcast_to(v, shape_of(x * 2)));
#elif FUSE_WRONG == 26
    static_cast<void>(fuse::tensor<float>(shape_of(x * 2)));
#elif FUSE_WRONG == 27
    *q = fuse::value(fuse::host, mean(compact(v, v > 0)));
#elif FUSE_WRONG == 28
    fuse::eval(fuse::host, r = scan(fuse::Add<>{}, compact(v, v > 0)));
#elif FUSE_WRONG == 29
    fuse::eval(fuse::host, r = compact(v, v > 0) * 2);
#elif FUSE_WRONG == 30
    fuse::eval(fuse::host, r = compact(compact(v, v > 0), v > 0));
#elif FUSE_WRONG == 31
    *q = fuse::value(fuse::host, norm<-1>(x));
#elif FUSE_WRONG == 32
    static_cast<void>(fuse::value(fuse::host, sum(fuse::view<"pairs">(both, 4))));
#elif FUSE_WRONG == 33
    fuse::eval(fuse::host, fuse::view<"out">(both, 4) = cumprod(fuse::view<"pairs">(both, 4)));
#else
    fuse::eval(fuse::host, r = compact(v, v > 0));
    fuse::eval(fuse::host, r = take(x, t, fuse::axes<1>) + logsumexp(x, fuse::axes<1>) + norm<fuse::inf>(x));
#endif
}
