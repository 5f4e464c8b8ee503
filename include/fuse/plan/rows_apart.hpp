// SPDX-License-Identifier: Apache-2.0
//
// Whether rows of fewer axes than the domain has may be of other length than what else lies along the axis where they are
// folded: the sums of the rows of a matrix beside an array of three axes. They are then a step with extents of its own. Rows of
// as many axes are taken to be as long as the others, but for those of slices beside whole arrays, as in x - mean(slice<0>(x,
// 0, 3), axes<0>), and of whole arrays beside slices.
#pragma once

#include "fuse/plan/part_leaves.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Values: of a program, as in Spaces.
template <int Values>
class RowsApart {
public:
    constexpr RowsApart(const Nodes& n, const PartKeys& parts) : n_(n), parts_(parts) {}

    constexpr bool any(std::uint32_t domain) const {
        bool apart = false;
        for (int i = 0; i < n_.reductions; ++i) {
            const bool fewer = folds_part(n_, i, domain);
            const bool may = fewer || folds_beside(n_, i);
            for (int axis = 0; axis < max_rank && may; ++axis) {
                apart = apart || (((n_.reduction_node(i).axes >> axis) & 1U) != 0 && is_apart(i, axis, !fewer));
            }
        }
        return apart;
    }
    /// Whether reduction i may be such a one, being of fewer axes.
    static constexpr bool folds_part(const Nodes& n, int i, std::uint32_t domain) {
        return folds_rows(n, i) && (n.operand_of(n.reduction_node(i)).varies & domain) != domain;
    }
    /// Or because another array lies as one that it folds does.
    static constexpr bool folds_beside(const Nodes& n, int i) {
        bool beside = false;
        const bit_set own = n.operand_of(n.reduction_node(i)).leaves;
        for (int leaf = 0; leaf < n.leaves && folds_rows(n, i); ++leaf) {
            for (int other = 0; in_set(own, leaf) && other < n.leaves; ++other) {
                beside = beside || (!in_set(own, other) && n.leaf_node(leaf).kind == NodeKind::leaf &&
                                    n.leaf_node(other).kind < NodeKind::scalar &&
                                    n.leaf_node(other).axes == n.leaf_node(leaf).axes);
            }
        }
        return beside;
    }

private:
    static constexpr bool folds_rows(const Nodes& n, int i) {
        return n.reduction_node(i).kind == NodeKind::reduction && n.reduction_node(i).varies != 0;
    }
    constexpr const NodeRecord& value(int i) const {
        return i < n_.reductions ? n_.operand_of(n_.reduction_node(i)) : n_.root_node(i - n_.reductions);
    }
    /// The views that say how long a value is along an axis, also those in results that lie there.
    constexpr bit_set views_along(int v, int axis) const {
        const auto lies_there = [axis](const NodeRecord& node) { return ((node.varies >> axis) & 1U) != 0; };
        bit_set leaves = value(v).leaves;
        bit_set results = value(v).results;
        for (int i = n_.reductions - 1; i >= 0; --i) {
            if (in_set(results, i) && lies_there(n_.reduction_node(i))) {
                leaves |= n_.operand_of(n_.reduction_node(i)).leaves;
                results |= n_.operand_of(n_.reduction_node(i)).results;
            }
        }
        bit_set views = 0;
        for (int i = 0; i < n_.leaves; ++i) {
            const NodeRecord& leaf = n_.leaf_node(i);
            views |= in_set(leaves, i) && leaf.kind < NodeKind::scalar && lies_there(leaf) ? set_of(i) : 0;
        }
        return with_parts_alike(n_, views, parts_);
    }
    /// Whether all of these are cut along the axis.
    constexpr bool are_cut(bit_set views, int axis) const {
        bool cut = true;
        for (int i = 0; i < n_.leaves; ++i) {
            cut = cut && (!in_set(views, i) || ((parts_.cut[i] >> axis) & 1U) != 0);
        }
        return cut;
    }
    /// As many axes: only where either is cut and the other one is not.
    constexpr bool is_apart(int i, int axis, bool as_many) const {
        bit_set views[Values] = {};
        for (int v = 0; v < Values; ++v) {
            views[v] = views_along(v, axis);
        }
        bit_set alike = views[i];
        for (bit_set before = 0; before != alike;) {
            before = alike;
            for (const bit_set others : views) {
                alike |= (others & alike) != 0 ? others : 0;
            }
        }
        bool apart = false;
        for (const bit_set others : views) {
            const bool none = alike != 0 && others != 0 && (others & alike) == 0;
            apart = apart || (none && (!as_many || are_cut(alike, axis) != are_cut(others, axis)));
        }
        return apart;
    }

    const Nodes& n_;
    const PartKeys& parts_;
};

/// Whether some reduction may be such a one, from the array alone.
constexpr bool may_fold_apart(const Nodes& n, int rank) {
    bool may = false;
    for (int i = 0; i < n.reductions && rank > 1; ++i) {
        may = may || RowsApart<1>::folds_part(n, i, (1U << rank) - 1U) || RowsApart<1>::folds_beside(n, i);
    }
    return may;
}

/// Whether rows are folded apart in statements S, of which that is so.
template <bool May, class Graph, class... S>
inline constexpr bool fold_rows_apart = false;
template <class Graph, class... S>
inline constexpr bool fold_rows_apart<true, Graph, S...> = [] {
    if constexpr ((is_of_step<S> || ...) || !(has_names<typename S::expression_type>() && ...)) {
        return false;
    } else {
        constexpr bool parts = (has_parts<typename S::expression_type>() || ...);
        return RowsApart<Graph::nodes.reductions + Graph::nodes.roots>(Graph::nodes, part_keys<parts, Graph, S...>)
            .any((1U << LowerStatements<S...>::domain_rank) - 1U);
    }
}();

}  // namespace detail

FUSE_END_NAMESPACE
