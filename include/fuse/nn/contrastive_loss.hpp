// SPDX-License-Identifier: Apache-2.0
//
// info_nce: every row of similarities against its own column.
#pragma once

#include "fuse/lang/stop_gradient.hpp"
#include "fuse/nn/class_rows.hpp"

// In both overloads: a compiler shows the sentence after the calls that lead to it.
#define FUSE_CHECK_SIMILARITIES(S)                                                                                     \
    static_assert(S::rank == 2, "fuse: info_nce: the similarities have shape (n, m), a row for each of n")

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_COLD inline void check_similarities(const Shape& s) {
    if (s[1] < s[0]) {
        throw shape_error(Text() << "info_nce: each of the " << s[0]
                                 << " rows belongs to the column of its number, and there are " << s[1] << " columns");
    }
}

}  // namespace detail

/// logsumexp(s_i) - s_ii with s = similarities / temperature, the mean over the rows i: row i belongs to column i, all
/// other columns are its negatives. similarities: shape (n, m) with m >= n (a shape_error otherwise). Oord, Li,
/// Vinyals, "Representation Learning with Contrastive Predictive Coding", arXiv:1807.03748, eq. 4; PyTorch's
/// cross_entropy(similarities / temperature, arange(n)). Both directions of CLIP are the mean of this of s and of
/// transpose(s).
template <Expression S, LossReduction R = reduction::mean_t>
constexpr auto info_nce(const S& similarities, double temperature, R how = {}) {
    FUSE_CHECK_SIMILARITIES(S);
    detail::check_similarities(shape_of(similarities));
    return detail::let_if<S::rank == 2>(
        detail::in_floating(similarities), 1 / temperature, [how](const auto& s, const auto& scale) {
            const auto highest = stop_gradient(max(s, axes<1>));
            const auto own = reduce(PickOrNothing{}, map(WithIndex{}, s, index<0>()), axes<1>);
            const auto total = sum(exp((s - stop_gradient(max(s, axes<1>, keepdims))) * scale), axes<1>);
            return detail::reduce_loss((highest - own) * scale + log(total), how);
        });
}
/// With temperature = 1.
template <Expression S, LossReduction R = reduction::mean_t>
constexpr auto info_nce(const S& similarities, R how = {}) {
    FUSE_CHECK_SIMILARITIES(S);
    return info_nce(similarities, 1.0, how);
}

FUSE_END_NAMESPACE
