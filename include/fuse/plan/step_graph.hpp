// SPDX-License-Identifier: Apache-2.0
//
// What steps are planned from (step_order.hpp): the array of nodes of all statements, which of its values lie alike, and
// the node of the user behind each reduction.
#pragma once

#include "fuse/ops/types/scattered.hpp"
#include "fuse/plan/cut_reductions.hpp"
#include "fuse/plan/rows_apart.hpp"
#include "fuse/plan/step_order.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class... S>
struct StepGraph {
    using lowered = LowerStatements<S...>;
    template <class List>
    struct numbered;
    template <class... Root>
    struct numbered<type_list<Root...>> {
        using type = NumberedNodes<Root...>;
    };
    using graph = typename numbered<typename lowered::expressions>::type;
    static constexpr Nodes nodes = graph::nodes;
    static constexpr int reductions = nodes.reductions;

    template <class List>
    struct all_of;
    template <class... L>
    struct all_of<type_list<L...>> {
        using types = type_list<typename L::type...>;
        using reductions = unite_t<reductions_in_t<L>...>;
    };
    using roots = typename lowered::all::roots;
    using folding = typename all_of<roots>::reductions;
    /// The Lower of reduction I where it first stands.
    template <int I>
    using first_of =
        at_t<folding,
             index_of<typename all_of<folding>::types, typename graph::template type_of<nodes.reduction[I]>::type>>;

    static constexpr bool is_aligned(const AxisMap& map) {
        return map.pack() == AxisMap::trailing(map.rank, lowered::domain_rank).pack();
    }
    /// Whether what lies along one axis may have several extents.
    static constexpr bool with_room =
        lowered::with_room || fold_rows_apart<may_fold_apart(nodes, lowered::domain_rank), graph, S...>;
    /// -1 where the operand of reduction I is aligned, else its number. With room: that of the first one which
    /// surely has the same elements, because both have a leaf that spans them, along the same axes.
    template <int I>
    static constexpr int alone() {
        if constexpr (!with_room) {
            return is_aligned(AxisMap::unpack(first_of<I>::axes)) ? -1 : I;
        } else {
            const NodeRecord& own = nodes.operand_of(nodes.reduction_node(I));
            for (int i = 0; i < I; ++i) {
                const NodeRecord& other = nodes.operand_of(nodes.reduction_node(i));
                for (int leaf = 0; leaf < nodes.leaves; ++leaf) {
                    if (in_set(own.leaves & other.leaves, leaf) && own.varies == other.varies &&
                        nodes.leaf_node(leaf).varies == own.varies) {
                        return i;
                    }
                }
            }
            return I;
        }
    }
    /// Leaves that have the name of the output of a statement.
    template <class Statement, int... I>
    static constexpr bit_set written(std::integer_sequence<int, I...>) {
        using Name = typename Statement::view_type::name_type;
        return (bit_set{0} | ... |
                (has_identity<Name, typename graph::template type_of<nodes.leaf[I]>::type> ? set_of(I) : 0));
    }
    static constexpr StepOrder find_order() {
        int operand[StepOrder::most + 1] = {};
        [&operand]<int... I>(std::integer_sequence<int, I...>) {
            ((operand[I] = alone<I>()), ...);
        }
        (std::make_integer_sequence<int, reductions>{});
        constexpr AxisMap maps[] = {lowered::template root_map<S>()...};
        int lies[sizeof...(S)] = {};
        for (int i = 0; i < static_cast<int>(sizeof...(S)); ++i) {
            int first = 0;
            while (maps[first].pack() != maps[i].pack()) {
                ++first;
            }
            lies[i] = is_aligned(maps[i]) ? -1 : first;
        }
        const bit_set outputs[] = {written<S>(std::make_integer_sequence<int, nodes.leaves>{})...};
        bit_set scattered = 0;
        int root = 0;
        ((scattered |= is_scattered<value_t<typename S::expression_type>> ? set_of(root) : 0, ++root), ...);
        constexpr bool named = (has_names<typename S::expression_type>() && ...);
        constexpr bool parts = (has_parts<typename S::expression_type>() || ...);
        using Planner = StepPlanner<reductions, static_cast<int>(sizeof...(S))>;
        return Planner(nodes, named, part_keys<parts, graph, S...>, with_room, operand, lies, outputs, scattered)
            .order();
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
