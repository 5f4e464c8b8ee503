// SPDX-License-Identifier: Apache-2.0
//
// kl_div: the Kullback-Leibler divergence of a target distribution from a predicted one given by its
// logarithm.
#pragma once

#include "fuse/nn/loss_reduction.hpp"

FUSE_BEGIN_NAMESPACE

/// target * (log(target) - input), 0 where target is 0. input: log-probabilities; target: probabilities.
/// Kullback, Leibler, "On information and sufficiency", Ann. Math. Statist. 22 (1951). As
/// torch.nn.functional.kl_div, whose default, the mean over all elements, is kept; reduction::batchmean is
/// the divergence per row. The two broadcast; one may be a number.
template <class X, class T, class R = reduction::mean_t>
    requires(Operands<X, T> && (LossReduction<R> || std::same_as<R, reduction::batchmean_t>))
constexpr auto kl_div(const X& input, const T& target, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    static_assert(detail::has_batch<R, X, T>, "fuse: reduction::batchmean needs a first axis to count");
    return let(input, target, [how](const auto& x, const auto& t) {
        return detail::reduce_loss(where(t == constant<0>, constant<0>, t * (log(t) - x)), how);
    });
}

FUSE_END_NAMESPACE
