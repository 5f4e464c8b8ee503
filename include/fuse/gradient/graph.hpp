// SPDX-License-Identifier: Apache-2.0
//
// A flattened expression as a graph, and what its nodes hand to their operands. Only nodes through which the variable is
// reached are in it, each once.
#pragma once

#include "fuse/gradient/activation.hpp"
#include "fuse/gradient/folds.hpp"
#include "fuse/gradient/user_functors.hpp"

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

/// Whether a view of name Part is a part of one that has Name: x[0], or unflatten<1>(x, ...), whose name is "x<1>".
template <class Part, class Name>
inline constexpr bool is_part_of = std::is_same_v<Part, part_of<Name>>;
template <char... P, char... C>
    requires(sizeof...(P) > sizeof...(C))
inline constexpr bool is_part_of<name<P...>, name<C...>> = [] {
    const char part[] = {P...};
    const char whole[] = {C..., '<'};
    bool same = true;
    for (std::size_t i = 0; i <= sizeof...(C); ++i) {
        same = same && part[i] == whole[i];
    }
    return same;
}();

/// Whether the variable is reached through N; `Parts`: through a part of it.
template <class Name, class N, bool Parts, class... E>
constexpr bool reaches(operand_types<E...>);
template <class N, class Name, bool Parts = false>
inline constexpr bool is_active = reaches<Name, N, Parts>(typename N::operands{});
template <class T, class Part, index_t... E, class Name, bool Parts>
inline constexpr bool is_active<View<T, Part, E...>, Name, Parts> =
    Parts ? is_part_of<Part, Name> : std::is_same_v<Part, Name>;
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

/// N with its operands, and its rule: pull<K, Same>(a) is what operand K gets of a, the derivative with respect to N. Same:
/// types that have the shape of N. keeps_shape<K>: operand K has it, too (broadcasting.hpp has looked).
template <class Tag, class N>
struct GraphNode {
    using operands = type_list<>;
};

template <class Tag, class N, class F, class... Args>
struct MapNode {
    using operands = type_list<Args...>;
    template <int K>
    static constexpr bool keeps_shape = stretched_axes<N, at_t<operands, K>> == 0;
    template <int K>
    static constexpr const auto& operand(const Map<F, Args...>& n) {
        return std::get<static_cast<std::size_t>(K)>(n.args);
    }
    /// y: what stands for n in expressions.
    template <int K, class Same, class A>
    static constexpr auto pull_of(const A& a, const N& y, const Map<F, Args...>& n) {
        const auto own = [&a, &y](const auto&... x) { return Derivative<F>::template pull<K, value_t<N>>(a, y, x...); };
        return summed_to<Same>(std::apply(own, n.args), y, operand<K>(n));
    }
};
template <class Tag, class F, class... Args>
struct GraphNode<Tag, Map<F, Args...>> : MapNode<Tag, Map<F, Args...>, F, Args...> {
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const Map<F, Args...>& n) {
        return GraphNode::template pull_of<K, Same>(a, n, n);
    }
};
template <class Tag, class Pin, class Id, class F, class... Args>
struct GraphNode<Tag, Pinned<Pin, Id, Map<F, Args...>>> : MapNode<Tag, Pinned<Pin, Id, Map<F, Args...>>, F, Args...> {
    using node = Pinned<Pin, Id, Map<F, Args...>>;
    template <int K>
    static constexpr const auto& operand(const node& n) {
        return std::get<static_cast<std::size_t>(K)>(n.expression.args);
    }
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const node& n) {
        return GraphNode::template pull_of<K, Same>(a, n, n.expression);
    }
};

template <class N>
inline constexpr bool is_map = false;
template <class F, class... Args>
inline constexpr bool is_map<Map<F, Args...>> = true;
template <class Pin, class Id, class E>
inline constexpr bool is_map<Pinned<Pin, Id, E>> = is_map<E>;

template <class E>
struct OneOperand {
    using operands = type_list<E>;
    template <int K>
    static constexpr bool keeps_shape = false;
    template <int K, class N>
    static constexpr const E& operand(const N& n) {
        return n.expression;
    }
};
template <class Tag, class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
struct GraphNode<Tag, Reduce<Op, E, Mask, Keep, Acc>> : OneOperand<E> {
    template <int K, class Same, class A>
    static auto pull(const A& a, const Reduce<Op, E, Mask, Keep, Acc>& n) {
        const auto own = FoldDerivative<Op>::template pull<Tag>(a, n);
        if constexpr (is_one<std::remove_const_t<decltype(own)>>) {
            return own;
        } else {
            return as_term<value_t<E>>(own);
        }
    }
};
/// The element at a position has the operand of WithIndex.
template <class Tag, class Op, class X, class I, std::uint32_t Mask, bool Keep, class Acc>
struct GraphNode<Tag, Reduce<Op, Map<WithIndex, X, I>, Mask, Keep, Acc>> {
    using node = Reduce<Op, Map<WithIndex, X, I>, Mask, Keep, Acc>;
    using operands = type_list<X>;
    template <int K>
    static constexpr bool keeps_shape = false;
    template <int K>
    static constexpr const X& operand(const node& n) {
        return std::get<0>(n.expression.args);
    }
    template <int K, class Same, class A>
    static auto pull(const A& a, const node& n) {
        return as_term<value_t<X>>(FoldDerivative<Op>::template pull<Tag>(a, n));
    }
};
template <class Tag, int Axis, class E>
struct GraphNode<Tag, ExpandDims<Axis, E>> : OneOperand<E> {
    template <int K, class Same, class A>
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
    template <int K, class Same, class A>
    static constexpr A pull(const A& a, const Named<Name, E>&) {
        return a;
    }
};
template <class Tag, class E>
struct GraphNode<Tag, Framed<E>> : OneOperand<E> {
    template <int K, class Same, class A>
    static constexpr auto pull(const A& a, const Framed<E>& n) {
        if constexpr (is_zero<A> || is_one<A>) {
            return a;
        } else if constexpr (A::counts) {
            return framed(spread_over<value_t<A>, Same>(a, n));
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
        return with_operands_of<Name, Tag, E, 0>(graph, e);
    }
}

/// The derivatives of the last node, times Seed, with respect to all others.
template <class Name, class Tag, class Seed, class... N>
class Adjoints {
public:
    constexpr Adjoints(const Graph<N...>& graph, const Seed& seed) : nodes_(graph.nodes), seed_(seed) {}

    /// With respect to the variable x: of all nodes of its name.
    template <class X>
    constexpr auto of_variable(const X& x) const {
        return summed_over<0, type_list<X>>(ZeroTerm{}, x);
    }

private:
    static constexpr int count = static_cast<int>(sizeof...(N));
    template <int I>
    using node = at_t<type_list<N...>, I>;
    template <int I>
    using user = GraphNode<Tag, node<I>>;
    /// Whether operand K of node I is node J, and not the variable's own inside.
    template <int J, int I, int K>
    static constexpr bool uses = [] {
        if constexpr (K < user<I>::operands::size && !is_variable<node<I>, Name>) {
            return std::is_same_v<at_t<typename user<I>::operands, K>, node<J>>;
        } else {
            return false;
        }
    }();

    template <int J>
    constexpr auto of() const {
        if constexpr (J == count - 1) {
            return seed_;
        } else {
            return from_users<J, J + 1, 0>(ZeroTerm{});
        }
    }
    template <int J, int I, int K, class Sum>
    constexpr auto from_users(const Sum& sum) const {
        if constexpr (I == count) {
            return sum;
        } else if constexpr (K == user<I>::operands::size) {
            return from_users<J, I + 1, 0>(sum);
        } else if constexpr (uses<J, I, K>) {
            return from_users<J, I, K + 1>(added<value_t<node<J>>>(sum, pulled<I, K>()));
        } else {
            return from_users<J, I, K + 1>(sum);
        }
    }
    template <int I, int K>
    constexpr auto pulled() const {
        const auto& n = std::get<static_cast<std::size_t>(I)>(nodes_);
        return user<I>::template pull<K, typename same_shape<I, I + 1, 0>::type>(of<I>(), n);
    }

    /// Types with the shape of node J: itself, what has that of its users where they keep it, what they have summed up to
    /// it, and the seed.
    template <int J, int I, int K, bool More = (I < count)>
    struct same_shape {
        using type = std::conditional_t<J == count - 1, type_list<node<J>, Seed>, type_list<node<J>>>;
    };
    template <int J, int I, int K>
    struct same_shape<J, I, K, true> {
        static auto list() {
            if constexpr (K == user<I>::operands::size) {
                return typename same_shape<J, I + 1, 0>::type{};
            } else if constexpr (!uses<J, I, K>) {
                return typename same_shape<J, I, K + 1>::type{};
            } else if constexpr (user<I>::template keeps_shape<K>) {
                return unite_t<typename same_shape<J, I, K + 1>::type, typename same_shape<I, I + 1, 0>::type>{};
            } else if constexpr (has_summed<I, K>) {
                using own = decltype(std::declval<const Adjoints&>().template pulled<I, K>());
                return unite_t<typename same_shape<J, I, K + 1>::type, type_list<own>>{};
            } else {
                return typename same_shape<J, I, K + 1>::type{};
            }
        }
        using type = decltype(list());
    };
    template <int I, int K>
    static constexpr bool has_summed = is_map<node<I>>;

    template <int J, class Same, class Sum, class X>
    constexpr auto summed_over(const Sum& sum, const X& x) const {
        if constexpr (J == count) {
            return spread_over<value_t<X>, Same>(sum, x);
        } else if constexpr (is_variable<node<J>, Name>) {
            using More = unite_t<Same, typename same_shape<J, J + 1, 0>::type>;
            return summed_over<J + 1, More>(added<value_t<node<J>>>(sum, of<J>()), x);
        } else {
            return summed_over<J + 1, Same>(sum, x);
        }
    }

    const std::tuple<N...>& nodes_;
    const Seed& seed_;
};

}  // namespace detail

FUSE_END_NAMESPACE
