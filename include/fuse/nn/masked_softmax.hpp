// SPDX-License-Identifier: Apache-2.0
//
// Softmax of a part of each row: what a mask keeps, what a query may see of the keys before it. What is left out is 0
// in the result; the mask of a causal one is computed from the position and read from nowhere.
#pragma once

#include <limits>

#include "fuse/nn/softmax.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class V>
inline constexpr double minus_infinity = -std::numeric_limits<value_t<V>>::infinity();

}  // namespace detail

/// softmax over `axes` (default: the last) of the elements where mask is true, 0 elsewhere: exp(x) / sum(exp(x)) over
/// those. mask broadcasts against x. Shape and type of x. A row without any is NaN, as torch.softmax of one that is
/// filled with -inf.
template <Expression X, Expression M, AxesOption A = axes_t<-1>>
constexpr auto masked_softmax(const X& x, const M& mask, A over = {}) {
    FUSE_CHECK_AXES(detail::largest(X::rank, M::rank), A);
    return let(detail::in_floating(x), mask, [over](const auto& v, const auto& kept) {
        using V = std::remove_cvref_t<decltype(v)>;
        return softmax(where(kept, v, detail::minus_infinity<V>), over);
    });
}

/// softmax over the keys of scores of shape (..., queries, keys): query i sees keys 0 to i + diagonal, as
/// torch.tril(mask, diagonal) keeps. With 0 this is is_causal of torch.nn.functional.scaled_dot_product_attention;
/// where the queries are the last of more keys, diagonal = keys - queries. Shape and type of scores.
template <Expression X>
constexpr auto causal_softmax(const X& scores, index_t diagonal = 0) {
    static_assert(X::rank >= 2, "fuse: causal_softmax: the scores have shape (..., queries, keys)");
    return let(detail::in_floating(scores), [diagonal](const auto& v) {
        using V = std::remove_cvref_t<decltype(v)>;
        constexpr int queries = V::rank - 2;
        return softmax(where(index<queries + 1>() <= index<queries>() + diagonal, v, detail::minus_infinity<V>));
    });
}

FUSE_END_NAMESPACE
