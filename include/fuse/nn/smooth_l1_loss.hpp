// SPDX-License-Identifier: Apache-2.0
//
// smooth_l1_loss: squares of small differences, absolute values of large ones.
#pragma once

#include "fuse/error.hpp"
#include "fuse/nn/loss_reduction.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_COLD inline void check_beta(double beta) {
    if (!(beta >= 0)) {
        Text text;
        text << "the beta ";
        print_number(text, beta);
        throw argument_error(text << " of smooth_l1_loss is below 0");
    }
}

}  // namespace detail

/// With d = input - target: d^2 / (2 * beta) where |d| < beta, |d| - beta / 2 beyond; with beta = 0 that is l1_loss.
/// Written as m^2 / (2 * beta) + |d - m| with d limited to m, which needs no branch and has all derivatives.
/// Girshick, "Fast R-CNN", arXiv:1504.08083, eq. 3. The two broadcast. As torch.nn.functional.smooth_l1_loss; a beta
/// below 0 is an argument_error.
template <class X, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto smooth_l1_loss(const X& input, const T& target, R how = {}, double beta = 1.0) {
    FUSE_CHECK_OPERANDS(X, T);
    detail::check_beta(beta);
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target), beta,
               [how, scale = beta > 0 ? 0.5 / beta : 0](const auto& x, const auto& t, const auto& limit) {
                   const auto d = x - t;
                   const auto m = clamp(d, -limit, limit);
                   return detail::reduce_loss(square(m) * scale + abs(d - m), how);
               });
}
template <class X, class T>
    requires Operands<X, T>
constexpr auto smooth_l1_loss(const X& input, const T& target, double beta) {
    FUSE_CHECK_OPERANDS(X, T);
    return smooth_l1_loss(input, target, reduction::mean, beta);
}

FUSE_END_NAMESPACE
