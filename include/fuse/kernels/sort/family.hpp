// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/sort/choose.hpp"
#include "fuse/kernels/sort/sort_rows.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Sorts along the innermost axis.
template <class Pl, Target T>
struct SortFamily {
    static constexpr bool takes = program_facts<Pl, T>::sort;
    using kernels = type_list<SortRowsKernel<typename Pl::program>>;

    static Launch choose(const Layout& layout, const Policy& policy, const T& target) {
        return detail::choose_sort(&SortRowsKernel<typename Pl::program>::row_bytes, layout, policy, target);
    }
};

FUSE_END_NAMESPACE
