// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of reductions. FoldDerivative<Op>::pull<V>(a, n) is what the operand of n, a Reduce by Op, gets of a, the
// derivative with respect to n.
#pragma once

#include "fuse/gradient/arithmetic.hpp"
#include "fuse/gradient/broadcasting.hpp"
#include "fuse/gradient/products.hpp"
#include "fuse/ops/reductions/pick.hpp"

FUSE_BEGIN_NAMESPACE

/// No rule: refused by gradient().
template <class Op>
struct FoldDerivative;

/// The name of 1 / n of the reduction N.
template <class N>
struct count_name {
    static constexpr char text[] = "1/n";
};
template <class N>
struct count_id {};

namespace detail {

template <class Op>
concept HasFoldDerivative = requires {
    sizeof(FoldDerivative<Op>);
};

/// The number of elements that N, a Reduce, folds to one.
template <class N>
index_t folded_elements(const N& n) {
    const Shape whole = shape_of(n.expression);
    index_t count = 1;
    for (int i = 0; i < whole.rank; ++i) {
        count *= ((N::mask >> i) & 1U) != 0 ? whole[i] : 1;
    }
    return count;
}
/// 1 / (number of elements - Ddof), 0 of none: one number in all derivatives in which N is the same value.
template <int Ddof, class V, class Tag, class N>
auto mean_weight(const N& n) {
    const index_t count = folded_elements(n);
    // A sum over no elements is 0, and so is what stands before it.
    const V weight = count == 0 ? V(0) : V(1) / static_cast<V>(count - Ddof);
    if constexpr (std::is_void_v<Tag>) {
        return Scalar<V, count_name<N>>(weight);
    } else {
        return Pinned<Tag, count_id<N>, Scalar<V, unnamed>>(Scalar<V, unnamed>(weight));
    }
}

struct MeanSlope {
    template <int Ddof, class Tag, class N, class A>
    static auto pull(const A& a, const N& n) {
        return over_operand(n, times(a, mean_weight<Ddof, value_t<N>, Tag>(n)));
    }
};
/// What is equal to the extremum, a result of n, shares, as in PyTorch's amax.
template <class Extremum, class N, class A>
auto shared_by_equals(const A& a, const N& n, const Extremum& extremum) {
    using V = value_t<Extremum>;
    const auto chosen = cast<V>(n.expression == over_operand(n, extremum));
    const Reduce<Add<>, std::remove_const_t<decltype(chosen)>, N::mask, true, void> ties(chosen);
    return chosen * (as_term<V>(over_operand(n, a)) / ties);
}
struct ExtremumFold {
    template <class Tag, class N, class A>
    static auto pull(const A& a, const N& n) {
        return shared_by_equals(a, n, n);
    }
};

}  // namespace detail

template <class T>
struct FoldDerivative<Add<T>> {
    template <class Tag, class N, class A>
    static auto pull(const A& a, const N& n) {
        return detail::over_operand(n, a);
    }
};
template <>
struct FoldDerivative<Mean> {
    template <class Tag, class N, class A>
    static auto pull(const A& a, const N& n) {
        return detail::MeanSlope::pull<0, Tag>(a, n);
    }
};
template <int Ddof>
struct FoldDerivative<MeanWithDof<Ddof>> {
    template <class Tag, class N, class A>
    static auto pull(const A& a, const N& n) {
        return detail::MeanSlope::pull<Ddof, Tag>(a, n);
    }
};
template <class T>
struct FoldDerivative<Mul<T>> {
    template <class Tag, class N, class A>
    static auto pull(const A& a, const N& n) {
        const auto& x = n.expression;
        const auto others = where(x == constant<0>, constant<1>, x);
        const Reduce<Mul<>, std::remove_const_t<decltype(others)>, N::mask, true, void> product(others);
        const auto flags = cast<value_t<std::remove_const_t<decltype(product)>>>(map(detail::ZeroFlag{}, x));
        const Reduce<Add<>, std::remove_const_t<decltype(flags)>, N::mask, true, void> zeros(flags);
        return detail::times(detail::over_operand(n, a), map(detail::ProductOfOthers{}, x, product, zeros));
    }
};
template <class T>
struct FoldDerivative<Max<T>> : detail::ExtremumFold {};
template <class T>
struct FoldDerivative<Min<T>> : detail::ExtremumFold {};
template <class T>
struct FoldDerivative<MaxIgnoreNan<T>> : detail::ExtremumFold {};
template <class T>
struct FoldDerivative<MinIgnoreNan<T>> : detail::ExtremumFold {};
namespace detail {

/// The element at a position: a product with 1 there and 0 elsewhere. The operand is that of WithIndex.
struct PickSlope {
    template <class Tag, class N, class A>
    static auto pull(const A& a, const N& n) {
        const auto& x = get<0>(n.expression.args);
        const auto& position = get<1>(n.expression.args);
        using V = value_t<decltype(x)>;
        constexpr int axis = std::countr_zero(N::mask);
        if constexpr (static_shape<std::remove_cvref_t<decltype(x)>>[axis] == 1) {  // index<> would be 0 everywhere
            return only_where<V>(position == constant<0>, over_operand(n, a));
        } else {
            const auto here = framed(map(FirstOf{}, index<axis>(), x)) == position;
            return only_where<V>(here, over_operand(n, a));
        }
    }
};

}  // namespace detail

template <>
struct FoldDerivative<PickOrZero> : detail::PickSlope {};
template <>
struct FoldDerivative<PickOrNothing> : detail::PickSlope {};

FUSE_END_NAMESPACE
