// SPDX-License-Identifier: Apache-2.0
//
// What the functions of nn.hpp do not take.
// expect 1: fuse: the axes of a norm are axes<...>, not a number
// expect 2: fuse: the axes of a norm are axes<...>, not a number
// expect 3: fuse: unflatten takes views and maps of them
// expect 4: fuse: the rank of an output is neither that of its expression
// expect 5: fuse: what there is per channel has shape (channels)
// expect 6: fuse: the input has shape (n, channels, ...)
// expect 7: fuse: unflatten: this axis is outside the operand's rank
// expect 8: fuse: an axis of axes<...> is outside the operand's rank
// expect 9: fuse: causal_softmax: the scores have shape (..., queries, keys)
// expect 10: fuse: the learning rate of an optimizer is a number among its options, or a floating-point scalar expression
// expect 11: fuse: the axes of a norm are axes<...>, not a number
// expect 12: fuse: the axes of a norm are axes<...>, not a number
// expect 13: fuse: the axes of a norm are axes<...>, not a number
// expect 14: fuse: the axes of a norm are axes<...>, not a number
// expect 15: fuse: the axes of a norm are axes<...>, not a number
// expect 16: fuse: the axes of a norm are axes<...>, not a number
// expect 17: fuse: the axes of a norm are axes<...>, not a number
// expect 18: fuse: the axes of a norm are axes<...>, not a number
// expect 19: fuse: batch_norm takes running statistics, batch_norm(x, mean, var)
// expect 20: fuse: batch_norm takes running statistics, batch_norm(x, mean, var)
// expect 21: fuse: unflatten takes the axis as a template argument, and its extents one by one
// expect 22: fuse: unflatten takes the axis as a template argument, and its extents one by one
// expect 23: fuse: an array is not an operand: a view of it is, view<
// expect 24: fuse: a learning rate that is a number stands among the options of an optimizer, {.lr = 0.1}
// expect 25: fuse: an array is not an operand: a view of it is, view<
// expect 26: fuse: a learning rate that is a number stands among the options of an optimizer, {.lr = 0.1}
// expect 27: fuse: a learning rate that is a number stands among the options of an optimizer, {.lr = 0.1}
#include <fuse/fuse.hpp>
#include <fuse/nn.hpp>

void f(float* p, float* q) {
    [[maybe_unused]] const auto x = fuse::view<"x">(p, 2, 8, 4);
    [[maybe_unused]] const auto y = fuse::view<"y">(q, 2, 8, 4);
    [[maybe_unused]] const auto v = fuse::view<"v">(p, 8);
    [[maybe_unused]] const auto w = fuse::view<"w">(q, 8);
    [[maybe_unused]] const auto rate = fuse::tensor<float>(1);
#if FUSE_WRONG == 1
    fuse::eval(fuse::host, y = softmin(x, 1));
#elif FUSE_WRONG == 2
    static_cast<void>(add_rms_norm(x, x, 1));
#elif FUSE_WRONG == 3
    fuse::eval(fuse::host, unflatten<1>(y, 4, -1) = unflatten<1>(softmax(x), 4, -1));
#elif FUSE_WRONG == 4
    fuse::eval(fuse::host, y = group_norm(x, 4));
#elif FUSE_WRONG == 5
    fuse::eval(fuse::host, y = batch_norm(x, v, x));
#elif FUSE_WRONG == 6
    fuse::eval(fuse::host, w = batch_norm(v, v, v));
#elif FUSE_WRONG == 7
    fuse::eval(fuse::host, unflatten<3>(y, 4, -1) = group_norm(x, 4));
#elif FUSE_WRONG == 8
    fuse::eval(fuse::host, y = masked_softmax(x, v > 0, fuse::axes<3>));
#elif FUSE_WRONG == 9
    fuse::eval(fuse::host, w = causal_softmax(v));
#elif FUSE_WRONG == 10
    fuse::eval(fuse::host, v = sgd(v, w, w));
#elif FUSE_WRONG == 11
    static_cast<void>(add_layer_norm(x, x, x, 1));
#elif FUSE_WRONG == 12
    static_cast<void>(layer_norm_with_statistics(x, x, 1));
#elif FUSE_WRONG == 13
    static_cast<void>(layer_norm_with_statistics(x, x, x, 1));
#elif FUSE_WRONG == 14
    static_cast<void>(rms_norm_with_statistics(x, x, 1));
#elif FUSE_WRONG == 15
    static_cast<void>(add_layer_norm(x, x, x, x, 1));
#elif FUSE_WRONG == 16
    static_cast<void>(add_rms_norm(x, x, x, 1));
#elif FUSE_WRONG == 17
    fuse::eval(fuse::host, y = rms_norm(x, x, 1));
#elif FUSE_WRONG == 18
    fuse::eval(fuse::host, y = layer_norm(x, x, x, 1));
#elif FUSE_WRONG == 19
    fuse::eval(fuse::host, y = batch_norm(x));
#elif FUSE_WRONG == 20
    fuse::eval(fuse::host, y = batch_norm(x, v));
#elif FUSE_WRONG == 21
    static_cast<void>(unflatten<1>(x, {4, 2}));
#elif FUSE_WRONG == 22
    static_cast<void>(unflatten(x, 1, 4, 2));
#elif FUSE_WRONG == 23
    fuse::eval(fuse::host, v = sgd(v, w, rate));
#elif FUSE_WRONG == 24
    fuse::eval(fuse::host, v = sgd(v, w, 0.1));
#elif FUSE_WRONG == 25
    static_cast<void>(adam(v, w, v, v, 1, rate));
#elif FUSE_WRONG == 26
    static_cast<void>(adamw(v, w, v, v, 1, 0.1, fuse::AdamWOptions{}));
#elif FUSE_WRONG == 27
    static_cast<void>(lion(v, w, v, 0.1F));
#else
    fuse::eval(fuse::host, y = softmin(x, fuse::axes<1>));
    fuse::eval(fuse::host, unflatten<1>(y, fuse::shape(4, -1)) = group_norm(x, 4));
    fuse::eval(fuse::host, y = batch_norm(x, v, w), w = sgd(v, w, fuse::view<"lr">(rate.data(), fuse::shape())));
    fuse::eval(fuse::host, v = sgd(v, w, {.lr = 0.1}), w = sgd(v, w, v, 1, {.lr = 0.1}).momentum_buffer);
    static_cast<void>(adam(v, w, v, v, 1.0, {.lr = 0.1}));
#endif
}
