// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/columns/choose.hpp"
#include "fuse/kernels/columns/column_pieces.hpp"
#include "fuse/kernels/columns/columns.hpp"
#include "fuse/kernels/columns/joined_columns.hpp"
#include "fuse/kernels/columns/one_phase_columns.hpp"
#include "fuse/kernels/columns/shared_columns.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The kernels, of the program alone: nvcc names their types in its stubs, and cannot name a plan whose nodes have lambdas.
/// An op that does not commute is swept in order; one sweep over all there is has nothing to hold.
template <class P, int V, int N, bool OnePhase, bool Ordered, bool Joins>
struct columns_kernels {
    using swept = std::conditional_t<OnePhase, OnePhaseColumnsKernel<P, V, N>, SharedColumnsKernel<P, V, N>>;
    template <int Elements>
    using held = std::conditional_t<OnePhase || Ordered, swept, ColumnsKernel<P, V, Elements, Hold::resident>>;
    using single =
        std::conditional_t<OnePhase || Ordered, swept, ColumnsKernel<P, 1, single_column_elements, Hold::resident>>;
    using joined = std::conditional_t<Joins, type_list<JoinedColumnsKernel<P, V, N>>, type_list<>>;
    using type = concat_t<type_list<held<column_ladder[0]>, held<column_ladder[1]>, swept, single>, joined>;
};

}  // namespace detail

/// Reductions along axes outside the innermost one.
template <class Pl, Target T>
struct ColumnsFamily;

template <class Pl>
struct ColumnsFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    static constexpr bool takes = facts::value.reduces && facts::columns && !facts::scan;
    using kernels = typename detail::columns_kernels<typename Pl::program, facts::vector, facts::value.sweep_vectors,
                                                     facts::value.one_phase(), facts::ordered, facts::joins>::type;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        return detail::choose_columns(facts::value, layout, policy, device);
    }
};

/// On the host also along the innermost axes, where these have few elements and there are many rows (exec/prepare.hpp).
template <class Pl>
struct ColumnsFamily<Pl, Cpu> {
    using facts = program_facts<Pl, Cpu>;
    static constexpr bool takes = facts::value.reduces && (facts::columns || facts::rows_side_by_side) && !facts::scan;
    using program = typename Pl::program;
    static constexpr int vectors = facts::value.sweep_vectors;
    static constexpr Hold hold = facts::columns ? Hold::swept : Hold::beside;
    using kernels = type_list<
        std::conditional_t<facts::value.one_phase(), ColumnPiecesKernel<program, facts::vector, vectors, hold>,
                           ColumnsKernel<program, facts::vector, vectors, hold>>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Cpu& cpu) {
        return layout.columns ? detail::choose_columns(facts::value, layout, policy, cpu)
                              : no_launch("rows that are no columns");
    }
};

FUSE_END_NAMESPACE
