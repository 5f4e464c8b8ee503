// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/transpose/choose.hpp"
#include "fuse/kernels/transpose/transpose.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The leaves that have two axes or more: views with fewer have nothing that could be turned round.
constexpr leaf_set leaves_of_two_axes(const Nodes& n) {
    leaf_set set = 0;
    for (int i = 0; i < n.leaves; ++i) {
        const NodeRecord& leaf = n.leaf_node(i);
        set |= leaf.kind == NodeKind::leaf && std::popcount(leaf.varies) > 1 ? set_of(i) : 0;
    }
    return set;
}

template <class... O>
constexpr bool all_per_item(type_list<O...>) {
    return ((O::extent == kir::Extent::item) && ...);
}

}  // namespace detail

/// Maps some of whose inputs lie in memory along another axis than the outputs. On a GPU: a CPU's cache holds a tile
/// anyway.
template <class Pl, Target T>
struct TransposeFamily {
    static constexpr bool takes = false;
};

template <class Pl>
struct TransposeFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    // Found by its argument: nvcc would work out a qualified call here, where there is no plan yet, at the cost of one.
    static constexpr leaf_set leaves = leaves_of_two_axes(Pl::planner::graph::nodes);
    /// Of elements so large that no tile of them fits shared memory nothing could be turned round.
    static constexpr bool takes = [] {
        if constexpr (facts::turns && leaves != 0 && detail::all_per_item(typename Pl::program::outputs{})) {
            return TransposeKernel<typename Pl::program, leaves>::turned_leaves != 0;
        }
        return false;
    }();
    /// Without a name of its own: nvcc would spell it by this family, whose plan it cannot.
    using kernels = type_list<TransposeKernel<typename Pl::program, leaves>>;

    static Launch choose(const Layout& layout, const Policy&, const Device& device) {
        return detail::choose_transpose(at_t<kernels, 0>::tile, layout, device);
    }
};

FUSE_END_NAMESPACE
