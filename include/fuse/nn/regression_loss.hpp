// SPDX-License-Identifier: Apache-2.0
//
// Losses of a difference: mse_loss, l1_loss, huber_loss. input and target broadcast against each other; the
// result is a scalar, or has their common shape with reduction::none. Names and defaults are those of
// torch.nn.functional.
#pragma once

#include "fuse/error.hpp"
#include "fuse/nn/loss_reduction.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_COLD inline void check_delta(double delta) {
    if (!(delta > 0)) {
        Text text;
        text << "the delta ";
        print_number(text, delta);
        throw argument_error(text << " of huber_loss is not above 0");
    }
}

}  // namespace detail

/// mean((input - target)^2)
template <class X, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto mse_loss(const X& input, const T& target, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target),
               [how](const auto& x, const auto& t) { return detail::reduce_loss(square(x, t), how); });
}

/// mean(|input - target|)
template <class X, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto l1_loss(const X& input, const T& target, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target),
               [how](const auto& x, const auto& t) { return detail::reduce_loss(abs(x - t), how); });
}

/// With d = input - target: d^2 / 2 where |d| <= delta, delta * (|d| - delta / 2) beyond. Huber, "Robust
/// estimation of a location parameter", Ann. Math. Statist. 35 (1964). Written as m * (d - m / 2) with d limited
/// to m, which is the same, needs no branch, and whose second derivative is also 1 where d is 0. As
/// torch.nn.functional.huber_loss; a delta that is not above 0 is an argument_error.
template <class X, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto huber_loss(const X& input, const T& target, R how = {}, double delta = 1.0) {
    FUSE_CHECK_OPERANDS(X, T);
    detail::check_delta(delta);
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target), delta,
               [how](const auto& x, const auto& t, const auto& limit) {
                   const auto d = x - t;
                   const auto m = clamp(d, -limit, limit);
                   return detail::reduce_loss(m * (d - m * constant<1, 2>), how);
               });
}
template <class X, class T>
    requires Operands<X, T>
constexpr auto huber_loss(const X& input, const T& target, double delta) {
    FUSE_CHECK_OPERANDS(X, T);
    return huber_loss(input, target, reduction::mean, delta);
}

FUSE_END_NAMESPACE
