// SPDX-License-Identifier: Apache-2.0
//
// nll_loss: the negative log-likelihood of class indices, given log-probabilities.
#pragma once

#include "fuse/nn/class_rows.hpp"

FUSE_BEGIN_NAMESPACE

/// -input[i, target[i]], the mean over the rows i. input: log-probabilities of shape (n, classes); target: integers of
/// shape (n); further axes of the input follow the classes. Rows whose target is IgnoreIndex give 0 and do not count in
/// the mean, which is NaN where none is left; any other target outside [0, classes) gives infinity, where PyTorch stops
/// the program. As torch.nn.functional.nll_loss.
template <index_t IgnoreIndex = -100, Expression X, Expression T, LossReduction R = reduction::mean_t>
constexpr auto nll_loss(const X& input, const T& target, R = {}) {
    FUSE_CHECK_CLASS_TARGETS(X, T, "nll_loss");
    return detail::let_if<detail::are_class_targets<X, T>>(
        detail::in_floating(input), target, [](const auto& x, const auto& t) {
            const auto picked = detail::pick_class(x, t);
            const auto counted = t != constant<IgnoreIndex>;
            const auto each = where(counted, -picked, constant<0>);
            if constexpr (std::same_as<R, reduction::mean_t>) {
                return sum(each) / count_nonzero(map(FirstOf{}, counted, picked));
            } else {
                return detail::reduce_loss(each, R{});
            }
        });
}
/// -weight[target[i]] * input[i, target[i]]; the mean is the sum of these divided by the sum of the weights of the
/// targets. weight: a vector with a number for each class. A target outside of them gives NaN.
template <index_t IgnoreIndex = -100, Expression X, Expression T, Expression W, LossReduction R = reduction::mean_t>
constexpr auto nll_loss(const X& input, const T& target, const W& weight, R = {}) {
    FUSE_CHECK_CLASS_TARGETS(X, T, "nll_loss");
    FUSE_CHECK_CLASS_WEIGHTS(W, "nll_loss");
    return detail::let_if<(detail::are_class_targets<X, T> && W::rank == 1)>(
        detail::in_floating(input), target, detail::in_floating<W, X>(weight),
        [](const auto& x, const auto& t, const auto& w) {
            const auto counted = t != constant<IgnoreIndex>;
            const auto scale = where(counted, detail::pick_weight(w, x, t), constant<0>);
            const auto each = where(counted, -detail::pick_class(x, t) * scale, constant<0>);
            if constexpr (std::same_as<R, reduction::mean_t>) {
                return sum(each) / sum(scale);
            } else {
                return detail::reduce_loss(each, R{});
            }
        });
}

FUSE_END_NAMESPACE
