// SPDX-License-Identifier: Apache-2.0
//
// Losses of unnormalised scores (logits): binary_cross_entropy_with_logits and cross_entropy. Names and defaults are
// those of torch.nn.functional.
#pragma once

#include "fuse/lang/activations.hpp"
#include "fuse/nn/loss_reduction.hpp"

FUSE_BEGIN_NAMESPACE

/// -(t * log(sigmoid(x)) + (1 - t) * log(1 - sigmoid(x))), the mean over all elements; t are probabilities or
/// 0 / 1. Computed as (1 - t) * x + softplus(-x), which neither overflows nor cancels. input and target
/// broadcast; one may be a number.
template <class X, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto binary_cross_entropy_with_logits(const X& input, const T& target, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    return let(
        detail::in_floating<X, T>(input), detail::in_floating<T, X>(target),
        [how](const auto& x, const auto& t) { return detail::reduce_loss((constant<1> - t) * x + softplus(-x), how); });
}

namespace detail {

/// counted lies along the rows: it keeps the axis of the classes, with extent 1.
template <Expression E, Expression Counted>
constexpr auto reduce_counted(const E& loss, const Counted& counted, reduction::mean_t) {
    return sum(loss) / count_nonzero(counted);
}
template <Expression E, Expression Counted, class R>
constexpr auto reduce_counted(const E& loss, const Counted&, R how) {
    return reduce_loss(loss, how);
}

}  // namespace detail

/// logsumexp(input_i) - input_i[target_i], the mean over the rows i. input: logits of shape (n, classes);
/// target: integers of shape (n). Further axes of input follow the classes, as in PyTorch. Rows whose target is
/// IgnoreIndex give 0 and do not count in the mean; any other target outside [0, classes) gives infinity, where
/// PyTorch stops the program. Weights, label smoothing, z-loss and probabilities: cross_entropy.hpp.
template <index_t IgnoreIndex = -100, Expression X, Expression T, LossReduction R = reduction::mean_t>
constexpr auto cross_entropy(const X& input, const T& target, R how = {}) {
    constexpr bool rows = X::rank >= 2;
    constexpr bool classes = std::is_integral_v<value_t<T>>;
    static_assert(rows, "fuse: cross_entropy: the input has shape (n, classes)");
    static_assert(!rows || T::rank == X::rank - 1,
                  "fuse: cross_entropy: the target has the input's shape without the classes");
    static_assert(
        classes,
        "fuse: cross_entropy: the target holds class indices, integers; for probabilities include fuse/nn.hpp");
    return detail::let_if<(rows && classes && T::rank == X::rank - 1)>(
        detail::in_floating(input), target, [how](const auto& x, const auto& t) {
            const auto picked = reduce(PickOrNothing{}, map(WithIndex{}, x, expand_dims<1>(t)), axes<1>);
            const auto counted = t != constant<IgnoreIndex>;
            // The two reductions of softmax(input): evaluated together, they are computed once.
            const auto highest = stop_gradient(max(x, axes<1>));
            const auto total = sum(exp(x - stop_gradient(max(x, axes<1>, keepdims))), axes<1>);
            return detail::reduce_counted(where(counted, highest - picked + log(total), constant<0>),
                                          expand_dims<1>(counted), how);
        });
}

FUSE_END_NAMESPACE
