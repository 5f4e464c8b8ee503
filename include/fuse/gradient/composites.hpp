// SPDX-License-Identifier: Apache-2.0
//
// Functions of the language that are several nodes with one rule, because what lies between is no number: linear
// recurrences, the two fields of a minmax, and reductions by an op with state.
#pragma once

#include "fuse/gradient/graph.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The outermost of such nodes, before flattening. operands: of the function. has_rule: whether it has a derivative.
template <class N>
struct Composite;
template <class N>
concept IsComposite = requires {
    typename Composite<N>::operands;
};

template <class G, class X, int Axis, bool Exclusive, bool Reverse, class Acc>
struct Composite<Map<AffineTerm, Scan<ComposeAffine, Map<MakeAffine, G, X>, Axis, Exclusive, Reverse, Acc>>> {
    using operands = operand_types<G, X>;
    static constexpr bool has_rule = true;
};
/// y[i] = x[i] + g[i] * y[i - 1]: the factor gets, of each step, the result of the one before.
template <class Tag, class G, class X, int Axis, bool Exclusive, bool Reverse, class Acc>
struct GraphNode<Tag, Map<AffineTerm, Scan<ComposeAffine, Map<MakeAffine, G, X>, Axis, Exclusive, Reverse, Acc>>> {
    using Steps = Map<MakeAffine, G, X>;
    using Running = Scan<ComposeAffine, Steps, Axis, Exclusive, Reverse, Acc>;
    using node = Map<AffineTerm, Running>;
    using operands = type_list<G, X>;
    template <int K>
    static constexpr bool keeps_shape = stretched_axes<node, at_t<operands, K>> == 0;
    static constexpr const Steps& steps(const node& n) { return get<0>(n.args).expression; }
    template <int K>
    static constexpr const auto& operand(const node& n) {
        return get<K>(steps(n).args);
    }
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const node& n) {
        if constexpr (is_zero<A>) {
            return a;
        } else {
            const auto own = gathered_back<Running>(spread_over<value_t<node>, Same>(a, n), operand<0>(n));
            if constexpr (K == 0) {
                const auto before = AlongScan<Running>::template scan<ComposeAffine, true>(steps(n));
                return summed_to<Same>(own * apply(AffineTerm{}, before), n, operand<0>(n));
            } else {
                return summed_to<Same>(own, n, operand<1>(n));
            }
        }
    }
};

template <class F>
concept TakesOfMinMax = std::is_same_v<F, TakeMin> || std::is_same_v<F, TakeMax> || std::is_same_v<F, TakeRange>;

template <TakesOfMinMax F, class E, std::uint32_t Mask, bool Keep, class Acc>
struct Composite<Map<F, Reduce<MinMax, E, Mask, Keep, Acc>>> {
    using operands = operand_types<E>;
    static constexpr bool has_rule = true;
};
template <class Tag, TakesOfMinMax F, class E, std::uint32_t Mask, bool Keep, class Acc>
struct GraphNode<Tag, Map<F, Reduce<MinMax, E, Mask, Keep, Acc>>> {
    using Both = Reduce<MinMax, E, Mask, Keep, Acc>;
    using operands = type_list<E>;
    template <int K>
    static constexpr bool keeps_shape = false;
    template <int K>
    static constexpr const E& operand(const Map<F, Both>& n) {
        return get<0>(n.args).expression;
    }
    template <int K, class Same, class A>
    static auto pull(const A& a, const Map<F, Both>& n) {
        const Both& both = get<0>(n.args);
        if constexpr (is_zero<A>) {
            return a;
        } else if constexpr (std::is_same_v<F, TakeRange>) {
            return as_term<value_t<E>>(shared_by_equals(a, both, apply(TakeMax{}, both)) -
                                       shared_by_equals(a, both, apply(TakeMin{}, both)));
        } else {
            return as_term<value_t<E>>(shared_by_equals(a, both, n));
        }
    }
};

template <class Op, class T>
const Op& op_of(const CompletedReduction<Op, T>& r) {
    return r.op;
}
template <class F, class T, class A>
const F& op_of(const LiftedReduction<F, T, A>& r) {
    return r.f;
}

/// The operand of AttachOp, which is pinned in an expression that is a derivative itself.
template <class E>
struct attached;
template <class R, class E>
struct attached<Map<AttachOp<R>, E>> {
    using type = E;
};
template <class Pin, class Id, class E>
struct attached<Pinned<Pin, Id, E>> : attached<E> {};

template <class R, class Attached, std::uint32_t Mask, bool Keep>
struct Composite<Map<ProjectByOp<R>, Reduce<CarriedReduction<R>, Attached, Mask, Keep, void>>> {
    using E = typename attached<Attached>::type;
    using Result = value_t<Map<ProjectByOp<R>, Reduce<CarriedReduction<R>, Attached, Mask, Keep, void>>>;
    using Op = std::remove_cvref_t<decltype(op_of(std::declval<const R&>()))>;
    using operands = operand_types<E>;
    static constexpr bool has_rule = HasAdjoint<Op, Result>;
};
/// Flattened, both functors are pinned.
template <class Tag, class Pin, class Id, class Other, class R, class E, std::uint32_t Mask, bool Keep>
struct GraphNode<Tag, Pinned<Pin, Id,
                             Map<ProjectByOp<R>, Reduce<CarriedReduction<R>, Pinned<Pin, Other, Map<AttachOp<R>, E>>,
                                                        Mask, Keep, void>>>> {
    using Folded = Reduce<CarriedReduction<R>, Pinned<Pin, Other, Map<AttachOp<R>, E>>, Mask, Keep, void>;
    using node = Pinned<Pin, Id, Map<ProjectByOp<R>, Folded>>;
    using operands = type_list<E>;
    template <int K>
    static constexpr bool keeps_shape = false;
    static constexpr const Folded& folded(const node& n) { return get<0>(n.expression.args); }
    template <int K>
    static constexpr const E& operand(const node& n) {
        return get<0>(folded(n).expression.expression.args);
    }
    template <int K, class Same, class A>
    static auto pull(const A& a, const node& n) {
        const auto slope = adjoint_of<Pin>(op_of(n.expression.functor.op), operand<0>(n), n, folded(n));
        using Slope = std::remove_const_t<decltype(slope)>;
        return as_term<value_t<E>>(times(over_operand(folded(n), a), Pinned<Pin, slope_id<Id, 0>, Slope>(slope)));
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
