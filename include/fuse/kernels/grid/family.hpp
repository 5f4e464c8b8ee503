// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/grid/choose.hpp"
#include "fuse/kernels/grid/grid.hpp"
#include "fuse/kernels/grid/shared_rows.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Full reductions with several phases, or with outputs over everything; on a device also few long rows along several axes, the
/// channels of a batch norm, or the groups of a group norm.
template <class Pl, Target T>
struct GridFamily;

template <class Pl>
struct GridFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    static constexpr bool rows =
        facts::value.reduces && Pl::program::walked_rank > 1 && !facts::columns && !facts::value.epilogue;
    static constexpr bool takes =
        (facts::value.full || rows) && !facts::scan && !facts::sort && !facts::value.one_phase();
    /// Some operands may be the same for all of a vector.
    static constexpr bool shared = takes && (detail::leaves_of_outer_axes(Pl::planner::graph::nodes, Pl::rank) &
                                             leaf_sets<typename Pl::program>::moving) != 0;
    using kernels = type_list<SharedRowsKernel<typename Pl::program, facts::vector, facts::value.sweep_vectors,
                                               shared ? Packs::whole : Packs::vectors>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        // Rows that lie as along one axis, or in vectors in spite of gaps, have kernels of their own, which hold them on chip or
        // share them, too.
        if (!facts::value.full && Pl::family != Family::any && (layout.walked.count <= 1 || layout.vectors)) {
            return no_launch("rows along one axis, or in vectors");
        }
        return detail::choose_grid(facts::value, layout, policy, device);
    }
};

template <class Pl>
struct GridFamily<Pl, Cpu> {
    using facts = program_facts<Pl, Cpu>;
    static constexpr bool takes = facts::value.full && !facts::scan && !facts::value.one_phase();
    using kernels = type_list<GridKernel<typename Pl::program, facts::vector, facts::value.sweep_vectors>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Cpu& cpu) {
        return detail::choose_grid(facts::value, layout, policy, cpu);
    }
};

FUSE_END_NAMESPACE
