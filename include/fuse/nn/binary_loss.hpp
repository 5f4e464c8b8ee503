// SPDX-License-Identifier: Apache-2.0
//
// Losses of two classes: binary_cross_entropy of probabilities, and sigmoid_focal_loss of logits.
#pragma once

#include "fuse/lang/activations.hpp"
#include "fuse/nn/loss_options.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// max(log(x), -100), or of 1 - x. The slope 1 / x is bounded, too, by PyTorch's 1e12, a float: at 0 it is a number.
template <bool OfRest>
struct BoundedLog {
    static constexpr const char* name = OfRest ? "bounded_log1m" : "bounded_log";
    template <class T>
    FUSE_HD constexpr T operator()(T x) const {
        const T y = OfRest ? Log1p<>{}(-x) : Log<>{}(x);
        return y < T(-100) ? T(-100) : y;
    }
    template <int I, class T>
    FUSE_HD constexpr T partial(T x) const {
        const T p = OfRest ? T(1) - x : x;
        const T slope = T(1) / (p < T(1e-12F) ? T(1e-12F) : p);
        return OfRest ? -slope : slope;
    }
};

template <class X, class T>
constexpr auto binary_cross_entropy_of_each(const X& x, const T& t) {
    return (t - constant<1>)*map(BoundedLog<true>{}, x) - t * map(BoundedLog<false>{}, x);
}

/// y^gamma: the usual 2 needs no pow.
template <Expression E, OperandLike G>
constexpr auto focused(const E& y, const G& gamma) {
    if constexpr (std::same_as<G, constant_t<2>>) {
        return square(y);
    } else {
        return pow(y, gamma);
    }
}

}  // namespace detail

/// -(t * log(x) + (1 - t) * log(1 - x)), the mean over all elements; the logarithms are at least -100, so that 0 and 1
/// give finite losses. input: probabilities; outside [0, 1] the loss is NaN, where PyTorch raises. target:
/// probabilities or 0 / 1. The two broadcast; one may be a number. As torch.nn.functional.binary_cross_entropy. Of logits
/// binary_cross_entropy_with_logits is accurate.
template <class X, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto binary_cross_entropy(const X& input, const T& target, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target),
               [how](const auto& x, const auto& t) {
                   return detail::reduce_loss(detail::binary_cross_entropy_of_each(x, t), how);
               });
}
/// The same times weight, which broadcasts against the losses; the mean is over all elements.
template <class X, class T, Expression W, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto binary_cross_entropy(const X& input, const T& target, const W& weight, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target),
               [how, &weight](const auto& x, const auto& t) {
                   return detail::reduce_loss(
                       detail::binary_cross_entropy_of_each(x, t) * detail::in_floating<W, X, T>(weight), how);
               });
}

/// a_t * (1 - p_t)^gamma * -log(p_t): p_t is the probability sigmoid(input) gives to the target, and a_t is alpha for
/// the target 1 and 1 - alpha for 0; alpha < 0 leaves a_t out. input: logits; target: 0 / 1 or between; the two
/// broadcast, one may be a number. gamma: a number, or constant<...>, with which the default is computed without a power. Lin et al., "Focal
/// Loss for Dense Object Detection", arXiv:1708.02002, eq. 5. As torchvision.ops.sigmoid_focal_loss, whose default
/// reduction, none, is kept.
template <class X, class T, OperandLike G = constant_t<2>, LossReduction R = reduction::none_t>
    requires Operands<X, T>
constexpr auto sigmoid_focal_loss(const X& input, const T& target, double alpha, const G& gamma = {}, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    const double of_zero = alpha < 0 ? 1 : 1 - alpha;
    const double difference = alpha < 0 ? 0 : 2 * alpha - 1;
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target),
               [=, &gamma](const auto& x, const auto& t) {
                   // One exponential for both probabilities and the logarithm; nothing cancels. All branch alike, as
                   // abs and max, which have slopes of their own at 0, would not: where x is 0 the formula is smooth.
                   const auto positive = x >= constant<0>;
                   const auto e = exp(where(positive, -x, x));
                   const auto larger = reciprocal(constant<1> + e);
                   const auto p = where(positive, larger, e * larger);
                   const auto q = where(positive, e * larger, larger);
                   const auto missed = p * (constant<1> - t) + q * t;
                   const auto cross_entropy = (constant<1> - t) * x + where(positive, constant<0>, -x) + log1p(e);
                   const auto each = cross_entropy * detail::focused(missed, gamma);
                   return detail::reduce_loss(each * (t * difference + of_zero), how);
               });
}
/// With alpha = 0.25 and gamma = 2.
template <class X, class T, LossReduction R = reduction::none_t>
    requires Operands<X, T>
constexpr auto sigmoid_focal_loss(const X& input, const T& target, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    return sigmoid_focal_loss(input, target, 0.25, constant<2>, how);
}

FUSE_END_NAMESPACE
