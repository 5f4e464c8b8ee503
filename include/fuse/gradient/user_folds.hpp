// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of reductions by ops of the user, which say them themselves: a member adjoint(element, result), or
// adjoint(element, result, n) with the number of elements, is the derivative of the result with respect to one element,
// which it gets in the result's type. If it is a template, it takes fuse::Dual, too, and there are second derivatives.
#pragma once

#include "fuse/gradient/folds.hpp"
#include "fuse/gradient/user_functors.hpp"

FUSE_BEGIN_NAMESPACE

template <class N>
struct element_count_name {
    static constexpr char text[] = "n";
};
template <class N>
struct element_count_id {};

namespace detail {

template <class Op, class... X>
concept TakesAdjoint = requires(Op op, X... x) {
    op.adjoint(x...);
};
/// Op: with result Y.
template <class Op, class Y>
concept HasAdjoint = TakesAdjoint<Op, Y, Y> || TakesAdjoint<Op, Y, Y, index_t>;

}  // namespace detail

/// The adjoint of an op, as a functor with the op's state. On a copy, as the op's functions need not be const.
template <class Op>
struct AdjointOf : detail::HeldFunctor<Op> {
    static constexpr const char* name = "adjoint";

    FUSE_HD explicit constexpr AdjointOf(const Op& op) : detail::HeldFunctor<Op>{op} {}

    template <class... X>
    requires detail::TakesAdjoint<Op, X...> FUSE_HD constexpr auto operator()(X... x) const {
        return Op(this->held()).adjoint(x...);
    }
};

namespace detail {

/// The number of elements that N, a Reduce, folds to one: one number in all derivatives in which N is the same value.
template <class Tag, class N>
auto element_count(const N& n) {
    const index_t count = folded_elements(n);
    if constexpr (std::is_void_v<Tag>) {
        return Scalar<index_t, element_count_name<N>>(count);
    } else {
        return Pinned<Tag, element_count_id<N>, Scalar<index_t, unnamed>>(Scalar<index_t, unnamed>(count));
    }
}

/// What the adjoint of op says of each element of the reduction n, of which y is the result.
template <class Tag, class Op, class E, class Y, class N>
auto adjoint_of(const Op& op, const E& e, const Y& y, const N& n) {
    using V = value_t<Y>;
    const auto element = as_term<V>(e);
    const auto result = over_operand(n, y);
    using Element = std::remove_const_t<decltype(element)>;
    using Result = std::remove_const_t<decltype(result)>;
    if constexpr (TakesAdjoint<Op, V, V>) {
        return Map<AdjointOf<Op>, Element, Result>(AdjointOf<Op>(op), element, result);
    } else {
        const auto count = element_count<Tag>(n);
        using Count = std::remove_const_t<decltype(count)>;
        return Map<AdjointOf<Op>, Element, Result, Count>(AdjointOf<Op>(op), element, result, count);
    }
}

template <class Tag, class Op, class E, std::uint32_t Mask, bool Keep, class Acc, class A>
auto pull_of_fold(const A& a, const Reduce<Op, E, Mask, Keep, Acc>& n) {
    if constexpr (HasFoldDerivative<Op>) {
        return FoldDerivative<Op>::template pull<Tag>(a, n);
    } else {
        return times(over_operand(n, a), adjoint_of<Tag>(Op{}, n.expression, n, n));
    }
}

template <class Op>
inline constexpr bool is_copied_by_bytes<AdjointOf<Op>> = is_copied_by_bytes<Op>;
template <class Op>
struct SameBytes<AdjointOf<Op>> {
    static bool of(const AdjointOf<Op>& a, const AdjointOf<Op>& b) { return SameBytes<Op>::of(a.held(), b.held()); }
};

}  // namespace detail

FUSE_END_NAMESPACE
