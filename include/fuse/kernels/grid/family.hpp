// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/grid/choose.hpp"
#include "fuse/kernels/grid/grid.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Full reductions with several phases, or with outputs over everything.
template <class Pl, Target T>
struct GridFamily {
    using facts = program_facts<Pl, T>;
    static constexpr bool takes = facts::value.full && !facts::scan && !facts::value.one_phase();
    using kernels = type_list<GridKernel<typename Pl::program, facts::vector, facts::value.sweep_vectors>>;

    static Launch choose(const Layout& layout, const Policy& policy, const T& target) {
        return detail::choose_grid(facts::value, layout, policy, target);
    }
};

FUSE_END_NAMESPACE
