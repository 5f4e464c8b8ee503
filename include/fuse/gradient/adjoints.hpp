// SPDX-License-Identifier: Apache-2.0
//
// The sweep from the last node of a graph to the first: each node hands its derivative on to its operands.
#pragma once

#include "fuse/gradient/graph.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

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
        const auto a = of<I>();
        if constexpr (is_zero<std::remove_const_t<decltype(a)>>) {
            return a;  // behind floor and its kin
        } else {
            const auto& n = std::get<static_cast<std::size_t>(I)>(nodes_);
            return user<I>::template pull<K, typename same_shape<I, I + 1, 0>::type>(a, n);
        }
    }

    /// Types with the shape of node J: itself, what has that of its users where they keep it, what they have summed up
    /// to it, and the seed.
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
