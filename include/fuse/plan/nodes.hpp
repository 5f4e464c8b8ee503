// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a set of statements, numbered: an array in which every distinct value stands once, after its operands.
// What the planner wants to know of a value is a loop over it. Sets of leaves and of reductions are bit sets.
#pragma once

#include <bit>

#include "fuse/numeric.hpp"
#include "fuse/plan/node_data.hpp"

FUSE_BEGIN_NAMESPACE

/// Bit i: leaf i, reduction i, stage i.
using bit_set = std::uint64_t;

namespace detail {

/// Sets hold the first 64; more than that are refused (refusal.hpp).
constexpr bit_set set_of(int i) {
    return i < 64 ? bit_set{1} << i : 0;
}
constexpr bool in_set(bit_set set, int i) {
    return (set & set_of(i)) != 0;
}

/// One value. Leaves, reductions and functor states are numbered in the order of the array.
struct NodeRecord {
    NodeKind kind = NodeKind::constant;
    std::uint32_t axes = 0;  ///< as in NodeData
    std::uint32_t varies = 0;
    bool commutes = true;
    bool reverse = false;
    int number = -1;        ///< of a leaf among the leaves, a reduction among the reductions, a call's state; else -1
    int first_operand = 0;  ///< in NodeArray::operand
    int operand_count = 0;
    int user = -1;        ///< a node that has it as an operand; -1: it is the expression of a statement
    int used_as = 0;      ///< the number of that operand, or of that statement
    int depth = 0;        ///< reductions on the deepest path through it, itself included
    bit_set leaves = 0;   ///< leaves that it reads itself, not through a reduction
    bit_set results = 0;  ///< reductions that it reads itself, not through another one
    bit_set needs = 0;    ///< all reductions in it
};

constexpr bool is_leaf(NodeKind kind) {
    return kind < NodeKind::constant;
}
constexpr bool runs_along(NodeKind kind) {
    return kind == NodeKind::scan || kind == NodeKind::sort;
}
constexpr bool is_reduction(NodeKind kind) {
    return kind > NodeKind::call;
}

/// A NodeArray without its size, so that a question about it is one function for all programs.
struct Nodes {
    const NodeRecord* node = nullptr;
    const int* operand = nullptr;
    const int* leaf = nullptr;       ///< nodes that are leaves, in the order of their numbers
    const int* reduction = nullptr;  ///< nodes that are reductions
    const int* root = nullptr;       ///< the expressions of the statements
    int leaves = 0;
    int reductions = 0;
    int roots = 0;

    constexpr const NodeRecord& leaf_node(int i) const { return node[leaf[i]]; }
    constexpr const NodeRecord& reduction_node(int i) const { return node[reduction[i]]; }
    constexpr const NodeRecord& root_node(int i) const { return node[root[i]]; }
    constexpr const NodeRecord& operand_of(const NodeRecord& n, int i = 0) const {
        return node[operand[n.first_operand + i]];
    }
};

/// The distinct nodes of expressions, each after its operands; and the operands of all of them, node by node.
template <class Nodes, class Operands>
struct NodeOrder;

/// An order with nodes, and what they are made of, behind it where they are missing.
template <class Order, class Nodes>
struct with_nodes {
    using type = Order;
};
template <class Order, class N, bool Known>
struct with_node {
    using type = Order;
};
template <class Nodes, class Operands, class First, class... Rest>
struct with_nodes<NodeOrder<Nodes, Operands>, type_list<First, Rest...>>
    : with_nodes<typename with_node<NodeOrder<Nodes, Operands>, First, contains<Nodes, First>>::type,
                 type_list<Rest...>> {};

template <class Order, class N, class Own>
struct with_last;
template <class... N, class... Operand, class Last, class... Own>
struct with_last<NodeOrder<type_list<N...>, type_list<Operand...>>, Last, type_list<Own...>> {
    using type = NodeOrder<type_list<N..., Last>, type_list<Operand..., Own...>>;
};
template <class Order, class N>
struct with_node<Order, N, false>
    : with_last<typename with_nodes<Order, typename node_data<N>::operands>::type, N, typename node_data<N>::operands> {
};

/// The first call with a state; -1: no state.
template <class States, class State>
inline constexpr int first_with_state = index_of<States, State>;
template <class States>
inline constexpr int first_with_state<States, no_state> = -1;

template <class... N, class... Operand>
struct NodeOrder<type_list<N...>, type_list<Operand...>> {
    using states = type_list<typename node_data<N>::state...>;

    static constexpr int count = static_cast<int>(sizeof...(N));
    static constexpr int operands = static_cast<int>(sizeof...(Operand));
    /// A conversion to a base finds a number without a walk over a list.
    static constexpr inherit_all<N...> numbers = [] {
        int next = 0;
        return inherit_all<N...>{indexed_base<N>{next++}...};
    }();

    NodeData node[count] = {node_data<N>::value...};
    int operand[operands + 1] = {static_cast<const indexed_base<Operand>&>(numbers).index...};
    /// For each node the first one with the same state, -1 if it has none.
    int same_state[count] = {first_with_state<states, typename node_data<N>::state>...};
};

template <int Count, int Operands, int Roots>
struct NodeArray {
    NodeRecord node[Count] = {};
    int operand[Operands + 1] = {};
    int leaf[Count] = {};
    int reduction[Count] = {};
    int state[Count] = {};  ///< for each functor state, a call that has it
    int root[Roots] = {};
    int leaves = 0;
    int reductions = 0;
    int states = 0;

    constexpr Nodes view() const { return {node, operand, leaf, reduction, root, leaves, reductions, Roots}; }

    /// Operands come first in the order, so that one pass does.
    template <class Order>
    constexpr void fill(const Order& order, const int* roots) {
        int next = 0;
        for (int i = 0; i < Count; ++i) {
            const NodeData& data = order.node[i];
            NodeRecord& n = node[i];
            n.kind = data.kind;
            n.axes = data.axes;
            n.varies = data.varies;
            n.commutes = data.commutes;
            n.reverse = data.reverse;
            n.first_operand = next;
            n.operand_count = data.operand_count;
            for (int used_as = 0; used_as < data.operand_count; ++used_as) {
                const int from = order.operand[next];
                operand[next++] = from;
                node[from].user = i;
                node[from].used_as = used_as;
                take(n, node[from]);
            }
            number(i, order.same_state[i]);
        }
        for (int i = 0; i < Roots; ++i) {
            root[i] = roots[i];
            node[root[i]].user = -1;
            node[root[i]].used_as = i;
        }
    }

private:
    static constexpr void take(NodeRecord& n, const NodeRecord& operand) {
        n.depth = largest(n.depth, operand.depth);
        n.leaves |= operand.leaves;
        n.results |= operand.results;
        n.needs |= operand.needs;
    }
    /// same_state: as in NodeOrder, of node i.
    constexpr void number(int i, int same_state) {
        NodeRecord& n = node[i];
        if (is_leaf(n.kind)) {
            leaf[leaves] = i;
            n.number = leaves++;
            n.leaves = set_of(n.number);
        } else if (is_reduction(n.kind)) {
            reduction[reductions] = i;
            n.number = reductions++;
            n.depth += 1;
            n.leaves = 0;
            n.results = set_of(n.number);
            n.needs |= n.results;
        } else if (same_state == i) {
            state[states] = i;
            n.number = states++;
        } else if (same_state >= 0) {
            n.number = node[same_state].number;
        }
    }
};

/// The array of expressions, and the way between types and numbers.
template <class... Root>
struct NumberedNodes {
    static constexpr typename with_nodes<NodeOrder<type_list<>, type_list<>>, type_list<Root...>>::type order{};
    template <class N>
    static constexpr int find = static_cast<const indexed_base<N>&>(order.numbers).index;

    static constexpr auto array = [] {
        constexpr int roots[] = {find<Root>...};
        NodeArray<order.count, order.operands, static_cast<int>(sizeof...(Root))> a;
        a.fill(order, roots);
        return a;
    }();
    static constexpr Nodes nodes = array.view();

    template <class N>
    static constexpr NodeRecord node = array.node[find<N>];
    /// The number of a leaf, a reduction or a call's state.
    template <class N>
    static constexpr int number = array.node[find<N>].number;

    /// The number of the state of a functor.
    template <class F, class Id>
    static constexpr int state = array.node[index_of<typename decltype(order)::states, state_of<F, Id>>].number;

    /// The type of node I, which its user knows.
    template <int I, int User = array.node[I].user>
    struct type_of {
        using type = at_t<typename node_data<typename type_of<User>::type>::operands, array.node[I].used_as>;
    };
    template <int I>
    struct type_of<I, -1> {
        using type = at_t<type_list<Root...>, array.node[I].used_as>;
    };
};

}  // namespace detail

FUSE_END_NAMESPACE
