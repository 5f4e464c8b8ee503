// SPDX-License-Identifier: Apache-2.0
//
// Which kernels run a step on a device: those of the other families that need no more of a launch than blocks.
#pragma once

#include "fuse/kernels/columns/columns.hpp"
#include "fuse/kernels/columns/one_phase_columns.hpp"
#include "fuse/kernels/map/device_maps.hpp"
#include "fuse/kernels/rows/held_rows.hpp"
#include "fuse/kernels/rows/swept_rows.hpp"
#include "fuse/kernels/scan/ladder.hpp"
#include "fuse/kernels/scan/scan_columns.hpp"
#include "fuse/kernels/scan/scan_rows.hpp"
#include "fuse/kernels/split/split.hpp"
#include "fuse/kernels/steps/choose.hpp"
#include "fuse/kernels/steps/one_pass.hpp"
#include "fuse/kernels/steps/steps.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

/// What a step does. step_form is found by its argument, not by a qualified name: nvcc's front end tries to work out a
/// call by one where a template is defined, at the cost of a plan.
enum class StepForm { map, rows, ordered_rows, long_rows, full, columns, strips, scan_rows, scan_columns };

constexpr StepForm step_form(const ProgramFacts& f) {
    return !f.reduces                ? StepForm::map
           : f.scan                  ? (f.columns ? StepForm::scan_columns : StepForm::scan_rows)
           : f.columns               ? (f.one_phase() ? StepForm::columns : StepForm::strips)
           : f.full && f.one_phase() ? StepForm::full
           : f.one_phase()           ? StepForm::long_rows
           : f.ordered               ? StepForm::ordered_rows
                                     : StepForm::rows;
}

namespace detail {

/// The kernels, of the program alone: nvcc names their types in its stubs. Uniform: of a map, those leaves of it.
template <class P, int V, int N, StepForm F, leaf_set Uniform>
struct step_kernels {
    static constexpr auto list() {
        if constexpr (F == StepForm::map) {
            return typename device_maps<P, V, Uniform>::type{};
        } else if constexpr (F == StepForm::rows) {
            return type_list<SweptRowsKernel<P, V, N>, HeldRowsKernel<P, V, held_step_vectors, RowEnds::none>>{};
        } else if constexpr (F == StepForm::ordered_rows) {
            return type_list<SweptRowsKernel<P, V, N>>{};
        } else if constexpr (F == StepForm::long_rows) {
            return type_list<SweptRowsKernel<P, V, N>, SplitKernel<P, V, N>>{};
        } else if constexpr (F == StepForm::full) {
            return type_list<SplitKernel<P, V, N>>{};
        } else if constexpr (F == StepForm::columns) {
            return type_list<ColumnsKernel<P, V, N, Hold::swept>, OnePhaseColumnsKernel<P, V, N>>{};
        } else if constexpr (F == StepForm::strips) {
            return type_list<ColumnsKernel<P, V, N, Hold::swept>>{};
        } else if constexpr (F == StepForm::scan_rows) {
            return type_list<ScanRowsKernel<P, V, scan_vectors<Device>>>{};
        } else {
            return type_list<ScanColumnsKernel<P, V, scan_vectors<Device>>>{};
        }
    }
    using type = decltype(list());
};

/// The launch of a step. Of the form alone: a compiler works out again what depends on a plan wherever it is named.
template <StepForm F>
struct StepChoice {
    friend FUSE_COLD Launch choose_step(const StepChoice&, const ProgramFacts& f, const Layout& layout,
                                        const Policy& policy, const Device& device, const MapAxes& axes) {
#if FUSE_ON_DEVICE
        return {};  // a file is read once more for each device, where nobody chooses
#else
        if constexpr (F == StepForm::map) {
            return map_launch(layout, axes, f.vector, step_threads(policy));
        } else if constexpr (F == StepForm::columns) {
            return choose_columns_step(f, layout, policy, device);
        } else if constexpr (F == StepForm::strips) {
            return choose_strips_step(f, layout, policy, f.sweep_vectors);
        } else if constexpr (F == StepForm::scan_columns) {
            return choose_strips_step(f, layout, policy, scan_vectors<Device>);
        } else if constexpr (F == StepForm::scan_rows) {
            return choose_scan_step(f, layout, policy, scan_vectors<Device>);
        } else if constexpr (F == StepForm::full) {
            return choose_split_step(f, layout, policy, device, StepKernels::first);
        } else if constexpr (F == StepForm::long_rows) {
            if (shares_rows(f, layout, policy, device)) {
                return choose_split_step(f, layout, policy, device, StepKernels::other);
            }
            return choose_rows_step(f, layout, policy, device, false);
        } else {
            return choose_rows_step(f, layout, policy, device, F == StepForm::rows);
        }
#endif
    }
};

/// The kernel of a walk along the rows of step A of Steps, with the columns on the way, as a list; empty: there are none.
template <class Steps, int A>
struct one_pass_kernel {
    template <int I, class P, int V, int... From>
    static ColumnsBeside<I, P, V, From...> beside(std::integer_sequence<int, From...>);
    template <int I>
    static constexpr auto columns() {
        if constexpr (Walk<Steps, A>::template words < I >> 0) {
            using Pl = plan_of_step_t<Steps, I>;
            using from = leaves_in_walk<plan_of_step_t<Steps, A>, typename Steps::template statements_t<A>, Pl>;
            return type_list<decltype(beside<I, typename Pl::program, program_facts<Pl, Device>::vector>(
                typename from::type{}))>{};
        } else {
            return type_list<>{};
        }
    }
    template <class P, int V, class... C>
    static type_list<OnePassKernel<A, P, V, Walk<Steps, A>::vectors, C...>> kernel(type_list<C...>);
    template <int... I>
    static constexpr auto list(std::integer_sequence<int, I...>) {
        if constexpr (Walk<Steps, A>::vectors > 0) {
            using Pl = plan_of_step_t<Steps, A>;
            return kernel<typename Pl::program, program_facts<Pl, Device>::vector>(
                concat_t<type_list<>, decltype(columns<I>())...>{});
        } else {
            return type_list<>{};
        }
    }
    using type = decltype(list(std::make_integer_sequence<int, Steps::order.steps>{}));
};

}  // namespace detail

template <class Pl>
struct StepFamily {
    using facts = program_facts<Pl, Device>;
    static constexpr StepForm form = step_form(facts::value);
    static constexpr int rank = Params<typename Pl::program>::traits::walked_rank;
    static constexpr leaf_set uniform =
        form == StepForm::map ? leaves_of_outer_axes(Pl::planner::graph::nodes, rank) : 0;
    using kernels = typename detail::step_kernels<typename Pl::program, facts::vector, facts::value.sweep_vectors, form,
                                                  uniform>::type;

    FUSE_COLD static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        return choose_step(detail::StepChoice<form>{}, facts::value, layout, policy, device,
                           MapAxes{rank, uniform != 0});
    }
};

FUSE_END_NAMESPACE
