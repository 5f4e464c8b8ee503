// SPDX-License-Identifier: Apache-2.0
//
// Whether a value may turn out shorter than the domain when the program runs. Its extent along an axis is that of the
// views in it that lie there (an extent of 1 stretches): two values with the same views along an axis have the same
// extent, whatever it is.
#pragma once

#include "fuse/plan/stages.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Those leaves of a set that are views along an axis.
constexpr bit_set views_along(const Nodes& n, bit_set leaves, int axis) {
    bit_set set = 0;
    for (int i = 0; i < n.leaves; ++i) {
        const NodeRecord& leaf = n.leaf_node(i);
        const bool view = leaf.kind == NodeKind::leaf || leaf.kind == NodeKind::extents;
        const bool lies = view && ((leaf.axes >> axis) & 1U) != 0;
        set |= lies ? leaves & set_of(i) : 0;
    }
    return set;
}

/// The views that give a value its extent along an axis.
constexpr bit_set extent_of(const Nodes& n, const NodeRecord& value, int axis) {
    bit_set set = views_along(n, value.leaves, axis);
    for (int i = 0; i < n.reductions; ++i) {
        const NodeRecord& reduction = n.reduction_node(i);
        if (in_set(value.results, i) && (runs_along(reduction.kind) || ((reduction.axes >> axis) & 1U) == 0)) {
            set |= extent_of(n, n.operand_of(reduction), axis);
        }
    }
    return set;
}

/// Whether a value may have extent 1 along one of these axes where the domain is larger: the domain has a view there
/// that the value has not.
constexpr bool may_be_stretched(const Nodes& n, const NodeRecord& value, std::uint32_t axes) {
    for (int axis = 0; axis < max_rank; ++axis) {
        const bit_set all = ((axes >> axis) & 1U) != 0 ? views_along(n, ~bit_set{0}, axis) : 0;
        const bool only = std::popcount(all) == 1 && ((value.varies >> axis) & 1U) != 0;
        if (all != 0 && !only && extent_of(n, value, axis) != all) {
            return true;
        }
    }
    return false;
}

/// Whether an output may have elements where the domain has none, which a kernel does not see: an empty epilogue does.
constexpr bool outlives_rows(const Nodes& n, const Arrangement& a, const NodeRecord& output) {
    bit_set phases = 0;
    for (int i = 0; i < n.reductions; ++i) {
        phases |= a.in_phase(n.reduction_node(i)) ? set_of(i) : 0;
    }
    return output.varies == 0 && (a.domain & ~a.walked) != 0 && (a.epilogue == 0 || (output.results & phases) != 0);
}

/// Whether a kernel of this program has to look.
constexpr bool stretches(const Nodes& n, const Arrangement& a) {
    bool any = false;
    for (int i = 0; i < n.roots; ++i) {
        const NodeRecord& output = n.root_node(i);
        any = any || outlives_rows(n, a, output) || may_be_stretched(n, output, a.covers(output));
    }
    for (int i = 0; i < n.reductions; ++i) {
        const NodeRecord& operand = n.operand_of(n.reduction_node(i));
        any = any || may_be_stretched(n, operand, a.covers(n.reduction_node(i), operand));
    }
    return any;
}

}  // namespace detail

FUSE_END_NAMESPACE
