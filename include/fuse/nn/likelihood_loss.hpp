// SPDX-License-Identifier: Apache-2.0
//
// Negative log-likelihoods of numbers: poisson_nll_loss, gaussian_nll_loss. Names and defaults are those of
// torch.nn.functional; flags are in fuse::loss. The operands broadcast; some may be numbers.
#pragma once

#include "fuse/nn/loss_options.hpp"
#include "fuse/ops/functors/selection.hpp"

// In every overload: a compiler shows the sentence after the calls that lead to it.
#define FUSE_CHECK_POISSON_OPTIONS(O)                                                                                  \
    static_assert(                                                                                                     \
        detail::LossOptions<loss::full_t, loss::log_input_t<true>, loss::log_input_t<false>>::template allow<O...>,    \
        "fuse: poisson_nll_loss takes a reduction, loss::log_input<false> and loss::full, each once")
#define FUSE_CHECK_GAUSSIAN_OPTIONS(O)                                                                                 \
    static_assert(detail::LossOptions<loss::full_t>::template allow<O...>,                                             \
                  "fuse: gaussian_nll_loss takes a reduction and loss::full, each once")

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The loss of each element, of a count or of its logarithm.
template <bool OfCount>
struct PoissonLoss {
    double eps;
    template <class X, class T>
    constexpr auto operator()(const X& x, const T& t) const {
        if constexpr (OfCount) {
            return x - t * log(x + eps);
        } else {
            return exp(x) - t * x;
        }
    }
};

template <class V>
constexpr auto bounded_variance(const V& var, double eps) {
    if constexpr (Expression<V>) {
        return let(var, [eps](const auto& v) { return map(StraightThrough{}, max(v, eps), v); });
    } else if constexpr (Number<V>) {
        const auto v = static_cast<double>(var);
        return v < eps ? eps : v;
    } else {
        return var;
    }
}
template <long Num, long Den>
constexpr double bounded_variance(constant_t<Num, Den>, double eps) {
    return bounded_variance(static_cast<double>(Num) / static_cast<double>(Den), eps);
}

/// log(n!), approximately; 0 for n <= 1, whose logarithm nothing is computed of, so that 0 has a derivative.
template <class T>
constexpr auto stirling(const T& n) {
    constexpr double two_pi = 6.283185307179586;
    const auto m = max(n, constant<1>);
    return where(n <= constant<1>, constant<0>, m * log(m) - m + log(m * two_pi) * constant<1, 2>);
}

}  // namespace detail

/// exp(input) - target * input, the mean over all elements: input is the logarithm of the expected count; with
/// loss::log_input<false> the expected count, and the loss input - target * log(input + eps). loss::full adds
/// where target > 1 Stirling's approximation of log(target!): target * log(target) - target + log(2 * pi * target) / 2.
template <class X, class T, LossOption... O>
    requires Operands<X, T>
constexpr auto poisson_nll_loss(const X& input, const T& target, double eps, O...) {
    FUSE_CHECK_OPERANDS(X, T);
    FUSE_CHECK_POISSON_OPTIONS(O);
    using Each = detail::PoissonLoss<detail::is_among<loss::log_input_t<false>, O...>>;
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target),
               [each = Each{eps}](const auto& x, const auto& t) {
                   if constexpr (detail::is_among<loss::full_t, O...>) {
                       return detail::reduce_loss(each(x, t) + detail::stirling(t), detail::reduction_among<O...>{});
                   } else {
                       return detail::reduce_loss(each(x, t), detail::reduction_among<O...>{});
                   }
               });
}
/// With eps = 1e-8.
template <class X, class T, LossOption... O>
    requires Operands<X, T>
constexpr auto poisson_nll_loss(const X& input, const T& target, O... options) {
    FUSE_CHECK_OPERANDS(X, T);
    FUSE_CHECK_POISSON_OPTIONS(O);
    return poisson_nll_loss(input, target, 1e-8, options...);
}

/// (log(v) + (input - target)^2 / v) / 2 with v = max(var, eps), the mean over all elements; loss::full adds
/// log(2 * pi) / 2. Nix, Weigend, "Estimating the mean and variance of the target probability distribution", ICNN 1994.
/// A var below eps is taken for eps, also below 0, where PyTorch raises; as there the derivative with respect to it is
/// that at eps.
template <class X, class T, class V, LossOption... O>
    requires Operands<X, T, V>
constexpr auto gaussian_nll_loss(const X& input, const T& target, const V& var, double eps, O...) {
    FUSE_CHECK_OPERANDS(X, T, V);
    FUSE_CHECK_GAUSSIAN_OPTIONS(O);
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target),
               detail::bounded_variance(detail::in_floating<V, X, T>(var), eps),
               [](const auto& x, const auto& t, const auto& v) {
                   const auto each = (log(v) + square(x - t) / v) * constant<1, 2>;
                   if constexpr (detail::is_among<loss::full_t, O...>) {
                       constexpr double half_log_two_pi = 0.9189385332046727;
                       return detail::reduce_loss(each + half_log_two_pi, detail::reduction_among<O...>{});
                   } else {
                       return detail::reduce_loss(each, detail::reduction_among<O...>{});
                   }
               });
}
/// With eps = 1e-6.
template <class X, class T, class V, LossOption... O>
    requires Operands<X, T, V>
constexpr auto gaussian_nll_loss(const X& input, const T& target, const V& var, O... options) {
    FUSE_CHECK_OPERANDS(X, T, V);
    FUSE_CHECK_GAUSSIAN_OPTIONS(O);
    return gaussian_nll_loss(input, target, var, 1e-6, options...);
}

FUSE_END_NAMESPACE
