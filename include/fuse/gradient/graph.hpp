// SPDX-License-Identifier: Apache-2.0
//
// A flattened expression as a graph, and what its nodes hand to their operands. Only nodes through which the variable is
// reached are in it, each once.
#pragma once

#include "fuse/gradient/activation.hpp"
#include "fuse/gradient/folds.hpp"
#include "fuse/gradient/user_functors.hpp"
#include "fuse/plan/type_list.hpp"

#define FUSE_NO_DERIVATIVE                                                                                             \
    "fuse: gradient: the variable is reached through something that has no derivative rule: a scan, a sort, minmax, "  \
    "or a reduction op of one's own. stop_gradient(...) takes it for a constant"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The name by which N may be a variable: void if it has none.
template <class N>
struct name_of_variable {
    using type = void;
};
template <class T, class Name, index_t... E>
struct name_of_variable<View<T, Name, E...>> {
    using type = std::conditional_t<is_named<Name>, Name, void>;
};
template <class T, class Name>
struct name_of_variable<Scalar<T, Name>> {
    using type = std::conditional_t<is_named<Name>, Name, void>;
};
template <class Name, class E>
struct name_of_variable<Named<Name, E>> {
    using type = Name;
};
template <class N, class Name>
inline constexpr bool is_variable = std::is_same_v<typename name_of_variable<N>::type, Name>;

/// Whether the variable is reached through N; `parts` through a part of it, as in x[0].
template <class Name, class N, bool Parts, class... E>
constexpr bool reaches(operand_types<E...>);
template <class N, class Name, bool Parts = false>
inline constexpr bool is_active = reaches<Name, N, Parts>(typename N::operands{});
template <class T, class Part, index_t... E, class Name, bool Parts>
inline constexpr bool is_active<View<T, Part, E...>, Name, Parts> =
    Parts ? std::is_same_v<Part, part_of<Name>> : std::is_same_v<Part, Name>;
template <class E, class Name, bool Parts>
inline constexpr bool is_active<StopGradient<E>, Name, Parts> = false;

template <class Name, class N, bool Parts, class... E>
constexpr bool reaches(operand_types<E...>) {
    if constexpr (std::is_integral_v<value_t<N>>) {
        return false;
    } else {
        return (!Parts && is_variable<N, Name>) || (is_active<E, Name, Parts> || ...);
    }
}

/// N with its operands, and its rule: pull<K>(a) is what operand K gets of a, the derivative with respect to N.
template <class Tag, class N>
struct GraphNode {
    using operands = type_list<>;
};

template <class Tag, class N, class F, class... Args>
struct MapNode {
    using operands = type_list<Args...>;
    template <int K>
    static constexpr const auto& operand(const Map<F, Args...>& n) {
        return std::get<static_cast<std::size_t>(K)>(n.args);
    }
    /// y: what stands for n in expressions.
    template <int K, class A>
    static constexpr auto pull_of(const A& a, const N& y, const Map<F, Args...>& n) {
        const auto own = [&a, &y](const auto&... x) { return Derivative<F>::template pull<K, value_t<N>>(a, y, x...); };
        return summed_to(std::apply(own, n.args), y, operand<K>(n));
    }
};
template <class Tag, class F, class... Args>
struct GraphNode<Tag, Map<F, Args...>> : MapNode<Tag, Map<F, Args...>, F, Args...> {
    template <int K, class A>
    static constexpr auto pull(const A& a, const Map<F, Args...>& n) {
        return GraphNode::template pull_of<K>(a, n, n);
    }
};
template <class Tag, class Pin, class Id, class F, class... Args>
struct GraphNode<Tag, Pinned<Pin, Id, Map<F, Args...>>> : MapNode<Tag, Pinned<Pin, Id, Map<F, Args...>>, F, Args...> {
    using node = Pinned<Pin, Id, Map<F, Args...>>;
    template <int K>
    static constexpr const auto& operand(const node& n) {
        return std::get<static_cast<std::size_t>(K)>(n.expression.args);
    }
    template <int K, class A>
    static constexpr auto pull(const A& a, const node& n) {
        return GraphNode::template pull_of<K>(a, n, n.expression);
    }
};

template <class E>
struct OneOperand {
    using operands = type_list<E>;
    template <int K, class N>
    static constexpr const E& operand(const N& n) {
        return n.expression;
    }
};
template <class Tag, class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
struct GraphNode<Tag, Reduce<Op, E, Mask, Keep, Acc>> : OneOperand<E> {
    template <int K, class A>
    static auto pull(const A& a, const Reduce<Op, E, Mask, Keep, Acc>& n) {
        static_assert(HasFoldDerivative<Op>, FUSE_NO_DERIVATIVE);
        if constexpr (HasFoldDerivative<Op>) {
            const auto own = FoldDerivative<Op>::template pull<Tag>(a, n);
            if constexpr (is_one<std::remove_const_t<decltype(own)>>) {
                return own;
            } else {
                return as_term<value_t<E>>(own);
            }
        } else {
            return ZeroTerm{};
        }
    }
};
/// The element at a position has the operand of WithIndex.
template <class Tag, class Op, class X, class I, std::uint32_t Mask, bool Keep, class Acc>
struct GraphNode<Tag, Reduce<Op, Map<WithIndex, X, I>, Mask, Keep, Acc>> {
    using node = Reduce<Op, Map<WithIndex, X, I>, Mask, Keep, Acc>;
    using operands = type_list<X>;
    template <int K>
    static constexpr const X& operand(const node& n) {
        return std::get<0>(n.expression.args);
    }
    template <int K, class A>
    static auto pull(const A& a, const node& n) {
        return as_term<value_t<X>>(FoldDerivative<Op>::template pull<Tag>(a, n));
    }
};
template <class Tag, int Axis, class E>
struct GraphNode<Tag, ExpandDims<Axis, E>> : OneOperand<E> {
    template <int K, class A>
    static constexpr auto pull(const A& a, const ExpandDims<Axis, E>&) {
        constexpr int behind = E::rank - Axis;
        if constexpr (is_zero<A> || is_one<A>) {
            return a;
        } else if constexpr (A::rank <= behind) {
            return a;
        } else {
            return Reduce<Add<>, A, (1U << (A::rank - 1 - behind)), false, void>(a);
        }
    }
};
template <class Tag, class Name, class E>
struct GraphNode<Tag, Named<Name, E>> : OneOperand<E> {
    template <int K, class A>
    static constexpr A pull(const A& a, const Named<Name, E>&) {
        return a;
    }
};
template <class Tag, class E>
struct GraphNode<Tag, Framed<E>> : OneOperand<E> {
    template <int K, class A>
    static constexpr auto pull(const A& a, const Framed<E>& n) {
        if constexpr (is_zero<A> || is_one<A>) {
            return a;
        } else if constexpr (A::counts) {
            return framed(spread_over<value_t<A>>(a, n));
        } else {
            return a;
        }
    }
};

/// Nodes, operands before those who use them.
template <class... N>
struct Graph {
    std::tuple<N...> nodes;
};

template <class Name, class Tag, class... N, class E>
constexpr auto with_nodes_of(const Graph<N...>& graph, const E& e);

template <class Name, class Tag, class E, int K, class... N>
constexpr auto with_operands_of(const Graph<N...>& graph, const E& e) {
    if constexpr (K == GraphNode<Tag, E>::operands::size) {
        return Graph<N..., E>{std::tuple_cat(graph.nodes, std::tuple<E>(e))};
    } else {
        const auto next = with_nodes_of<Name, Tag>(graph, GraphNode<Tag, E>::template operand<K>(e));
        return with_operands_of<Name, Tag, E, K + 1>(next, e);
    }
}
template <class Name, class Tag, class... N, class E>
constexpr auto with_nodes_of(const Graph<N...>& graph, const E& e) {
    if constexpr (!is_active<E, Name> || contains<type_list<N...>, E>) {
        return graph;
    } else if constexpr (is_variable<E, Name>) {
        return Graph<N..., E>{std::tuple_cat(graph.nodes, std::tuple<E>(e))};
    } else {
        static_assert(GraphNode<Tag, E>::operands::size > 0, FUSE_NO_DERIVATIVE);
        return with_operands_of<Name, Tag, E, 0>(graph, e);
    }
}

/// The derivatives of the last node, times Seed, with respect to all others.
template <class Name, class Tag, class Seed, class... N>
class Adjoints {
public:
    constexpr Adjoints(const Graph<N...>& graph, const Seed& seed) : nodes_(graph.nodes), seed_(seed) {}

    template <int J>
    constexpr auto of() const {
        if constexpr (J == count - 1) {
            return seed_;
        } else {
            return from_users<J, J + 1>(ZeroTerm{});
        }
    }
    /// With respect to the variable: of all views of its name.
    template <int J = 0, class Sum = ZeroTerm>
    constexpr auto of_variable(const Sum& sum = {}) const {
        if constexpr (J == count) {
            return sum;
        } else if constexpr (is_variable<at_t<type_list<N...>, J>, Name>) {
            return of_variable<J + 1>(added<value_t<at_t<type_list<N...>, J>>>(sum, of<J>()));
        } else {
            return of_variable<J + 1>(sum);
        }
    }

private:
    static constexpr int count = static_cast<int>(sizeof...(N));
    template <int I>
    using node = at_t<type_list<N...>, I>;

    template <int J, int I, class Sum>
    constexpr auto from_users(const Sum& sum) const {
        if constexpr (I == count) {
            return sum;
        } else if constexpr (is_variable<node<I>, Name>) {
            return from_users<J, I + 1>(sum);
        } else {
            return from_users<J, I + 1>(from_operands<J, I, 0>(sum));
        }
    }
    template <int J, int I, int K, class Sum>
    constexpr auto from_operands(const Sum& sum) const {
        using user = GraphNode<Tag, node<I>>;
        if constexpr (K == user::operands::size) {
            return sum;
        } else if constexpr (std::is_same_v<at_t<typename user::operands, K>, node<J>>) {
            const auto own = user::template pull<K>(of<I>(), std::get<static_cast<std::size_t>(I)>(nodes_));
            return from_operands<J, I, K + 1>(added<value_t<node<J>>>(sum, own));
        } else {
            return from_operands<J, I, K + 1>(sum);
        }
    }

    const std::tuple<N...>& nodes_;
    const Seed& seed_;
};

}  // namespace detail

FUSE_END_NAMESPACE
