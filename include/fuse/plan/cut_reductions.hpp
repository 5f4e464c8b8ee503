// SPDX-License-Identifier: Apache-2.0
//
// What steps are cut from, and what stands in the place of what is cut out: the reductions of an expression, means that they
// do without, the lets around them, and views of carried results.
#pragma once

#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/let.hpp"
#include "fuse/lang/named.hpp"
#include "fuse/lang/part.hpp"
#include "fuse/plan/lower.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Without those that are lowered to T.
template <class T, class... L>
constexpr auto without_lowered(type_list<L...>) {
    return concat_t<type_list<>,
                    std::conditional_t<std::is_same_v<typename L::type, T>, type_list<>, type_list<L>>...>{};
}

/// The reductions in what L, a Lower, stands for, operands first: their Lower, each once, however often a derivative
/// has it. Not a mean that nothing needs there
/// (plan/deviations.hpp): of that one L::walk says nothing either.
template <class L>
struct reductions_in {
    using type = type_list<>;
};
template <class L>
using reductions_in_t = typename reductions_in<L>::type;
template <class F, class... Args, std::uint64_t Axes, class Space, class Position, int D>
struct reductions_in<Lower<Map<F, Args...>, Axes, Space, Position, D>> {
    template <class Sequence>
    struct all;
    template <int... I>
    struct all<std::integer_sequence<int, I...>> {
        using L = Lower<Map<F, Args...>, Axes, Space, Position, D>;
        using type = unite_t<reductions_in_t<typename L::template child<Args, I>>...>;
    };
    using type = typename all<std::make_integer_sequence<int, static_cast<int>(sizeof...(Args))>>::type;
};
template <class Node, std::uint64_t Axes, class Space, class Position, int D>
    requires requires {
        typename Lower<Node, Axes, Space, Position, D>::operand;
    }
struct reductions_in<Lower<Node, Axes, Space, Position, D>> {
    using L = Lower<Node, Axes, Space, Position, D>;
    static constexpr bool folds = requires { typename Node::reduction_op; }
    &&is_ir_reduction<typename L::type>;
    static constexpr auto inside() {
        if constexpr (L::joins_mean) {
            return without_lowered<typename L::form::mean>(reductions_in_t<typename L::operand>{});
        } else {
            return reductions_in_t<typename L::operand>{};
        }
    }
    using type = unite_t<decltype(inside()), std::conditional_t<folds, type_list<L>, type_list<>>>;
};

/// What a Lower is of.
template <class L>
struct lowered_node;
template <class Node, std::uint64_t Axes, class Space, class Position, int D>
struct lowered_node<Lower<Node, Axes, Space, Position, D>> {
    using node = Node;
    using position = Position;
    static constexpr AxisMap axes = AxisMap::unpack(Axes);
    static constexpr int domain_rank = D;
};
template <class L>
inline constexpr bool has_reduction_op = requires {
    typename lowered_node<L>::node::reduction_op;
};

/// A mean in the operand of L that L does not need, or that what L stands in does not.
template <class L, class Outer>
struct needless_mean {
    using type = Outer;
};
template <class L, class Outer>
    requires(L::joins_mean)
struct needless_mean<L, Outer> {
    using type = typename L::form::mean;
};
template <class L, class Outer>
using needless_within = typename needless_mean<L, Outer>::type;

/// For a Part among the functions of lets.
struct part_mark {};

/// The functions of the lets around a scope, and part_mark for each Part, the innermost first.
template <class Scope>
struct lets_around {
    using type = typename lets_around<typename Scope::outer>::type;
};
template <>
struct lets_around<root_scope> {
    using type = type_list<>;
};
template <class F, class Position>
struct lets_around<let_scope<F, Position>> {
    using type = concat_t<type_list<F>, typename lets_around<typename Position::scope>::type>;
};
template <class Position>
struct lets_around<part_scope<Position>> {
    using type = concat_t<type_list<part_mark>, typename lets_around<typename Position::scope>::type>;
};

/// An expression inside the lets and parts whose operands it may have.
template <class E>
constexpr auto inside_lets(const E& e, type_list<>) {
    return e;
}
template <class E, class F, class... More>
constexpr auto inside_lets(const E& e, type_list<F, More...>) {
    if constexpr (std::is_same_v<F, part_mark>) {
        return inside_lets(Part<E, 0>(e), type_list<More...>{});
    } else {
        return inside_lets(Let<F, E>(e), type_list<More...>{});
    }
}

/// An expression with axes of extent 1 where bit i of Missing is set, in the place of axis i of the result.
template <std::uint32_t Missing, int Axis, int Rank, class E>
constexpr auto with_axes(const E& e) {
    if constexpr (Axis == Rank) {
        return e;
    } else if constexpr (((Missing >> Axis) & 1U) != 0) {
        return with_axes<Missing, Axis + 1, Rank>(ExpandDims<Axis, E>(e));
    } else {
        return with_axes<Missing, Axis + 1, Rank>(e);
    }
}

/// "#2": no user can have named a view so by chance, and no two results are called the same.
template <int N>
using carried_name = std::conditional_t<(N < 10), name<'#', static_cast<char>('0' + N % 10)>,
                                        name<'#', static_cast<char>('0' + N / 10), static_cast<char>('0' + N % 10)>>;

/// The view of the carried result number N.
template <class T, int N, class Axes>
struct carried_view;
template <class T, int N, int... I>
struct carried_view<T, N, std::integer_sequence<int, I...>> {
    using type = View<T, carried_name<N>, (static_cast<void>(I), dynamic)...>;
};

}  // namespace detail

FUSE_END_NAMESPACE
