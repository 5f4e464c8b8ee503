// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuse/kernels/launch/complete.hpp"
#include "fuse/kernels/rows/choose.hpp"
#include "fuse/kernels/rows/rows.hpp"
#include "fuse/kernels/rows/staged_rows.hpp"
#include "fuse/plan/facts.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The kernels, of the program alone: nvcc names their types in its stubs, and cannot name a plan whose nodes have lambdas.
/// An op that does not commute is swept in order.
template <class P, int V, int N, bool Ordered>
struct rows_kernels {
    using swept = RowsKernel<P, V, N, Hold::swept>;
    template <Hold H, int Vectors>
    using held = std::conditional_t<Ordered, swept, RowsKernel<P, V, Vectors, H>>;
    /// What folds exponentials online keeps all items of a thread as computed with until their maximum is known: of twice
    /// as many, registers spill. A row that is read once only can as well be swept.
    static constexpr bool crowded = sweeps_t<P, true>::size == 1 && online_rows<P, Hold::resident> &&
                                    online_program<P> && V * resident_ladder[2] > 32;
    static constexpr int most_held = resident_ladder[crowded ? 1 : 2];
    /// Worth it where a row is used again.
    using staged = std::conditional_t<Ordered || leaf_sets<P>::staged == 0, swept, StagedRowsKernel<P, V>>;
    using type = type_list<held<Hold::peeled, peeled_vectors>, held<Hold::resident, resident_ladder[0]>,
                           held<Hold::resident, resident_ladder[1]>,
                           std::conditional_t<crowded, swept, held<Hold::resident, resident_ladder[2]>>, staged, swept>;
};

}  // namespace detail

/// Reductions along the innermost axes, any number of phases, with an epilogue or without.
template <class Pl, Target T>
struct RowsFamily;

template <class Pl>
struct RowsFamily<Pl, Device> {
    using facts = program_facts<Pl, Device>;
    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan && !facts::value.full;
    using all = detail::rows_kernels<typename Pl::program, facts::vector, facts::value.sweep_vectors, facts::ordered>;
    using kernels = typename all::type;

    static Launch choose(const Layout& layout, const Policy& policy, const Device& device) {
        using peeled = at_t<kernels, static_cast<int>(RowsKernels::peeled)>;
        using staged = at_t<kernels, static_cast<int>(RowsKernels::staged)>;
        return detail::choose_rows(facts::value, {peeled::max_threads, all::most_held, &shared_bytes<staged>}, layout,
                                   policy, device);
    }
};

template <class Pl>
struct RowsFamily<Pl, Cpu> {
    using facts = program_facts<Pl, Cpu>;
    static constexpr bool takes = facts::value.reduces && !facts::columns && !facts::scan;
    using kernels = type_list<RowsKernel<typename Pl::program, facts::vector, facts::value.sweep_vectors, Hold::swept>>;

    static Launch choose(const Layout& layout, const Policy& policy, const Cpu& cpu) {
        return detail::choose_rows(facts::value, layout, policy, cpu);
    }
};

FUSE_END_NAMESPACE
