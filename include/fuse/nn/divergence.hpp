// SPDX-License-Identifier: Apache-2.0
//
// Divergences of distributions beside kl_div of probabilities: kl_div of log-probabilities, js_div, and
// distillation_loss of two rows of logits.
#pragma once

#include "fuse/lang/stop_gradient.hpp"
#include "fuse/nn/kl_div.hpp"
#include "fuse/nn/loss_options.hpp"

// In both overloads: a compiler shows the sentence after the calls that lead to it.
#define FUSE_CHECK_DISTILLATION(S, T)                                                                                  \
    static_assert(S::rank >= 2 && T::rank == S::rank,                                                                  \
                  "fuse: distillation_loss: student and teacher are logits of one shape (n, classes)")

FUSE_BEGIN_NAMESPACE

/// exp(target) * (target - input), 0 where target is -infinity (PyTorch: NaN). Both are log-probabilities. As
/// torch.nn.functional.kl_div with log_target=True; `how` may be reduction::batchmean. The two broadcast; one may be a number.
template <class X, class T, class R>
    requires(Operands<X, T> && (LossReduction<R> || std::same_as<R, reduction::batchmean_t>))
constexpr auto kl_div(const X& input, const T& target, R how, loss::log_target_t) {
    FUSE_CHECK_OPERANDS(X, T);
    static_assert(detail::has_batch<R, X, T>, "fuse: reduction::batchmean needs a first axis to count");
    return let(
        detail::in_floating<X, T>(input), detail::in_floating<T, X>(target), [how](const auto& x, const auto& t) {
            const auto probability = exp(t);
            return detail::reduce_loss(where(probability == constant<0>, constant<0>, probability * (t - x)), how);
        });
}
template <class X, class T>
    requires Operands<X, T>
constexpr auto kl_div(const X& input, const T& target, loss::log_target_t) {
    FUSE_CHECK_OPERANDS(X, T);
    return kl_div(input, target, reduction::mean, loss::log_target);
}

/// (p * log(p / m) + q * log(q / m)) / 2 with m = (p + q) / 2, terms of 0 being 0: the Jensen-Shannon divergence of two
/// distributions, between 0 and log(2) when it is summed over one. Lin, "Divergence measures based on the Shannon
/// entropy", IEEE Trans. Inf. Theory 37 (1991). Reductions as of kl_div, the mean over all elements by default. The two
/// broadcast; one may be a number.
template <class P, class Q, class R = reduction::mean_t>
    requires(Operands<P, Q> && (LossReduction<R> || std::same_as<R, reduction::batchmean_t>))
constexpr auto js_div(const P& p, const Q& q, R how = {}) {
    FUSE_CHECK_OPERANDS(P, Q);
    static_assert(detail::has_batch<R, P, Q>, "fuse: reduction::batchmean needs a first axis to count");
    return let(detail::in_floating<P, Q>(p), detail::in_floating<Q, P>(q), [how](const auto& a, const auto& b) {
        // log(a / m) = log1p((a - b) / (a + b)), accurate where the two are nearly equal. Of 0 no logarithm is taken,
        // so that derivatives are finite, too.
        const auto no_a = a == constant<0>;
        const auto no_b = b == constant<0>;
        const auto d = (a - b) / where(no_a && no_b, constant<1>, a + b);
        const auto of_a = a * log1p(where(no_a, constant<0>, d));
        const auto of_b = b * log1p(where(no_b, constant<0>, -d));
        return detail::reduce_loss((of_a + of_b) * constant<1, 2>, how);
    });
}

/// temperature^2 * sum(p * log(p / q)) over the classes, the mean over the rows: p = softmax(teacher / temperature), q
/// = softmax(student / temperature). Both: logits of shape (n, classes), further axes follow the classes. Hinton,
/// Vinyals, Dean, "Distilling the Knowledge in a Neural Network", arXiv:1503.02531, sec. 2. A class to which the
/// teacher gives nothing (a logit of -infinity) counts for nothing.
template <Expression S, Expression T, LossReduction R = reduction::mean_t>
constexpr auto distillation_loss(const S& student, const T& teacher, double temperature, R how = {}) {
    FUSE_CHECK_DISTILLATION(S, T);
    return let(detail::in_floating<S, T>(student), detail::in_floating<T, S>(teacher), 1 / temperature,
               [how, temperature](const auto& s, const auto& t, const auto& scale) {
                   const auto of_student = (s - stop_gradient(max(s, axes<1>, keepdims))) * scale;
                   const auto of_teacher = (t - stop_gradient(max(t, axes<1>, keepdims))) * scale;
                   const auto weight = exp(of_teacher);
                   const auto total = sum(weight, axes<1>);
                   const auto gap = where(weight == constant<0>, constant<0>, weight * (of_teacher - of_student));
                   const auto each = sum(gap, axes<1>) / total - log(total) + log(sum(exp(of_student), axes<1>));
                   return detail::reduce_loss(each * (temperature * temperature), how);
               });
}
/// With temperature = 1.
template <Expression S, Expression T, LossReduction R = reduction::mean_t>
constexpr auto distillation_loss(const S& student, const T& teacher, R how = {}) {
    FUSE_CHECK_DISTILLATION(S, T);
    return distillation_loss(student, teacher, 1.0, how);
}

FUSE_END_NAMESPACE
