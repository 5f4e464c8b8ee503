// SPDX-License-Identifier: Apache-2.0
//
// As refused_norms.hpp, of the norms that nn.hpp adds: axes that are given as a number, and an eps that is an integer. And as
// refused_losses.hpp, of the losses.
#pragma once

#include "fuse/nn/refused_losses.hpp"
#include "fuse/nn/refused_norms.hpp"

FUSE_BEGIN_NAMESPACE

template <Expression X, std::integral A, class... More>
auto softmin(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, Expression M, std::integral A>
auto masked_softmax(const X&, const M&, A) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <int Ddof = 0, Expression X, std::integral A>
auto standardize(const X&, A) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}
template <Expression X, std::integral A, class... More>
auto layer_norm_with_statistics(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression G, std::integral A, class... More>
auto layer_norm_with_statistics(const X&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression G, Expression B, std::integral A, class... More>
auto layer_norm_with_statistics(const X&, const G&, const B&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, std::integral A, class... More>
auto rms_norm_with_statistics(const X&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression G, std::integral A, class... More>
auto rms_norm_with_statistics(const X&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, std::integral A, class... More>
auto add_layer_norm(const X&, const R&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, Expression G, std::integral A, class... More>
auto add_layer_norm(const X&, const R&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, Expression G, Expression B, std::integral A, class... More>
auto add_layer_norm(const X&, const R&, const G&, const B&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, std::integral A, class... More>
auto add_rms_norm(const X&, const R&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, Expression R, Expression G, std::integral A, class... More>
auto add_rms_norm(const X&, const R&, const G&, A, const More&...) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
}
template <Expression X, std::integral A>
auto instance_norm(const X&, A) {
    static_assert(!std::integral<A>, FUSE_NUMBER_FOR_AXES);
    return detail::refused();
}

FUSE_REFUSE_NUMBERS(smooth_l1_loss)
FUSE_REFUSE_NUMBERS(binary_cross_entropy)
FUSE_REFUSE_NUMBERS(sigmoid_focal_loss)
FUSE_REFUSE_NUMBERS(js_div)
FUSE_REFUSE_NUMBERS(poisson_nll_loss)
FUSE_REFUSE_NUMBERS(gaussian_nll_loss)
FUSE_REFUSE_NUMBERS(hinge_embedding_loss)
FUSE_REFUSE_NUMBERS(margin_ranking_loss)
FUSE_REFUSE_NUMBERS(info_nce)
FUSE_REFUSE_ONE_OPERAND(smooth_l1_loss)
FUSE_REFUSE_ONE_OPERAND(binary_cross_entropy)
FUSE_REFUSE_ONE_OPERAND(sigmoid_focal_loss)
FUSE_REFUSE_ONE_OPERAND(js_div)
FUSE_REFUSE_ONE_OPERAND(poisson_nll_loss)
FUSE_REFUSE_ONE_OPERAND(hinge_embedding_loss)
FUSE_REFUSE_REDUCTION(smooth_l1_loss, false)
FUSE_REFUSE_REDUCTION(binary_cross_entropy, Number<A>)
FUSE_REFUSE_REDUCTION(js_div, Number<A>)
FUSE_REFUSE_REDUCTION(poisson_nll_loss, false)
FUSE_REFUSE_REDUCTION(hinge_embedding_loss, false)
FUSE_REFUSE_WEIGHTS(smooth_l1_loss)
FUSE_REFUSE_WEIGHTS(js_div)
FUSE_REFUSE_WEIGHTS(poisson_nll_loss)
FUSE_REFUSE_WEIGHTS(hinge_embedding_loss)
FUSE_REFUSE_ORDER(smooth_l1_loss)
FUSE_REFUSE_NUMBER_FOR_ROWS(dice_loss, "probabilities and a target for each: a number is none")
FUSE_REFUSE_NUMBER_FOR_ROWS(distillation_loss, "logits of shape (n, classes): a number is none")
FUSE_REFUSE_NUMBER_FOR_ROWS(cosine_embedding_loss, "rows, and a target for each row or for all")
FUSE_REFUSE_NUMBER_FOR_ROWS(covariance, "of one shape: a number is none")
FUSE_REFUSE_NUMBER_FOR_ROWS(correlation, "of one shape: a number is none")

FUSE_REFUSE_ORDER_IN_NORM(layer_norm_with_statistics)
FUSE_REFUSE_ORDER_IN_NORM(rms_norm_with_statistics)

template <Expression X>
auto masked_softmax(const X&) {
    static_assert(sizeof(X) == 0, "fuse: masked_softmax takes a mask, true where an element counts: "
                                  "masked_softmax(x, mask)");
    return detail::refused();
}
#define FUSE_REFUSE_ALL_PAIRS                                                                                          \
    "fuse: covariance and correlation are those of two operands, along axes: covariance(x, y, axes<0>); those of all " \
    "pairs of columns are a product of matrices"
template <int Ddof = 0, Expression X>
auto covariance(const X&) {
    static_assert(sizeof(X) == 0, FUSE_REFUSE_ALL_PAIRS);
    return detail::refused();
}
template <Expression X>
auto correlation(const X&) {
    static_assert(sizeof(X) == 0, FUSE_REFUSE_ALL_PAIRS);
    return detail::refused();
}
template <Expression S, class... O>
    requires(Expression<O> || ...)
auto info_nce(const S&, const O&...) {
    static_assert(sizeof(S) == 0,
                  "fuse: info_nce takes similarities of shape (n, m), a temperature that is a number, and a reduction: "
                  "info_nce(s, 0.07)");
    return detail::refused();
}
template <Expression X, class... A>
    requires(sizeof...(A) < 2)
auto batch_norm(const X&, const A&...) {
    static_assert(sizeof(X) == 0,
                  "fuse: batch_norm takes running statistics, batch_norm(x, mean, var); by those of the batch it is "
                  "batch_norm_training(x), whose first member is the output");
    return detail::refused();
}
// With an eps behind it or without.
#define FUSE_REFUSE_GAMMA_ALONE                                                                                        \
    "fuse: group_norm and instance_norm take gamma and beta together, group_norm(x, groups, gamma, beta); without a "  \
    "shift beta is gamma * 0"
template <Expression X, Expression G, std::floating_point... Eps>
    requires(sizeof...(Eps) < 2)
auto instance_norm(const X&, const G&, Eps...) {
    static_assert(sizeof(X) == 0, FUSE_REFUSE_GAMMA_ALONE);
    return detail::refused();
}
template <Expression X, std::integral N, Expression G, std::floating_point... Eps>
    requires(sizeof...(Eps) < 2)
auto group_norm(const X&, N, const G&, Eps...) {
    static_assert(sizeof(X) == 0, FUSE_REFUSE_GAMMA_ALONE);
    return detail::refused();
}
template <Expression G>
auto clip_grad_norm(const G&) {
    static_assert(sizeof(G) == 0, "fuse: clip_grad_norm takes the largest norm, clip_grad_norm(grad, 1.0)");
    return detail::refused();
}
template <Expression X, Expression T>
auto gaussian_nll_loss(const X&, const T&) {
    static_assert(sizeof(X) == 0, "fuse: gaussian_nll_loss takes a variance beside the input and the target: "
                                  "gaussian_nll_loss(input, target, var)");
    return detail::refused();
}
#define FUSE_REFUSE_TRIPLETS                                                                                           \
    "fuse: triplet_margin_loss takes three expressions, such as views, with rows: anchor, positive and negative; the " \
    "margin follows them"
template <int P = 2, class A, class Q, class N, class... O>
    requires(!Expression<A> || !Expression<Q> || !Expression<N>)
auto triplet_margin_loss(const A&, const Q&, const N&, const O&...) {
    static_assert(sizeof(A) == 0, FUSE_REFUSE_TRIPLETS);
    return detail::refused();
}
template <int P = 2, Expression A, class... Q>
    requires(sizeof...(Q) < 2)
auto triplet_margin_loss(const A&, const Q&...) {
    static_assert(sizeof(A) == 0, FUSE_REFUSE_TRIPLETS);
    return detail::refused();
}
template <index_t IgnoreIndex = -100, Expression X>
auto nll_loss(const X&) {
    static_assert(sizeof(X) == 0, "fuse: a loss takes an input and a target: nll_loss(x, t)");
    return detail::refused();
}
template <index_t IgnoreIndex = -100, class X, class T, class... O>
    requires(!Expression<X> || !Expression<T>)
auto nll_loss(const X&, const T&, const O&...) {
    static_assert(sizeof(X) == 0,
                  "fuse: nll_loss takes two expressions, such as views, log-probabilities of shape (n, classes) and a "
                  "class for each row: one class for all is broadcast_to(scalar(3), n)");
    return detail::refused();
}

FUSE_END_NAMESPACE
