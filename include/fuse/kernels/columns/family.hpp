// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/columns/choose.hpp"
#include "fuse/kernels/columns/column_split.hpp"
#include "fuse/kernels/columns/columns.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Reductions along axes outside the innermost one.
template <class Pl, Target T>
struct ColumnsFamily;

template <class Pl>
struct ColumnsFamily<Pl, Device> {
    using P = typename Pl::program;
    using facts = plan_facts<Pl, Device>;
    static constexpr int V = facts::vector;
    static constexpr int N = facts::value.sweep_vectors;
    static constexpr bool one_phase = facts::value.one_phase();
    using Swept = ColumnsKernel<P, V, N, Hold::swept>;
    /// An op that does not commute is swept in order; one sweep over all there is has nothing to hold.
    template <int Elements>
    using Held = std::conditional_t<facts::ordered || one_phase, Swept, ColumnsKernel<P, V, Elements, Hold::resident>>;
    using Split = typename std::conditional_t<one_phase, std::type_identity<ColumnSplitKernel<P, V, N>>,
                                              std::type_identity<Swept>>::type;

    static constexpr bool takes = facts::value.reduces && facts::columns && !facts::scan;
    using kernels = type_list<Held<column_ladder[0]>, Held<column_ladder[1]>, Swept, Split>;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        return detail::choose_columns(facts::value, layout, policy, device);
    }
};

template <class Pl>
struct ColumnsFamily<Pl, Cpu> {
    using facts = plan_facts<Pl, Cpu>;
    static constexpr bool takes = facts::value.reduces && facts::columns && !facts::scan;
    using kernels =
        type_list<ColumnsKernel<typename Pl::program, facts::vector, facts::value.sweep_vectors, Hold::swept>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Cpu& cpu) {
        return detail::choose_columns(facts::value, layout, policy, cpu);
    }
};

FUSE_END_NAMESPACE
