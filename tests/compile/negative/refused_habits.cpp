// SPDX-License-Identifier: Apache-2.0
//
// What NumPy, PyTorch and Thrust write in another way: each form says which.
// expect 1: fuse: a container is not an operand
// expect 2: fuse: an array is not an operand: a view of it is, sum(view<
// expect 3: fuse: a container is not an operand: a view of it is, x + view<
// expect 4: fuse: a container is not an operand
// expect 5: fuse: view takes a pointer and its extents
// expect 6: fuse: a view's template argument is its name
// expect 7: fuse: map takes the function first
// expect 8: fuse: a map functor returns the new element
// expect 9: fuse: map takes a functor or a lambda, not the name of a function
// expect 10: fuse: map takes a functor or a lambda, not the name of a function
// expect 11: fuse: reduce takes the op first
// expect 12: fuse: keepdims is an option by itself
// expect 13: fuse: take needs the axis along which its indices count
// expect 14: fuse: axes and types are template arguments
// expect 15: fuse: axes and types are template arguments
// expect 16: fuse: the extents of a shape stand one by one
// expect 17: fuse: clamp takes both bounds
// expect 18: fuse: the reduction of a loss is reduction::mean, sum or none
// expect 19: fuse: the class that cross_entropy ignores is a template argument
// expect 20: fuse: random numbers have a seed
// expect 21: fuse: random numbers have a seed
// expect 22: fuse: x(i, j) is an element, by an index for each axis
// expect 23: fuse: broadcast_to: the shape has fewer axes
// expect 24 g++ clang++: fuse: device_tensor needs nvcc
// expect 25: fuse: print evaluates an expression where you say
// expect 26: fuse: there is no matrix product
// expect 27: fuse: x[i] takes an integer: elements where a condition holds are compact(x, x > 0)
// expect 28: fuse: a statement is run by eval(fuse::host, y = x * 2)
// expect 29: fuse: elements at places along an axis are take(x, at, axes<1>)
// expect 30: fuse: parts of an array are written one by one
// expect 31: fuse: a triangle is where(expand_dims<1>(arange(rows)) >= arange(cols), x, 0)
// expect 32: fuse: the axes of a reduction, scan or norm follow its operand: sum(x, axes<1>)
// expect 33: fuse: the axes of a reduction, scan or norm follow its operand: softmax(x, axes<1>)
// expect 34: fuse: a map functor must be callable with the element types of its operands
// expect 35: fuse: a map functor must be callable with the element types of its operands
// expect 36: fuse: axes are template arguments: sum(x, axes<0, 1>)
// expect 37: fuse: axes are template arguments: max(x, axes<0, 1>)
// expect 38: fuse: axes are template arguments: softmax(x, axes<0, 1>)
// expect 39: fuse: max takes two operands: max(max(x, y), z)
// expect 40: fuse: minimum takes two operands: minimum(minimum(x, y), z)
// expect 41: fuse: pow takes a base and an exponent, pow(x, 2)
#include <fuse/fuse.hpp>

#include <cmath>
#include <vector>

void f(float* p, float* q, int* classes, [[maybe_unused]] std::vector<float>& v) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 4, 8);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 4, 8);
    [[maybe_unused]] const auto t = fuse::view<"t">(classes, 4);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, y = x + p);
#elif FUSE_WRONG == 2
    *q = fuse::value(fuse::host, fuse::sum(v));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, y = fuse::where(v, x, 0));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, y = where(x > 0, x, v));
#elif FUSE_WRONG == 5
    static_cast<void>(fuse::view<"v">(v.begin(), v.end()));
#elif FUSE_WRONG == 6
    static_cast<void>(fuse::view<float>(p, 4, 8));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, y = fuse::map(x, [](float e) { return e; }));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, y = fuse::map([](float) {}, x));
#elif FUSE_WRONG == 9
    fuse::eval(fuse::host, y = fuse::map(std::sqrt, x));
#elif FUSE_WRONG == 10
    fuse::eval(fuse::host, y = fuse::map(sqrtf, y));
#elif FUSE_WRONG == 11
    *q = fuse::value(fuse::host, fuse::reduce(x, 0.F, fuse::Add<>{}));
#elif FUSE_WRONG == 12
    fuse::eval(fuse::host, y = sum(x, fuse::axes<1>, fuse::keepdims = true));
#elif FUSE_WRONG == 13
    fuse::eval(fuse::host, y = take(x, t, 1));
#elif FUSE_WRONG == 14
    fuse::eval(fuse::host, y = slice(x, 0, 3));
#elif FUSE_WRONG == 15
    fuse::eval(fuse::host, y = transpose(x, 0, 1));
#elif FUSE_WRONG == 16
    fuse::eval(fuse::host, y = reshape(x, {2, 16}));
#elif FUSE_WRONG == 17
    fuse::eval(fuse::host, y = clamp(x, 0));
#elif FUSE_WRONG == 18
    *q = fuse::value(fuse::host, mse_loss(x, y, "sum"));
#elif FUSE_WRONG == 19
    *q = fuse::value(fuse::host, cross_entropy(x, t, -100));
#elif FUSE_WRONG == 20
    fuse::eval(fuse::host, y = dropout(x, 0.5));
#elif FUSE_WRONG == 21
    fuse::eval(fuse::host, y = fuse::normal(0, 1, 7));
#elif FUSE_WRONG == 22
    fuse::eval(fuse::host, y = x(1));
#elif FUSE_WRONG == 23
    fuse::eval(fuse::host, y = broadcast_to(x, 8));
#elif FUSE_WRONG == 24
    static_cast<void>(fuse::device_tensor<float>(4, 8));
#elif FUSE_WRONG == 25
    fuse::print(x * 2);
#elif FUSE_WRONG == 26
    fuse::eval(fuse::host, y = matmul(x, y));
#elif FUSE_WRONG == 27
    fuse::eval(fuse::host, y = x[x > 0]);
#elif FUSE_WRONG == 28
    (y = x * 2).run();
#elif FUSE_WRONG == 29
    fuse::eval(fuse::host, y = gather(x, t));
#elif FUSE_WRONG == 30
    fuse::eval(fuse::host, y = concatenate(x, x));
#elif FUSE_WRONG == 31
    fuse::eval(fuse::host, y = tril(x));
#elif FUSE_WRONG == 32
    fuse::eval(fuse::host, y[0] = sum<1>(x));
#elif FUSE_WRONG == 33
    fuse::eval(fuse::host, y = softmax<1>(x));
#elif FUSE_WRONG == 34
    fuse::eval(fuse::host, y = ~x);
#elif FUSE_WRONG == 35
    fuse::eval(fuse::host, y = x << 1);
#elif FUSE_WRONG == 36
    *q = fuse::value(fuse::host, sum(x, {0, 1}));
#elif FUSE_WRONG == 37
    *q = fuse::value(fuse::host, max(x, {0, 1}, fuse::keepdims));
#elif FUSE_WRONG == 38
    fuse::eval(fuse::host, y = softmax(x, {1}));
#elif FUSE_WRONG == 39
    fuse::eval(fuse::host, y = max(x, y, 0));
#elif FUSE_WRONG == 40
    fuse::eval(fuse::host, y = minimum(x, 1, x * 2, 0));
#elif FUSE_WRONG == 41
    fuse::eval(fuse::host, y = pow(x));
#else
    fuse::eval(fuse::host, y = max(max(x, y), 0) + min(x, fuse::axes<1>, fuse::keepdims) * pow(x, 2));
    *q = fuse::value(fuse::host, norm(x) + mse_loss(x, y, fuse::reduction::sum) + huber_loss(x, y, 1) + x(1, 2));
    *q = fuse::value(fuse::host, cross_entropy(x, t, fuse::reduction::sum) + cross_entropy<-1>(x, t));
    fuse::eval(fuse::host, y = dropout(clamp(x, 0, 1), 0.5, 7) * fuse::uniform<double>(3) + fuse::normal<7>() +
                               fuse::bernoulli<7>(0.5) + dropout<7>(flip(slice<0>(x, {}, {}, -1)), 0.5));
    static_cast<void>(diff(x, fuse::axes<0>));
    static_cast<void>(fuse::view(v.data(), 3) + fuse::view<"v">(v));
    fuse::print(x);
    static_cast<void>(transpose(x) * take(x, t, fuse::axes<1>));
#endif
}
