// SPDX-License-Identifier: Apache-2.0
//
// The sweep from the last node of a graph to the first: each node hands its derivative on to its operands.
#pragma once

#include "fuse/gradient/common_axes.hpp"
#include "fuse/gradient/composites.hpp"
#include "fuse/gradient/node_list.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The derivatives of the last node, times Seed, with respect to all others.
template <class Name, class Tag, class Seed, class List>
class Adjoints {
public:
    Adjoints(const Graph<List>& graph, const Seed& seed) : graph_(graph) { adjoint_[count - 1] = &seed; }

    /// With respect to the variable x: of all nodes of its name.
    template <class X>
    auto of_variable(const X& x) {
        return behind<count - 1>(x);
    }

private:
    static constexpr int count = List::size;
    static constexpr auto edges =
        graph_edges<Name, Tag>(List{}, std::make_integer_sequence<int, static_cast<int>(List::size)>{});
    static constexpr int end = edges.next(count, 0);
    template <int I>
    using node = at_t<List, I>;
    /// The node that uses another one through edge E, and as which operand.
    template <int E>
    using user = GraphNode<Tag, node<edges.edge[E].user>>;
    template <int E>
    static constexpr int operand = edges.edge[E].operand;

    template <int J>
    auto computed() const {
        return from_users<J, edges.next(J, 0)>(ZeroTerm{});
    }
    /// Of node J, whose users are done.
    template <int J>
    const auto& of() const {
        if constexpr (J == count - 1) {
            return *static_cast<const Seed*>(adjoint_[J]);
        } else {
            return *static_cast<const decltype(computed<J>())*>(adjoint_[J]);
        }
    }
    /// The result, once those of nodes 0 .. J - 1 are known too: each is computed once, however many paths lead to it.
    template <int J, class X>
    auto behind(const X& x) {
        if constexpr (J == 0) {
            return summed_over<0, type_list<X>>(ZeroTerm{}, x);
        } else {
            const auto next = computed<J - 1>();
            adjoint_[J - 1] = &next;
            return behind<J - 1>(x);
        }
    }
    /// `sum` and what comes through edge E and later ones.
    template <int J, int E, class Sum>
    auto from_users(const Sum& sum) const {
        if constexpr (E == end) {
            return sum;
        } else {
            return from_users<J, edges.next(J, E + 1)>(added_in_place<value_t<node<J>>>(sum, pulled<E>()));
        }
    }
    template <int E>
    auto pulled() const {
        constexpr int I = edges.edge[E].user;
        const auto& a = of<I>();
        if constexpr (is_zero<std::remove_cvref_t<decltype(a)>>) {
            return a;  // behind floor and its kin
        } else {
            return user<E>::template pull<operand<E>, typename same_shape<I, edges.next(I, 0)>::type>(
                a, graph_.template node<node<I>>());
        }
    }

    /// Types with the shape of node J: itself, what has that of its users where they keep it, what they have summed up
    /// to it, and the seed. Of edge E and later ones.
    template <int J, int E>
    struct same_shape {
        static auto list() {
            using Rest = typename same_shape<J, edges.next(J, E + 1)>::type;
            constexpr int I = edges.edge[E].user;
            if constexpr (user<E>::template keeps_shape<operand<E>>) {
                return unite_t<Rest, typename same_shape<I, edges.next(I, 0)>::type>{};
            } else if constexpr (is_map<node<I>>) {
                return unite_t<Rest, type_list<decltype(std::declval<const Adjoints&>().template pulled<E>())>>{};
            } else {
                return Rest{};
            }
        }
        using type = decltype(list());
    };
    template <int J>
    struct same_shape<J, end> {
        using type = std::conditional_t<J == count - 1, type_list<node<J>, Seed>, type_list<node<J>>>;
    };

    template <int J, class Same, class Sum, class X>
    auto summed_over(const Sum& sum, const X& x) const {
        if constexpr (J == count) {
            return spread_over<value_t<X>, Same>(sum, x);
        } else if constexpr (is_variable<node<J>, Name>) {
            using More = unite_t<Same, typename same_shape<J, edges.next(J, 0)>::type>;
            return summed_over<J + 1, More>(added_in_place<value_t<node<J>>>(sum, of<J>()), x);
        } else if constexpr (is_placed_leaf<node<J>, Name>) {
            return with_part<J, Same>(sum, of<J>(), x);
        } else {
            return summed_over<J + 1, Same>(sum, x);
        }
    }

    /// The same with `own`, derived with respect to node J, a part of x.
    template <int J, class Same, class Sum, class A, class X>
    auto with_part(const Sum& sum, const A& own, const X& x) const {
        if constexpr (is_zero<A>) {
            return summed_over<J + 1, Same>(sum, x);
        } else {
            const auto& part = graph_.template node<node<J>>();
            using Own = typename same_shape<J, edges.next(J, 0)>::type;
            const auto term = placed(framed(spread_over<value_t<node<J>>, Own>(own, part)), unpinned(part), x);
            using Term = std::remove_const_t<decltype(term)>;
            if constexpr (is_zero<Sum>) {
                return summed_over<J + 1, unite_t<Same, type_list<Term>>>(term, x);
            } else {  // not added(): two parts may be of one type
                return summed_over<J + 1, unite_t<Same, type_list<Term>>>(
                    as_term<value_t<X>>(sum) + along_axes_of(sum, term), x);
            }
        }
    }

    const Graph<List>& graph_;
    const void* adjoint_[count] = {};
};

}  // namespace detail

FUSE_END_NAMESPACE
