// SPDX-License-Identifier: Apache-2.0
//
// Which operands do not vary along the innermost axis of a domain: numbers of channels beside planes.
#pragma once

#include "fuse/plan/leaf_sets.hpp"
#include "fuse/plan/nodes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Those of the nodes of a plan, of a domain of so many axes. Found by its argument: nvcc would work out a qualified call where
/// there is no plan yet, at the cost of one.
constexpr leaf_set leaves_of_outer_axes(const Nodes& n, int rank) {
    leaf_set set = 0;
    for (int i = 0; i < n.leaves; ++i) {
        const NodeRecord& leaf = n.leaf_node(i);
        set |= leaf.kind == NodeKind::leaf && (leaf.varies >> (rank - 1) & 1U) == 0 ? set_of(i) : 0;
    }
    return set;
}

/// Whether some vary along that axis alone, numbers of channels that lie innermost, and nothing counts along others.
constexpr bool any_of_inner_axis(const Nodes& n, int rank) {
    const std::uint32_t inner = 1U << (rank - 1);
    bool any = false;
    for (int i = 0; i < n.leaves; ++i) {
        const NodeRecord& leaf = n.leaf_node(i);
        if (leaf.kind == NodeKind::index && leaf.varies != inner) {
            return false;
        }
        any = any || (leaf.kind == NodeKind::leaf && leaf.varies == inner);
    }
    return any;
}

}  // namespace detail

FUSE_END_NAMESPACE
