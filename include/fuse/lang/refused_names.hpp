// SPDX-License-Identifier: Apache-2.0
//
// Functions of NumPy and PyTorch that are more than one kernel, or forms of them that are other functions here: they say
// what to write.
#pragma once

#include <initializer_list>

#include "fuse/lang/axes.hpp"
#include "fuse/lang/scalar.hpp"
#include "fuse/lang/weak.hpp"

FUSE_BEGIN_NAMESPACE

template <Expression X, class... A>
auto median(const X&, const A&...) {
    static_assert(
        sizeof(X) == 0,
        "fuse: a median is two kernels: eval(fuse::host, s = sort(x, axes<-1>)), then an eval of the middle of "
        "each row, a strided view of s");
}
template <Expression X, class... A>
auto quantile(const X&, const A&...) {
    static_assert(
        sizeof(X) == 0,
        "fuse: a quantile is two kernels: eval(fuse::host, s = sort(x, axes<-1>)), then an eval of its place in "
        "each row, a strided view of s");
}
template <Expression X, class T, class... A>
auto take(const X&, const T&, const A&...) {
    static_assert(
        sizeof(X) == 0,
        "fuse: take needs the axis along which its indices count: take(x, target, axes<1>) is x[i, target[i]], "
        "one element of each row; there is no gather of any others, x[indices]");
}
template <Expression X, Number T, int Axis>
auto take(const X&, const T&, axes_t<Axis>) {
    static_assert(sizeof(X) == 0, "fuse: the element at one place of all rows is a part: select<1>(x, 0)");
    return detail::refused();
}
template <Expression C, class... A>
    requires(sizeof...(A) < 2)
auto where(const C&, const A&...) {
    static_assert(
        sizeof(C) == 0,
        "fuse: where takes a condition and two values, where(x > 0, x, 0); the places where a condition holds "
        "are compact(index<0>(), x > 0)");
}
template <Expression E, class... A>
auto map(const E&, const A&...) {
    static_assert(sizeof(E) == 0, "fuse: map takes the function first: map(f, x, y)");
    return detail::refused();
}
/// Of an overloaded name the types stay float.
template <class R = float, class P = float, Expression X>
auto map(R (*)(P), const X&) {
    static_assert(
        sizeof(X) == 0,
        "fuse: map takes a functor or a lambda, not the name of a function: map([](float v) { return f(v); }, "
        "x), and std::sqrt is sqrt(x)");
    return detail::refused();
}
template <Expression E, class... A>
auto reduce(const E&, const A&...) {
    static_assert(sizeof(E) == 0,
                  "fuse: reduce takes the op first: reduce(fuse::Add<>{}, x, axes<1>), which is sum(x, axes<1>)");
    return detail::refused();
}

/// FUNCTION of an expression and at least LEAST other arguments, which no right call is. A macro, because static_assert
/// takes no text but a literal.
#define FUSE_REFUSE_CALL(FUNCTION, LEAST, SENTENCE)                                                                    \
    template <Expression X, class... A>                                                                                \
        requires(sizeof...(A) >= LEAST)                                                                                \
    auto FUNCTION(const X&, const A&...) {                                                                             \
        static_assert(sizeof(X) == 0, SENTENCE);                                                                       \
        return detail::refused();                                                                                      \
    }
#define FUSE_AXIS_AS_NUMBER                                                                                            \
    "fuse: axes and types are template arguments: slice<1>(x, 0, 3), select<1>(x, i), flip<1>(x), squeeze<0>(x), "     \
    "expand_dims<0>(x), transpose<1, 0>(x), diff(x, axes<1>), cast<float>(x)"

#define FUSE_NO_CONCATENATION                                                                                          \
    "fuse: parts of an array are written one by one: eval(fuse::host, slice<0>(y, 0, 4) = a), then slice<0>(y, 4, 8) " \
    "= b"
#define FUSE_NO_TOP_K                                                                                                  \
    "fuse: the k largest of each row are two kernels: eval(fuse::host, s = sort(x, axes<-1>, descending)), then "      \
    "slice<1>(s, 0, k), and of argsort where they are; the largest is max and argmax"
#define FUSE_NO_ONE_HOT "fuse: a class as ones and zeros is a comparison: expand_dims<1>(label) == arange(classes)"
#define FUSE_NO_FILLED_ARRAY                                                                                           \
    "fuse: an array of zeros is tensor<float>(rows, cols), and y = 1 fills it; as an operand a number stands by "      \
    "itself, x + 1, and with a shape it is broadcast_to(scalar(1.0F), rows, cols)"

FUSE_REFUSE_CALL(slice, 0, FUSE_AXIS_AS_NUMBER)
FUSE_REFUSE_CALL(select, 0, FUSE_AXIS_AS_NUMBER)
FUSE_REFUSE_CALL(squeeze, 0, FUSE_AXIS_AS_NUMBER)
FUSE_REFUSE_CALL(expand_dims, 0, FUSE_AXIS_AS_NUMBER)
FUSE_REFUSE_CALL(cast, 0, FUSE_AXIS_AS_NUMBER)
FUSE_REFUSE_CALL(flip, 1, FUSE_AXIS_AS_NUMBER)
FUSE_REFUSE_CALL(transpose, 1, FUSE_AXIS_AS_NUMBER)
FUSE_REFUSE_CALL(diff, 1, FUSE_AXIS_AS_NUMBER)
FUSE_REFUSE_CALL(dropout, 0, "fuse: random numbers have a seed: dropout(x, 0.5, 7)")
FUSE_REFUSE_CALL(clip, 0, "fuse: numpy's clip is clamp(x, low, high); one bound alone is max(x, low) or min(x, high)")
FUSE_REFUSE_CALL(
    matmul, 0,
    "fuse: there is no matrix product: cuBLAS has one, and a small one is sum(expand_dims<2>(a) * b, axes<1>)")
FUSE_REFUSE_CALL(gather, 0, "fuse: elements at places along an axis are take(x, at, axes<1>), one for each row")
FUSE_REFUSE_CALL(concatenate, 0, FUSE_NO_CONCATENATION)
FUSE_REFUSE_CALL(tril, 0, "fuse: a triangle is where(expand_dims<1>(arange(rows)) >= arange(cols), x, 0)")
FUSE_REFUSE_CALL(concat, 0, FUSE_NO_CONCATENATION)
FUSE_REFUSE_CALL(cat, 0, FUSE_NO_CONCATENATION)
FUSE_REFUSE_CALL(topk, 0, FUSE_NO_TOP_K)
FUSE_REFUSE_CALL(one_hot, 0, FUSE_NO_ONE_HOT)

/// The same names of anything else, such as numbers: `...` is what a function of the user's of that name is chosen before.
#define FUSE_REFUSE_NAME(FUNCTION, SENTENCE)                                                                           \
    template <class V = void>                                                                                          \
    auto FUNCTION(...) {                                                                                               \
        static_assert(sizeof(V*) == 0, SENTENCE);                                                                      \
        return detail::refused();                                                                                      \
    }
FUSE_REFUSE_NAME(concat, FUSE_NO_CONCATENATION)
FUSE_REFUSE_NAME(cat, FUSE_NO_CONCATENATION)
FUSE_REFUSE_NAME(topk, FUSE_NO_TOP_K)
FUSE_REFUSE_NAME(one_hot, FUSE_NO_ONE_HOT)
FUSE_REFUSE_NAME(zeros, FUSE_NO_FILLED_ARRAY)
FUSE_REFUSE_NAME(ones, FUSE_NO_FILLED_ARRAY)
FUSE_REFUSE_NAME(full, FUSE_NO_FILLED_ARRAY)

/// Here, where `using namespace fuse` does not bring it beside std::stack.
namespace shift_operators {
FUSE_REFUSE_CALL(stack, 0,
                 "fuse: arrays are put into a larger one one by one: eval(fuse::host, y[0] = a), then y[1] = b")
}
#undef FUSE_REFUSE_NAME
#undef FUSE_NO_FILLED_ARRAY
#undef FUSE_NO_ONE_HOT
#undef FUSE_NO_TOP_K
#undef FUSE_NO_CONCATENATION
#undef FUSE_REFUSE_CALL

/// sum<1>(x), as slice<1>(x, 0, 3) has it.
#define FUSE_REFUSE_AXIS(FUNCTION)                                                                                     \
    template <int Axis, Expression X, class... A>                                                                      \
    auto FUNCTION(const X&, const A&...) {                                                                             \
        static_assert(sizeof(X) == 0,                                                                                  \
                      "fuse: the axes of a reduction, scan or norm follow its operand: " #FUNCTION "(x, axes<1>)");    \
        return detail::refused();                                                                                      \
    }
/// sum(x, {0, 1}).
#define FUSE_REFUSE_LIST(FUNCTION)                                                                                     \
    template <Expression X, class... A>                                                                                \
    auto FUNCTION(const X&, std::initializer_list<int>, const A&...) {                                                 \
        static_assert(sizeof(X) == 0, "fuse: axes are template arguments: " #FUNCTION "(x, axes<0, 1>)");              \
        return detail::refused();                                                                                      \
    }
FUSE_REFUSE_AXIS(sum)
FUSE_REFUSE_AXIS(mean)
FUSE_REFUSE_AXIS(max)
FUSE_REFUSE_AXIS(min)
FUSE_REFUSE_AXIS(argmax)
FUSE_REFUSE_AXIS(cumsum)
FUSE_REFUSE_AXIS(softmax)
FUSE_REFUSE_LIST(sum)
FUSE_REFUSE_LIST(prod)
FUSE_REFUSE_LIST(mean)
FUSE_REFUSE_LIST(var)
FUSE_REFUSE_LIST(stddev)
FUSE_REFUSE_LIST(max)
FUSE_REFUSE_LIST(min)
FUSE_REFUSE_LIST(any)
FUSE_REFUSE_LIST(all)
FUSE_REFUSE_LIST(norm)
FUSE_REFUSE_LIST(softmax)
FUSE_REFUSE_LIST(layer_norm)
#undef FUSE_REFUSE_LIST
#undef FUSE_REFUSE_AXIS
#undef FUSE_AXIS_AS_NUMBER

/// max(x, y, z).
#define FUSE_REFUSE_THIRD(FUNCTION)                                                                                    \
    template <Expression X, OperandLike A, OperandLike B, OperandLike... C>                                            \
    auto FUNCTION(const X&, const A&, const B&, const C&...) {                                                         \
        static_assert(sizeof(X) == 0,                                                                                  \
                      "fuse: " #FUNCTION " takes two operands: " #FUNCTION "(" #FUNCTION "(x, y), z)");                \
        return detail::refused();                                                                                      \
    }
FUSE_REFUSE_THIRD(max)
FUSE_REFUSE_THIRD(min)
FUSE_REFUSE_THIRD(maximum)
FUSE_REFUSE_THIRD(minimum)
#undef FUSE_REFUSE_THIRD

template <Expression X>
auto pow(const X&) {
    static_assert(sizeof(X) == 0, "fuse: pow takes a base and an exponent, pow(x, 2); e to the x is exp(x)");
    return detail::refused();
}
template <Expression X, class A>
auto round(const X&, const A&) {
    static_assert(sizeof(X) == 0, "fuse: round is to integers: to two decimals it is round(x * 100) / 100");
    return detail::refused();
}
template <Expression X, class A>
auto clamp(const X&, const A&) {
    static_assert(sizeof(X) == 0,
                  "fuse: clamp takes both bounds, clamp(x, low, high); one alone is max(x, low) or min(x, high)");
    return detail::refused();
}
template <int Axis, Expression X, class... A>
    requires(sizeof...(A) < 2)
auto slice(const X&, const A&...) {
    static_assert(sizeof(X) == 0,
                  "fuse: slice takes where it begins and where it ends: slice<1>(x, 1, {}) is x[:, 1:] of numpy, and "
                  "slice<1>(x, {}, 3) is x[:, :3]");
    return detail::refused();
}
template <Expression X, class... A>
    requires(!requires(const X& view) { view.strided(); })
auto reshape(const X&, const A&...) {
    static_assert(sizeof(X) == 0,
                  "fuse: reshape is of views: reshape(x, 6) * 2, or evaluate the expression into a view first; an axis "
                  "of an expression is taken apart by unflatten<1>(x * 2, 4, -1) of fuse/nn.hpp");
    return detail::refused();
}
template <Expression X>
auto reshape(const X&, std::initializer_list<index_t>) {
    static_assert(sizeof(X) == 0, "fuse: the extents of a shape stand one by one: reshape(x, 2, -1)");
    return detail::refused();
}

#define FUSE_NO_SEED                                                                                                   \
    "fuse: random numbers have a seed: uniform(7) in [0, 1), normal(7), bernoulli(0.5, 7); in [a, b) they are a + (b " \
    "- "                                                                                                               \
    "a) * uniform(7)"
template <OperandLike... A>
    requires(sizeof...(A) != 1)
auto uniform(const A&...) {
    static_assert(sizeof...(A) == 1, FUSE_NO_SEED);
    return detail::refused();
}
template <OperandLike... A>
    requires(sizeof...(A) != 1)
auto normal(const A&...) {
    static_assert(sizeof...(A) == 1, FUSE_NO_SEED);
    return detail::refused();
}
template <OperandLike P>
auto bernoulli(const P&) {
    static_assert(sizeof(P) == 0, FUSE_NO_SEED);
    return detail::refused();
}
#undef FUSE_NO_SEED

template <Expression E>
void print(const E&) {
    static_assert(sizeof(E) == 0, "fuse: print evaluates an expression where you say: print(fuse::host, x * 2)");
}

FUSE_END_NAMESPACE
