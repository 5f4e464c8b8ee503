// SPDX-License-Identifier: Apache-2.0
//
// dice_loss: three sums over the same two inputs, one sweep.
#pragma once

#include "fuse/nn/loss_reduction.hpp"

FUSE_BEGIN_NAMESPACE

/// 1 - (2 * sum(x * t) + eps) / (sum(x) + sum(t) + eps) over `axes` (default: the last), the mean over what is left.
/// input: probabilities; target: probabilities or 0 / 1; the two broadcast. Two regions without any element are equal:
/// 0. Sudre et al., "Generalised Dice overlap as a deep learning loss function", arXiv:1707.03237, sec. 2. As
/// monai.losses.DiceLoss with its eps, whose spatial axes are `axes` here.
template <Expression X, Expression T, AxesOption A, LossReduction R = reduction::mean_t>
constexpr auto dice_loss(const X& input, const T& target, A over, R how = {}, double eps = 1e-5) {
    FUSE_CHECK_AXES(detail::largest(X::rank, T::rank), A);
    return let(detail::in_floating<X, T>(input), detail::in_floating<T, X>(target), eps,
               [over, how](const auto& x, const auto& t, const auto& least) {
                   const auto common = sum(x * t, over);
                   const auto both = sum(x + t, over);
                   return detail::reduce_loss(constant<1> - (common * constant<2> + least) / (both + least), how);
               });
}
template <Expression X, Expression T, LossReduction R = reduction::mean_t>
constexpr auto dice_loss(const X& input, const T& target, R how = {}, double eps = 1e-5) {
    return dice_loss(input, target, axes<-1>, how, eps);
}

FUSE_END_NAMESPACE
