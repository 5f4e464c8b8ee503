// SPDX-License-Identifier: Apache-2.0
//
// cosine_similarity: three sums over the same two inputs, one sweep.
#pragma once

#include "fuse/lang/reductions.hpp"
#include "fuse/ops/functors/selection.hpp"

FUSE_BEGIN_NAMESPACE

/// sum(a * b) / (max(|a|, eps) * max(|b|, eps)) over `axes` (default: the last), |a| the 2-norm. The shape of
/// a and b, broadcast, without these axes. As torch.nn.functional.cosine_similarity, whose dim is `axes`
/// here.
template <Expression X, Expression Y, AxesOption A = axes_t<-1>>
constexpr auto cosine_similarity(const X& a, const Y& b, A over = {}, double eps = 1e-8) {
    FUSE_CHECK_AXES(detail::largest(X::rank, Y::rank), A);
    return let(detail::in_floating<X, Y>(a), detail::in_floating<Y, X>(b), eps,
               [over](const auto& u, const auto& v, const auto& least) {
                   // Each as often as it stands beside the other: along an axis that it is stretched along, too.
                   const auto length = [&](const auto& e, const auto& beside) {
                       return max(norm<2>(map(FirstOf{}, e, beside), over), least);
                   };
                   return sum(u * v, over) / (length(u, v) * length(v, u));
               });
}
template <Expression X, Expression Y>
constexpr auto cosine_similarity(const X& a, const Y& b, double eps) {
    return cosine_similarity(a, b, axes<-1>, eps);
}

FUSE_END_NAMESPACE
