// SPDX-License-Identifier: Apache-2.0
//
// Statements in their domain, whose rank is that of the deepest node. Where a reduced value lies along another axis than
// its own because the expression says so, as in two steps of a Markov chain, sum(expand_dims<1>(sum(expand_dims<1>(a) * t,
// axes<0>)) * t, axes<0>), the matrix lies at two places: the domain then has one axis more, in which no node has all axes
// and each lies where what reads it wants it.
#pragma once

#include <tuple>

#include "fuse/lang/statement.hpp"
#include "fuse/plan/lower.hpp"

FUSE_BEGIN_NAMESPACE

/// A set of statements in a domain of rank D: the IR of each expression, and the axes of each output.
template <int D, class... S>
struct LowerInDomain {
    static constexpr int domain_rank = D;

    template <class Statement>
    static constexpr AxisMap root_map() {
        using E = typename Statement::expression_type;
        AxisMap m = natural_map<E, domain_rank>::value;
        m.fill(likely_map<E, domain_rank>::value);
        return m;
    }
    template <int I>
    using position_of = position<root_scope, positions_before<I, typename S::expression_type...>>;
    /// What index<Axis> counts in: the axes of the expression, or of the output that a scalar expression fills.
    template <class Statement, int I>
    using root_space = typename std::conditional_t<
        Statement::expression_type::rank == 0, std::type_identity<detail::filled_space<I, Statement::view_type::rank>>,
        detail::operand_space<typename Statement::expression_type, root_map<Statement>().pack(), position_of<I>,
                              domain_rank>>::type;
    template <class Statement, int I>
    using root = Lower<typename Statement::expression_type, root_map<Statement>().pack(), root_space<Statement, I>,
                       position_of<I>, domain_rank>;

    static constexpr bool root_maps_fit = (root_map<S>().consistent && ...);

    template <class Sequence>
    struct each;
    template <int... I>
    struct each<std::integer_sequence<int, I...>> {
        using roots = type_list<root<S, I>...>;
        using types = type_list<typename root<S, I>::type...>;
        static constexpr detail::Refusal refusal =
            root_maps_fit ? detail::refusal_among<root<S, I>...> : detail::Refusal::other_place;
        template <class Sink>
        static void walk(const std::tuple<S...>& statements, Sink& sink) {
            (walk_one<S, I>(std::get<I>(statements), sink), ...);
        }
        template <class Statement, int J, class Sink>
        static void walk_one(const Statement& s, Sink& sink) {
            root<Statement, J>::walk(s.expression, sink);
            sink.template statement<J>(s);
        }
    };
    using all = each<std::make_integer_sequence<int, static_cast<int>(sizeof...(S))>>;
    using expressions = typename all::types;
    static constexpr detail::Refusal refusal = all::refusal;
};

namespace detail {

/// A statement of a step (plan/steps.hpp).
template <class S>
inline constexpr bool is_of_step = false;

/// Whether broadcasting alone would put a value along another axis than its own in what L, a Lower, stands for, as in
/// x / sum(x, axes<1>): that is not what one means.
template <class L>
struct broadcasts_elsewhere {
    static constexpr bool value = false;
};
template <class F, class... Args, std::uint64_t Axes, class Space, class Position, int D>
struct broadcasts_elsewhere<Lower<Map<F, Args...>, Axes, Space, Position, D>> {
    using L = Lower<Map<F, Args...>, Axes, Space, Position, D>;
    template <class Arg>
    static constexpr bool elsewhere() {
        const AxisMap wanted = AxisMap::unpack(Axes).last(Arg::rank);
        const AxisMap own = natural_map<Arg, D>::value;
        bool other = false;
        for (int i = 0; i < own.rank; ++i) {
            other = other || (own.axis[i] != AxisMap::open && own.axis[i] != wanted.axis[i]);
        }
        return other && Arg::rank < Map<F, Args...>::rank;
    }
    template <int... I>
    static constexpr bool any(std::integer_sequence<int, I...>) {
        return (elsewhere<Args>() || ...) || (broadcasts_elsewhere<typename L::template child<Args, I>>::value || ...);
    }
    static constexpr bool value = any(std::make_integer_sequence<int, static_cast<int>(sizeof...(Args))>{});
};
template <class Node, std::uint64_t Axes, class Space, class Position, int D>
    requires requires {
        typename Lower<Node, Axes, Space, Position, D>::operand;
    }
struct broadcasts_elsewhere<Lower<Node, Axes, Space, Position, D>>
    : broadcasts_elsewhere<typename Lower<Node, Axes, Space, Position, D>::operand> {};

/// Whether statements that a domain without room refuses are given room. A step lies as it was cut.
template <Refusal InDomain, class L, class... S>
inline constexpr bool have_room = false;
template <Refusal InDomain, class L, class... S>
    requires(InDomain == Refusal::other_place || InDomain == Refusal::crowded)
inline constexpr bool have_room<InDomain, L, S...> = [] {
    return L::domain_rank < max_rank && !(is_of_step<S> || ...) && []<class... R>(type_list<R...>) {
        return !(broadcasts_elsewhere<R>::value || ...);
    }(typename L::all::roots{});
}();

template <class... S>
using lowered_in_own_domain = LowerInDomain<largest(0, deepest_rank<typename S::expression_type>...), S...>;

}  // namespace detail

template <class... S>
struct LowerStatements
    : std::conditional_t<
          detail::have_room<detail::lowered_in_own_domain<S...>::refusal, detail::lowered_in_own_domain<S...>, S...>,
          LowerInDomain<detail::lowered_in_own_domain<S...>::domain_rank + 1, S...>,
          detail::lowered_in_own_domain<S...>> {
    /// What lies in a domain with room may have other extents along an axis than what else lies there: only steps have that.
    static constexpr bool with_room = LowerStatements::domain_rank > detail::lowered_in_own_domain<S...>::domain_rank;
};

FUSE_END_NAMESPACE
