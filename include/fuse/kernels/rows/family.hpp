// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/rows/choose.hpp"
#include "fuse/kernels/rows/rows.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// Reductions along the innermost axes, any number of phases, with an epilogue or without.
template <class Pl, Target T>
struct RowsFamily;

template <class Pl>
struct RowsFamily<Pl, Device> {
    using P = typename Pl::program;
    using facts = plan_facts<Pl, Device>;
    static constexpr int V = facts::vector;
    using Swept = RowsKernel<P, V, facts::value.sweep_vectors, Hold::swept>;
    /// An op that does not commute is swept in order.
    template <int ItemsPerVector, int N>
    using Held = std::conditional_t<facts::ordered, Swept, RowsKernel<P, ItemsPerVector, N, Hold::resident>>;

    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan && !facts::value.full;
    using kernels = type_list<Held<1, resident_items>, Held<V, resident_ladder[0]>, Held<V, resident_ladder[1]>,
                              Held<V, resident_ladder[2]>, Swept>;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        return detail::choose_rows(facts::value, layout, policy, device);
    }
};

template <class Pl>
struct RowsFamily<Pl, Cpu> {
    using facts = plan_facts<Pl, Cpu>;
    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan;
    using kernels = type_list<RowsKernel<typename Pl::program, facts::vector, facts::value.sweep_vectors, Hold::swept>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Cpu& cpu) {
        return detail::choose_rows(facts::value, layout, policy, cpu);
    }
};

FUSE_END_NAMESPACE
