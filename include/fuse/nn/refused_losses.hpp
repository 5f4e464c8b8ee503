// SPDX-License-Identifier: Apache-2.0
//
// Losses of numbers alone, or of numbers in place of rows; with what is no reduction, weights that they do not take, and their
// arguments in another order. And cross_entropy with what nn.hpp adds to it.
#pragma once

#include <concepts>
#include <type_traits>

#include "fuse/lang/weak.hpp"
#include "fuse/nn/loss_reduction.hpp"

/// LOSS of what is no expression, which no right call is. A macro, as the next ones, because static_assert takes no text but
/// a literal.
#define FUSE_REFUSE_NUMBERS(LOSS)                                                                                      \
    template <class... A>                                                                                              \
        requires((!Expression<A> && ...) && (!detail::HasView<A> && ...))                                              \
    auto LOSS(const A&...) {                                                                                           \
        static_assert(sizeof...(A) > max_rank * max_rank,                                                              \
                      "fuse: one operand of a loss at least is an expression, such as a view: " #LOSS                  \
                      "(view<\"x\">(v), 0.5)");                                                                        \
        return detail::refused();                                                                                      \
    }
/// LOSS(x).
#define FUSE_REFUSE_ONE_OPERAND(LOSS)                                                                                  \
    template <Expression X>                                                                                            \
    auto LOSS(const X&) {                                                                                              \
        static_assert(sizeof(X) == 0, "fuse: a loss takes an input and a target: " #LOSS "(x, t)");                    \
        return detail::refused();                                                                                      \
    }
/// LOSS(x, t, "sum"), as PyTorch has it, or along axes. TAKEN: what else is none of LOSS's arguments there.
#define FUSE_REFUSE_REDUCTION(LOSS, TAKEN)                                                                             \
    template <class X, class T, class A, class... O>                                                                   \
        requires(Operands<X, T> && (std::is_array_v<A> || AxesOption<A> || TAKEN))                                     \
    auto LOSS(const X&, const T&, const A&, const O&...) {                                                             \
        static_assert(                                                                                                 \
            sizeof(X) == 0,                                                                                            \
            "fuse: the reduction of a loss is reduction::mean, sum or none: mse_loss(x, t, reduction::sum); along "    \
            "axes it is mean(mse_loss(x, t, reduction::none), axes<1>)");                                              \
        return detail::refused();                                                                                      \
    }
/// LOSS of one number for each element, followed by an expression.
#define FUSE_REFUSE_WEIGHTS(LOSS)                                                                                      \
    template <class X, class T, class... O>                                                                            \
        requires(Operands<X, T> && (Expression<O> || ...))                                                             \
    auto LOSS(const X&, const T&, const O&...) {                                                                       \
        static_assert(sizeof(X) == 0, "fuse: weights of elements multiply the loss of each: mean(w * " #LOSS           \
                                      "(x, t, reduction::none)), or sum(..) / sum(w)");                                \
        return detail::refused();                                                                                      \
    }
/// LOSS(x, t, 0.5, reduction::sum).
#define FUSE_REFUSE_ORDER(LOSS)                                                                                        \
    template <class X, class T, Number V, LossReduction R>                                                             \
        requires Operands<X, T>                                                                                        \
    auto LOSS(const X&, const T&, const V&, R) {                                                                       \
        static_assert(sizeof(X) == 0,                                                                                  \
                      "fuse: the number follows the reduction, as in PyTorch: " #LOSS "(x, t, reduction::sum, 0.5)");  \
        return detail::refused();                                                                                      \
    }
/// LOSS(x, t) where one of the two is no expression.
#define FUSE_REFUSE_NUMBER_FOR_ROWS(LOSS, WHAT)                                                                        \
    template <class X, class T, class... O>                                                                            \
        requires(!Expression<X> || !Expression<T>)                                                                     \
    auto LOSS(const X&, const T&, const O&...) {                                                                       \
        static_assert(sizeof(X) == 0, "fuse: " #LOSS " takes two expressions, such as views, " WHAT);                  \
        return detail::refused();                                                                                      \
    }

FUSE_BEGIN_NAMESPACE

FUSE_REFUSE_NUMBERS(mse_loss)
FUSE_REFUSE_NUMBERS(l1_loss)
FUSE_REFUSE_NUMBERS(huber_loss)
FUSE_REFUSE_NUMBERS(binary_cross_entropy_with_logits)
FUSE_REFUSE_NUMBERS(kl_div)
FUSE_REFUSE_ONE_OPERAND(mse_loss)
FUSE_REFUSE_ONE_OPERAND(l1_loss)
FUSE_REFUSE_ONE_OPERAND(huber_loss)
FUSE_REFUSE_ONE_OPERAND(binary_cross_entropy_with_logits)
FUSE_REFUSE_ONE_OPERAND(kl_div)
FUSE_REFUSE_REDUCTION(mse_loss, Number<A>)
FUSE_REFUSE_REDUCTION(l1_loss, Number<A>)
FUSE_REFUSE_REDUCTION(huber_loss, false)
FUSE_REFUSE_REDUCTION(binary_cross_entropy_with_logits, Number<A>)
FUSE_REFUSE_REDUCTION(cross_entropy, false)
FUSE_REFUSE_REDUCTION(kl_div, Number<A>)
FUSE_REFUSE_WEIGHTS(mse_loss)
FUSE_REFUSE_WEIGHTS(l1_loss)
FUSE_REFUSE_WEIGHTS(huber_loss)
FUSE_REFUSE_WEIGHTS(binary_cross_entropy_with_logits)
FUSE_REFUSE_WEIGHTS(kl_div)
FUSE_REFUSE_ORDER(huber_loss)
FUSE_REFUSE_NUMBER_FOR_ROWS(cosine_similarity, "of vectors along an axis: a number is none")

template <index_t IgnoreIndex = -100, class X, class T, class... O>
    requires(!Expression<X> || !Expression<T>)
auto cross_entropy(const X&, const T&, const O&...) {
    static_assert(sizeof(X) == 0,
                  "fuse: cross_entropy takes two expressions, such as views, logits of shape (n, classes) and a class "
                  "for each row: one class for all is broadcast_to(scalar(3), n)");
    return detail::refused();
}
template <index_t IgnoreIndex = -100, Expression X>
auto cross_entropy(const X&) {
    static_assert(sizeof(X) == 0, "fuse: a loss takes an input and a target: cross_entropy(x, t)");
    return detail::refused();
}
template <Expression X, Expression T, std::integral A>
auto cross_entropy(const X&, const T&, A) {
    static_assert(sizeof(X) == 0,
                  "fuse: the class that cross_entropy ignores is a template argument: cross_entropy<-100>(x, t)");
    return detail::refused();
}
template <Expression X, Expression T, std::floating_point A>
auto cross_entropy(const X&, const T&, A) {
    static_assert(
        sizeof(X) == 0,
        "fuse: a number that cross_entropy takes has a name: loss::label_smoothing(0.1) or loss::z_loss(1e-4) "
        "of fuse/nn.hpp");
    return detail::refused();
}
/// With weights it is that of cross_entropy.hpp, which is more constrained.
template <index_t IgnoreIndex = -100, Expression X, Expression T, Expression W, class... O>
constexpr auto cross_entropy(const X& input, const T&, const W&, O...) {
    static_assert(
        sizeof(X) == 0,
        "fuse: cross_entropy with weights of the classes needs fuse/nn.hpp; what follows them is a reduction, "
        "loss::label_smoothing or loss::z_loss");
    return input;
}

FUSE_END_NAMESPACE
