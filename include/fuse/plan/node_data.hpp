// SPDX-License-Identifier: Apache-2.0
//
// The intermediate form as data: what the planner asks of a node, without its type. Two nodes are the same value
// exactly if their types are equal, so each type has one NodeData, and its address is the identity of the value.
#pragma once

#include <initializer_list>

#include "fuse/lang/scan.hpp"
#include "fuse/plan/axis_map.hpp"
#include "fuse/plan/ir.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

enum class NodeKind {
    leaf,          ///< a view
    scalar,        ///< a run-time number
    index,         ///< a coordinate in the domain
    output_index,  ///< a coordinate in an output outside the domain
    constant,
    call,
    reduction,
    scan,
    sort
};

struct NodeData {
    NodeKind kind = NodeKind::constant;
    std::uint32_t axes = 0;       ///< domain axes along which a leaf lies, or which a reduction folds; bit i: axis i
    std::uint32_t varies = 0;     ///< domain axes along which the value may change
    const void* state = nullptr;  ///< identity of the state of a call's functor
    const NodeData* const* operands = nullptr;
    int operand_count = 0;
    bool commutes = true;  ///< a reduction: in any order
    unsigned key = 0;      ///< mixed from what it is made of: values with different keys are different
};

template <class N>
struct node_data;

/// Bit i: the value may change along domain axis i.
template <class N>
inline constexpr std::uint32_t varies = node_data<N>::value.varies;

template <class Id, class T, std::uint64_t Axes>
struct node_data<ir::Leaf<Id, T, Axes>> {
    static constexpr std::uint32_t axes = AxisMap::unpack(Axes).mask();
    static constexpr NodeData value{.kind = NodeKind::leaf, .axes = axes, .varies = axes};
};
template <class Id, class T>
struct node_data<ir::Scalar<Id, T>> {
    static constexpr NodeData value{.kind = NodeKind::scalar};
};
template <class T, long Num, long Den>
struct node_data<ir::Constant<T, Num, Den>> {
    static constexpr NodeData value{.kind = NodeKind::constant, .key = static_cast<unsigned>(Num)};
};
template <int Axis, class Leaves>
struct node_data<ir::Index<Axis, Leaves>> {
    static constexpr NodeData value{.kind = NodeKind::index, .axes = 1U << Axis, .varies = 1U << Axis};
};
template <int Statement, int Axis>
struct node_data<ir::OutputIndex<Statement, Axis>> {
    static constexpr NodeData value{.kind = NodeKind::output_index};
};

/// The key of a node over operands with these keys.
constexpr unsigned mixed_key(unsigned own, std::initializer_list<unsigned> operands) {
    for (const unsigned key : operands) {
        own = own * 31U + key + 1U;
    }
    return own;
}

/// A functor with state, and the identity of that state.
template <class F, class Id>
struct stateful {
    using functor = F;
    static constexpr char identity = 0;
};
template <class F, class Id>
inline constexpr const void* state_of = &stateful<F, Id>::identity;
template <class F>
inline constexpr const void* state_of<F, stateless_id> = nullptr;

template <class F, class Id, class... Args>
struct node_data<ir::Call<F, Id, Args...>> {
    static constexpr const NodeData* operands[sizeof...(Args) + 1] = {&node_data<Args>::value..., nullptr};
    static constexpr NodeData value{.kind = NodeKind::call,
                                    .varies = (0U | ... | varies<Args>),
                                    .state = state_of<F, Id>,
                                    .operands = operands,
                                    .operand_count = static_cast<int>(sizeof...(Args)),
                                    .key = mixed_key(1, {node_data<Args>::value.key...})};
};

template <class R>
constexpr NodeKind reduction_kind() {
    if constexpr (requires { R::positions; }) {
        return NodeKind::sort;
    } else {
        return is_running<R> ? NodeKind::scan : NodeKind::reduction;
    }
}

/// A scan or a sort keeps its axis.
template <class R, class E, std::uint32_t Mask>
struct node_data<ir::Red<R, E, Mask>> {
    static constexpr const NodeData* operands[1] = {&node_data<E>::value};
    static constexpr NodeData value{.kind = reduction_kind<R>(),
                                    .axes = Mask,
                                    .varies = is_running<R> ? varies<E> : varies<E> & ~Mask,
                                    .operands = operands,
                                    .operand_count = 1,
                                    .commutes = R::commutative,
                                    .key = mixed_key(Mask, {node_data<E>::value.key})};
};

}  // namespace detail

FUSE_END_NAMESPACE
