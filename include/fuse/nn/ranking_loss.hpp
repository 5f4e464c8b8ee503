// SPDX-License-Identifier: Apache-2.0
//
// Losses that compare: margin_ranking_loss and hinge_embedding_loss of single numbers, cosine_embedding_loss and
// triplet_margin_loss of rows. Names, order of arguments and defaults are those of torch.nn.functional.
#pragma once

#include "fuse/nn/loss_options.hpp"

// In every overload: a compiler shows the sentence after the calls that lead to it.
#define FUSE_CHECK_EMBEDDINGS(X, Y, T)                                                                                 \
    static_assert(detail::largest(X::rank, Y::rank) > 0 &&                                                             \
                      (!Expression<T> || rank_v<detail::node_t<void, T>> == detail::largest(X::rank, Y::rank) - 1),    \
                  "fuse: cosine_embedding_loss: the target has the inputs' shape without the last axis")
#define FUSE_CHECK_TRIPLETS(A, Q, N, O)                                                                                \
    static_assert(A::rank > 0 && Q::rank > 0 && N::rank > 0, "fuse: triplet_margin_loss: the operands have rows");     \
    static_assert(detail::LossOptions<loss::swap_t>::template allow<O...>,                                             \
                  "fuse: triplet_margin_loss takes a reduction and loss::swap, each once")

FUSE_BEGIN_NAMESPACE

namespace detail {

/// max(e, 0), whose slope at 0 is that above, as of PyTorch's clamp_min: two equal operands are to be told apart, too.
template <Expression E>
constexpr auto hinge(const E& e) {
    return let(e, [](const auto& v) { return where(v < constant<0>, constant<0>, v); });
}

}  // namespace detail

/// max(0, margin - target * (input1 - input2)), the mean over all elements. target: 1 where input1 is to be the larger
/// one, -1 where input2 is. The operands broadcast; some may be numbers.
template <class X, class Y, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, Y, T>
constexpr auto margin_ranking_loss(const X& input1, const Y& input2, const T& target, double margin, R how = {}) {
    FUSE_CHECK_OPERANDS(X, Y, T);
    return let(detail::in_floating<X, Y>(input1), detail::in_floating<Y, X>(input2),
               detail::in_floating<T, X, Y>(target), [how, margin](const auto& x, const auto& y, const auto& t) {
                   return detail::reduce_loss(detail::hinge(margin - t * (x - y)), how);
               });
}
/// With margin = 0.
template <class X, class Y, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, Y, T>
constexpr auto margin_ranking_loss(const X& input1, const Y& input2, const T& target, R how = {}) {
    FUSE_CHECK_OPERANDS(X, Y, T);
    return margin_ranking_loss(input1, input2, target, 0.0, how);
}

/// input where target is 1, max(0, margin - input) where it is -1, the mean over all elements. input: distances. Their
/// sum for any other target. The two broadcast; one may be a number.
template <class X, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto hinge_embedding_loss(const X& input, const T& target, double margin, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    return let(detail::in_floating(input), target, [how, margin](const auto& x, const auto& t) {
        const auto apart = where(t != constant<1>, detail::hinge(margin - x), constant<0>);
        return detail::reduce_loss(apart + where(t != constant<-1>, x, constant<0>), how);
    });
}
/// With margin = 1.
template <class X, class T, LossReduction R = reduction::mean_t>
    requires Operands<X, T>
constexpr auto hinge_embedding_loss(const X& input, const T& target, R how = {}) {
    FUSE_CHECK_OPERANDS(X, T);
    return hinge_embedding_loss(input, target, 1.0, how);
}

/// With c = sum(x * y) / sqrt((sum(x * x) + 1e-12) * (sum(y * y) + 1e-12)) over the last axis: 1 - c where target is 1,
/// max(0, c - margin) where it is -1, else 0; the mean over the rows. input1 and input2: shape (n, d) or (d), they
/// broadcast; target: shape (n) or (), or a number for all rows. Two rows of zeros have c = 0.
template <Expression X, Expression Y, OperandLike T, LossReduction R = reduction::mean_t>
constexpr auto cosine_embedding_loss(const X& input1, const Y& input2, const T& target, double margin, R how = {}) {
    FUSE_CHECK_EMBEDDINGS(X, Y, T);
    return let(detail::in_floating<X, Y>(input1), detail::in_floating<Y, X>(input2), target,
               [how, margin](const auto& x, const auto& y, const auto& t) {
                   constexpr auto least = constant<1, 1000000000000>;
                   const auto lengths = sqrt(sum(x * x, axes<-1>) + least) * sqrt(sum(y * y, axes<-1>) + least);
                   const auto c = sum(x * y, axes<-1>) / lengths;
                   const auto apart = where(t == constant<-1>, detail::hinge(c - margin), constant<0>);
                   return detail::reduce_loss(where(t == constant<1>, constant<1> - c, apart), how);
               });
}
/// With margin = 0.
template <Expression X, Expression Y, OperandLike T, LossReduction R = reduction::mean_t>
constexpr auto cosine_embedding_loss(const X& input1, const Y& input2, const T& target, R how = {}) {
    FUSE_CHECK_EMBEDDINGS(X, Y, T);
    return cosine_embedding_loss(input1, input2, target, 0.0, how);
}

/// max(0, margin + d(anchor, positive) - d(anchor, negative)), the mean over the rows: d(x, y) = norm<P>(x - y + eps)
/// over the last axis. With loss::swap the smaller one of d(anchor, negative) and d(positive, negative) counts: Balntas
/// et al., "Learning local feature descriptors with triplets and shallow convolutional neural networks", BMVC 2016. The
/// operands broadcast.
template <int P = 2, Expression A, Expression Q, Expression N, LossOption... O>
constexpr auto triplet_margin_loss(const A& anchor, const Q& positive, const N& negative, double margin, double eps,
                                   O...) {
    FUSE_CHECK_TRIPLETS(A, Q, N, O);
    return detail::let_if<(A::rank > 0 && Q::rank > 0 && N::rank > 0)>(
        detail::in_floating<A, Q>(anchor), eps, [&](const auto& a, const auto& least) {
            return let(detail::in_floating<Q, A>(positive), detail::in_floating<N, A>(negative),
                       [&a, &least, margin](const auto& p, const auto& n) {
                           const auto near = norm<P>(a - p + least, axes<-1>);
                           const auto far = norm<P>(a - n + least, axes<-1>);
                           constexpr detail::reduction_among<O...> how;
                           if constexpr (detail::is_among<loss::swap_t, O...>) {
                               const auto other = norm<P>(p - n + least, axes<-1>);
                               return detail::reduce_loss(detail::hinge(near - min(far, other) + margin), how);
                           } else {
                               return detail::reduce_loss(detail::hinge(near - far + margin), how);
                           }
                       });
        });
}
/// With eps = 1e-6.
template <int P = 2, Expression A, Expression Q, Expression N, LossOption... O>
constexpr auto triplet_margin_loss(const A& anchor, const Q& positive, const N& negative, double margin, O... options) {
    FUSE_CHECK_TRIPLETS(A, Q, N, O);
    return triplet_margin_loss<P>(anchor, positive, negative, margin, 1e-6, options...);
}
/// With margin = 1.
template <int P = 2, Expression A, Expression Q, Expression N, LossOption... O>
constexpr auto triplet_margin_loss(const A& anchor, const Q& positive, const N& negative, O... options) {
    FUSE_CHECK_TRIPLETS(A, Q, N, O);
    return triplet_margin_loss<P>(anchor, positive, negative, 1.0, 1e-6, options...);
}

FUSE_END_NAMESPACE
