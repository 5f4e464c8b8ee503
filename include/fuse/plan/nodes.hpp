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
    int number = -1;        ///< of a leaf among the leaves, a reduction among the reductions, a call's state; else -1
    int first_operand = 0;  ///< in NodeArray::operand
    int operand_count = 0;
    int user = -1;  ///< a node that has it as operand `place`; -1: the expression of statement `place`
    int place = 0;
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

/// The distinct nodes of expressions, each after its operands. `full`: there are more than Capacity.
template <int Capacity>
struct NodeOrder {
    static constexpr unsigned chains = 32;

    const NodeData* node[Capacity] = {};
    int earlier[Capacity] = {};  ///< the node before it in its chain, counted from 1; 0: none
    int latest[chains] = {};     ///< where the chain of a key begins, likewise
    int count = 0;
    int operands = 0;
    bool full = false;

    /// -1 if it is not there.
    constexpr int find(const NodeData* wanted) const {
        int i = latest[wanted->key % chains];
        while (i > 0 && node[i - 1] != wanted) {
            i = earlier[i - 1];
        }
        return i - 1;
    }
    constexpr void visit(const NodeData* n) {
        if (full || find(n) >= 0) {
            return;
        }
        for (int i = 0; i < n->operand_count; ++i) {
            visit(n->operands[i]);
        }
        full = full || count == Capacity;
        if (!full) {
            node[count] = n;
            earlier[count] = latest[n->key % chains];
            latest[n->key % chains] = ++count;
            operands += n->operand_count;
        }
    }
};

template <class... Root>
struct OrderOf {
    template <int Capacity>
    static constexpr auto order() {
        NodeOrder<Capacity> order;
        (order.visit(&node_data<Root>::value), ...);
        return order;
    }
    /// Few programs are large: room is tried for, not counted.
    template <int Capacity>
    static constexpr auto fitting() {
        constexpr auto o = order<Capacity>();
        if constexpr (o.full) {
            return fitting<8 * Capacity>();
        } else {
            return o;
        }
    }
    static constexpr auto value = fitting<64>();
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
    template <int Capacity>
    constexpr void fill(const NodeOrder<Capacity>& order) {
        int next = 0;
        for (int i = 0; i < Count; ++i) {
            const NodeData& data = *order.node[i];
            NodeRecord& n = node[i];
            n.kind = data.kind;
            n.axes = data.axes;
            n.varies = data.varies;
            n.commutes = data.commutes;
            n.first_operand = next;
            n.operand_count = data.operand_count;
            for (int place = 0; place < data.operand_count; ++place) {
                const int from = order.find(data.operands[place]);
                operand[next++] = from;
                node[from].user = i;
                node[from].place = place;
                take(n, node[from]);
            }
            number(order, i);
        }
    }

    /// Which of the states this is; a new one has the next number.
    template <int Capacity>
    constexpr int find_state(const NodeOrder<Capacity>& order, const void* wanted) const {
        int i = 0;
        while (i < states && order.node[state[i]]->state != wanted) {
            ++i;
        }
        return i;
    }

private:
    static constexpr void take(NodeRecord& n, const NodeRecord& operand) {
        n.depth = largest(n.depth, operand.depth);
        n.leaves |= operand.leaves;
        n.results |= operand.results;
        n.needs |= operand.needs;
    }
    template <class Order>
    constexpr void number(const Order& order, int i) {
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
        } else if (order.node[i]->state != nullptr) {
            n.number = find_state(order, order.node[i]->state);
            state[n.number] = i;
            states = largest(states, n.number + 1);
        }
    }
};

template <class N, int I>
struct operand_type;
template <class F, class Id, class... Args, int I>
struct operand_type<ir::Call<F, Id, Args...>, I> {
    using type = at_t<type_list<Args...>, I>;
};
template <class R, class E, std::uint32_t Mask>
struct operand_type<ir::Red<R, E, Mask>, 0> {
    using type = E;
};

/// The array of expressions, and the way between types and numbers.
template <class... Root>
struct NumberedNodes {
    static constexpr auto order = OrderOf<Root...>::value;
    static constexpr auto array = [] {
        NodeArray<order.count, order.operands, static_cast<int>(sizeof...(Root))> a;
        a.fill(order);
        int i = 0;
        ((a.root[i] = order.find(&node_data<Root>::value), a.node[a.root[i]].user = -1, a.node[a.root[i]].place = i,
          ++i),
         ...);
        return a;
    }();
    static constexpr Nodes nodes = array.view();

    template <class N>
    static constexpr int find = order.find(&node_data<N>::value);
    template <class N>
    static constexpr NodeRecord node = array.node[find<N>];
    /// The number of a leaf, a reduction or a call's state.
    template <class N>
    static constexpr int number = array.node[find<N>].number;

    /// The number of the state of a functor.
    template <class F, class Id>
    static constexpr int state = array.find_state(order, state_of<F, Id>);

    /// The type of node I, which its user knows.
    template <int I, int User = array.node[I].user>
    struct type_of {
        using type = typename operand_type<typename type_of<User>::type, array.node[I].place>::type;
    };
    template <int I>
    struct type_of<I, -1> {
        using type = at_t<type_list<Root...>, array.node[I].place>;
    };
};

}  // namespace detail

FUSE_END_NAMESPACE
