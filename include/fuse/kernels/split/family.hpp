// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/split/choose.hpp"
#include "fuse/kernels/split/split.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// One phase over everything, or over few long rows.
template <class Pl, Target T>
struct SplitFamily {
    using facts = program_facts<Pl, T>;
    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan && facts::value.one_phase();
    using kernels = type_list<SplitKernel<typename Pl::program, facts::vector, facts::value.sweep_vectors>>;

    static Launch choose(const Layout& layout, const Policy& policy, const T& target) {
        return detail::choose_split(facts::value, layout, policy, target);
    }
};

FUSE_END_NAMESPACE
