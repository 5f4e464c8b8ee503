// SPDX-License-Identifier: Apache-2.0
//
// What the kernels that reduce rows have in common, however they keep them: teams of threads step through the rows, and
// an epilogue (a reduction of per-row values, or of all elements, to scalars) is accumulated on the way and finished by
// the last block.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/row_end.hpp"
#include "fuse/kernels/rows/row_team.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Bytes of one half of the scratch memory in which rows are folded, by accumulators of these sizes.
constexpr std::size_t row_phases_scratch(const std::size_t* sizes, const Launch& l) {
    return largest_bytes(sizes, [&l](std::size_t accumulator) {
        return x_reduce_scratch_bytes(l.dim_x, l.dim_y, accumulator, planned_block);
    });
}

}  // namespace detail

/// What they need of memory, whatever their vectors, for these sweeps.
template <class P, class Sweeps>
struct RowMemory {
    static constexpr bool has_epilogue = P::epilogue::size > 0;

    static constexpr std::size_t scratch_bytes(const Launch& l) {
        const std::size_t phases_need = detail::row_phases_scratch(detail::sweep_sizes<Sweeps>, l);
        if constexpr (has_epilogue) {
            using epilogue = typename EpilogueMemory<P>::accumulator;
            return detail::largest(phases_need, last_block_scratch_bytes,
                                   block_reduce_scratch_bytes(l.dim_x, l.dim_y, sizeof(epilogue), planned_block));
        } else {
            return phases_need;
        }
    }
    static constexpr std::size_t partial_bytes(const Launch& l) {
        if constexpr (has_epilogue) {
            return EpilogueMemory<P>::bytes(l.grid);
        } else {
            return 0;
        }
    }
};

template <class P, int V, int N, class Sweeps>
struct RowKernel
    : Kernel<P, V, N, P::epilogue::size == 0 ? Link::none : Link::last_block, P::epilogue::size == 0 ? 1 : 2>,
      RowMemory<P, Sweeps> {
    using memory = RowMemory<P, Sweeps>;
    using memory::has_epilogue, memory::partial_bytes, memory::scratch_bytes;

protected:
    /// A stage of rows of one block each: calls one_row(row, active, epilogue) for the rows of a thread, or finishes the
    /// epilogue. All threads of a block call as often, those beyond the last row with active = false. group: blocks that
    /// share each row.
    template <int Stage, class B, class OneRow>
    static FUSE_HD void stage_of_rows(B& block, const Params<P>& p, OneRow&& one_row, unsigned group = 1) {
        if constexpr (Stage == 1) {
            finish_epilogue<V>(block, p);
        } else {
            EpilogueAccumulator<P, V, B> epilogue;
            const index_t step = static_cast<index_t>(block.grid_x() / group) * block.dim_y();
            const index_t first = static_cast<index_t>(block.block_x() / group) * block.dim_y();
            if constexpr (!P::epilogue::commutative || lone_thread<B>) {
                // Neighbouring rows for a thread: the epilogue sees them in order, and host threads that write results side by
                // side would take each other's cache lines.
                const index_t turns = (p.kept_size + step - 1) / step;
                for (index_t turn = 0; turn < turns; ++turn) {
                    const index_t row = (first + block.thread_y()) * turns + turn;
                    const bool active = row < p.kept_size;
                    if (lone_thread<B> && !active) {
                        break;
                    }
                    one_row(row, active, epilogue);
                }
            } else {
                for (index_t start = first; start < p.kept_size; start += step) {
                    const index_t row = start + block.thread_y();
                    one_row(row, row < p.kept_size, epilogue);
                }
            }
            if constexpr (has_epilogue) {
                epilogue.store_partial(block, p);
            }
        }
    }
};

FUSE_END_NAMESPACE
