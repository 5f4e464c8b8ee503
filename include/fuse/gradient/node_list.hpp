// SPDX-License-Identifier: Apache-2.0
//
// A flattened expression as a list of its nodes and of who uses whom. Only those through which the variable is reached
// are in it, each once.
#pragma once

#include "fuse/gradient/graph.hpp"
#include "fuse/plan/type_list.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The operands through which the variable may be reached; it has none itself.
template <class Name, class Tag, class E>
using graph_operands = std::conditional_t<is_variable<E, Name>, type_list<>, typename GraphNode<Tag, E>::operands>;

template <class Name, class Tag, class List, class Operands>
struct graph_lists {
    using type = List;
};
/// List and the nodes of E that it lacks, operands before those who use them.
template <class Name, class Tag, class List, class E, bool New = is_active<E, Name> && !contains<List, E>>
struct graph_list {
    using type = List;
};
template <class Name, class Tag, class List, class First, class... Rest>
struct graph_lists<Name, Tag, List, type_list<First, Rest...>>
    : graph_lists<Name, Tag, typename graph_list<Name, Tag, List, First>::type, type_list<Rest...>> {};
template <class Name, class Tag, class List, class E>
struct graph_list<Name, Tag, List, E, true>
    : append_unique<typename graph_lists<Name, Tag, List, graph_operands<Name, Tag, E>>::type, E> {};

template <class N>
struct GraphEntry {
    const N* node = nullptr;
};
/// Distinct nodes of an expression, which outlives the graph.
template <class List>
class Graph;
template <class... N>
class Graph<type_list<N...>> : GraphEntry<N>... {
public:
    using list = type_list<N...>;

    template <class E>
    constexpr const E& node() const {
        return *GraphEntry<E>::node;
    }
    /// E, if it is one of the nodes, and what it is made of.
    template <class Name, class Tag, class E>
    constexpr void enter(const E& e) {
        if constexpr (contains<list, E>) {
            if (GraphEntry<E>::node == nullptr) {
                GraphEntry<E>::node = &e;
                enter_operands<Name, Tag>(e, std::make_integer_sequence<int, graph_operands<Name, Tag, E>::size>{});
            }
        }
    }

private:
    template <class Name, class Tag, class E, int... K>
    constexpr void enter_operands(const E& e, std::integer_sequence<int, K...>) {
        (enter<Name, Tag>(GraphNode<Tag, E>::template operand<K>(e)), ...);
    }
};

/// That operand `operand` of node number `user` is node number `node`, or none: -1.
struct GraphEdge {
    int user;
    int operand;
    int node;
};
template <class List, int User, class... Operands>
constexpr void enter_edges(GraphEdge*& at, type_list<Operands...>) {
    int operand = 0;
    ((*at++ = {User, operand++, index_of<List, Operands>}), ...);
}
template <int Count>
struct GraphEdges {
    GraphEdge edge[Count + 1] = {};
    /// The first edge from `first` on that leads to a node; Count if there is none.
    constexpr int next(int node, int first) const {
        while (first < Count && edge[first].node != node) {
            ++first;
        }
        return first;
    }
};
/// All edges, in the order of users.
template <class Name, class Tag, class... N, int... I>
constexpr auto graph_edges(type_list<N...>, std::integer_sequence<int, I...>) {
    GraphEdges<(0 + ... + graph_operands<Name, Tag, N>::size)> edges;
    GraphEdge* at = edges.edge;
    (enter_edges<type_list<N...>, I>(at, graph_operands<Name, Tag, N>{}), ...);
    return edges;
}

}  // namespace detail

FUSE_END_NAMESPACE
