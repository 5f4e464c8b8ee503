// SPDX-License-Identifier: Apache-2.0
//
// Everything an executor does before it launches: bind and check, lay out, choose a launch, fill the parameters.
#pragma once

#include "fuse/exec/bind.hpp"
#include "fuse/exec/launch_hook.hpp"
#include "fuse/kernels/families.hpp"
#include "fuse/plan/column_packing.hpp"
#include "fuse/plan/layout_notes.hpp"
#include "fuse/plan/transposed.hpp"

FUSE_BEGIN_NAMESPACE

/// Statements S..., ready to be launched on a target.
template <Target T, class... S>
struct Prepared {
    using plan_type = plan<S...>;
    using program = typename plan_type::program;
    using facts = program_facts<plan_type, T>;

    bool empty = false;        ///< no output has an element: nothing to launch
    double operand_bytes = 0;  ///< of all operands and outputs; if a hook is told of launches
    Shape domain;
    Layout layout;
    Launch launch;  ///< its geometry
    Params<program> params{};

    FUSE_COLD Prepared(const std::tuple<S...>& statements, const Policy& policy, const T& target,
                       const detail::Onlooker& onlooker) {
        static_assert(sizeof(params) <= 32764, "fuse: this eval has more operands than kernel parameters can hold");
        Binding<plan_type, S...> binding(statements, onlooker);
        domain = binding.domain().extent;
        empty = binding.output_size() == 0;
        if (empty) {
            return;
        }
        if (detail::launch_hook() != nullptr) {
            operand_bytes = binding.operand_bytes();
        }
        binding.check_elements();
        layout = make_layout(binding.domain(), facts::columns);
        if constexpr (facts::rows_side_by_side) {
            constexpr index_t others = detail::shortest_row_together(facts::value.one_phase());
            constexpr bool together = detail::folds_numbers<plan_type, T>;
            const index_t longest =
                together ? detail::smallest(policy.host_short_row, others - 1) : policy.host_short_row;
            const bool few = layout.walked_size <= longest && !binding.stretched();
            const index_t rows = layout.kept.extent[layout.kept.count - 1];
            if (few && rows >= facts::vector) {
                layout = make_layout(binding.domain(), true);
            }
        }
        layout.stretched = binding.stretched();
        layout.fill_size = binding.fill_size();
        if constexpr (facts::turns) {
            turn_map(binding.domain(), layout, program::leaves::size, facts::moving);
        }
        if constexpr (facts::cycles) {
            note_cycles(binding.domain(), layout, facts::moving, facts::vector);
        }
        note_vectors(binding.domain(), layout, facts::moving, facts::beside, facts::vector);
        if constexpr (facts::columns && std::is_same_v<T, Device>) {
            note_packing(layout, facts::vector);
            if constexpr (facts::unaligned != 0) {
                note_unaligned(binding.domain(), layout, facts::unaligned, facts::vector);
            }
            if constexpr (facts::joins) {
                const index_t shortest = policy.joined_column_items / (facts::value.one_phase() ? 128 : 2048);
                note_joined(binding.domain(), layout, facts::moving, facts::vector, shortest);
            }
        }
        if constexpr (facts::scan && std::is_same_v<T, Device>) {
            note_one_piece(binding.domain(), layout, facts::moving);
        }
        if constexpr (facts::pieces && !facts::value.full) {
            note_halves(binding.domain(), layout, facts::moving, facts::uniform, facts::vector);
            note_lines(binding.domain(), layout, leaf_sets<program>::staged, facts::uniform, facts::vector);
        }
        if constexpr (facts::value.full && facts::uniform != 0) {
            note_runs(binding.domain(), layout, facts::moving, facts::uniform, facts::vector);
        }
        launch = choose<plan_type>(layout, policy, target);
        params = binding.params(layout, launch.vector);
        params.backwards = launch.backwards;
        if constexpr (facts::columns && std::is_same_v<T, Device>) {
            params.packing = packs_columns(layout.packing) ? pack_columns(layout, launch.vector) : layout.packing;
            if constexpr (facts::joins) {
                if (launch.joined) {
                    params.packing = ColumnPacking::none;
                    join_rows(params);
                }
            }
        }
    }

    /// Calls `run.template operator()<K>()` for the kernel K of the launch.
    template <class Run>
    void with_kernel(Run&& run) {
        fuse::with_kernel<plan_type, T>(launch, run);
    }
};

FUSE_END_NAMESPACE
