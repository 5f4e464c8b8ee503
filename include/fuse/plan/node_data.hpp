// SPDX-License-Identifier: Apache-2.0
//
// The intermediate form as data: what the planner asks of a node, without its type. Two nodes are the same value exactly
// if their types are equal.
#pragma once

#include "fuse/lang/natural_map.hpp"
#include "fuse/lang/no_element.hpp"
#include "fuse/lang/scan.hpp"
#include "fuse/plan/ir.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

enum class NodeKind {
    leaf,          ///< a view
    extents,       ///< a view without memory
    scalar,        ///< a run-time number
    index,         ///< a coordinate in the domain, or what several make together
    output_index,  ///< a coordinate in an output outside the domain
    constant,
    call,
    reduction,
    scan,
    sort
};

struct NodeData {
    NodeKind kind = NodeKind::constant;
    std::uint32_t axes = 0;    ///< domain axes along which a leaf lies, or which a reduction folds; bit i: axis i
    std::uint32_t varies = 0;  ///< domain axes along which the value may change
    int operand_count = 0;
    bool commutes = true;  ///< a reduction: in any order
    bool reverse = false;  ///< a scan: from the last element to the first
};

/// value: a NodeData. operands: the nodes that it is made of. state: a type that is another one for every functor state.
template <class N>
struct node_data;

/// Bit i: the value may change along domain axis i.
template <class N>
inline constexpr std::uint32_t varies = node_data<N>::value.varies;

struct no_state {};
struct made_of_nothing {
    using operands = type_list<>;
    using state = no_state;
};

template <class Id, class T, std::uint64_t Axes>
struct node_data<ir::Leaf<Id, T, Axes>> : made_of_nothing {
    static constexpr std::uint32_t axes = AxisMap::unpack(Axes).mask();
    static constexpr NodeData value{.kind = NodeKind::leaf, .axes = axes, .varies = axes};
};
template <class Id, std::uint64_t Axes>
struct node_data<ir::Leaf<Id, NoElement, Axes>> : made_of_nothing {
    static constexpr std::uint32_t axes = AxisMap::unpack(Axes).mask();
    static constexpr NodeData value{.kind = NodeKind::extents, .axes = axes, .varies = axes};
};
template <class Id, class T>
struct node_data<ir::Scalar<Id, T>> : made_of_nothing {
    static constexpr NodeData value{.kind = NodeKind::scalar};
};
template <class T, long Num, long Den>
struct node_data<ir::Constant<T, Num, Den>> : made_of_nothing {
    static constexpr NodeData value{.kind = NodeKind::constant};
};
template <int Axis, class Leaves>
struct node_data<ir::Index<Axis, Leaves>> : made_of_nothing {
    static constexpr NodeData value{.kind = NodeKind::index, .axes = 1U << Axis, .varies = 1U << Axis};
};
template <int Statement, int Axis>
struct node_data<ir::OutputIndex<Statement, Axis>> : made_of_nothing {
    static constexpr NodeData value{.kind = NodeKind::output_index};
};

/// Axes at whose extent something other than 1 may stand.
template <std::uint64_t Axes, class... Leaves>
struct node_data<ir::FlatIndex<Axes, Leaves...>> : made_of_nothing {
    static constexpr std::uint32_t axes = [] {
        constexpr bool counts[] = {Leaves::size > 0 ...};
        std::uint32_t chosen = 0;
        for (std::size_t i = 0; i < sizeof...(Leaves); ++i) {
            chosen |= counts[i] ? 1U << i : 0U;
        }
        return AxisMap::unpack(Axes).mask(chosen);
    }();
    static constexpr NodeData value{.kind = NodeKind::index, .axes = axes, .varies = axes};
};
template <int Statement>
struct node_data<ir::OutputFlatIndex<Statement>> : made_of_nothing {
    static constexpr NodeData value{.kind = NodeKind::output_index};
};

/// The state of a functor.
template <class F, class Id>
struct state_of {
    using type = state_of;
};
template <class F>
struct state_of<F, stateless_id> {
    using type = no_state;
};

template <class F, class Id, class... Args>
struct node_data<ir::Call<F, Id, Args...>> {
    using operands = type_list<Args...>;
    using state = typename state_of<F, Id>::type;
    static constexpr NodeData value{.kind = NodeKind::call,
                                    .varies = (0U | ... | varies<Args>),
                                    .operand_count = static_cast<int>(sizeof...(Args))};
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
struct node_data<ir::Reduction<R, E, Mask>> {
    using operands = type_list<E>;
    using state = no_state;
    static constexpr NodeData value{.kind = reduction_kind<R>(),
                                    .axes = Mask,
                                    .varies = is_running<R> ? varies<E> : varies<E> & ~Mask,
                                    .operand_count = 1,
                                    .commutes = R::commutative,
                                    .reverse = runs_backwards<R>};
};

}  // namespace detail

FUSE_END_NAMESPACE
