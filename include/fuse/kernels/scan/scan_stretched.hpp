// SPDX-License-Identifier: Apache-2.0
//
// Scans in launches with stretched operands (own_elements.hpp): one thread per row, element by element. A scan whose
// operand has extent 1 along the axis gives its one result all along it.
#pragma once

#include "fuse/kernels/body/long_fold.hpp"
#include "fuse/kernels/body/stretched.hpp"
#include "fuse/kernels/scan/scan_vector.hpp"

FUSE_BEGIN_NAMESPACE

/// The results of scans at one element: `before` it and `through` it, for each of V items.
template <class P, class Context, class Accumulator, int V>
struct StretchedScanContext : Context {
    using phase = at_t<typename P::phases, 0>;
    static constexpr bool same_results = false;
    const Accumulator (&before)[V];
    const Accumulator (&through)[V];
    index_t position;

    FUSE_HD StretchedScanContext(const Context& context, const Accumulator (&all_before)[V],
                                 const Accumulator (&up_to_here)[V], index_t s)
        : Context(context), before(all_before), through(up_to_here), position(s) {}

    template <int I>
    FUSE_HD auto result(int v) const {
        using R = typename phase::template at<I>::reduction_op;
        const auto& own = this->params.stretching.reduction[I];
        const index_t here = position_in(own, this->params, 0, position);
        const bool repeats = here >= own.count;
        if constexpr (R::exclusive) {
            return repeats ? R{}.project(R{}.init(), 0) : R{}.project(get<I>(before[v]), here);
        } else {
            return R{}.project(get<I>(through[v]), repeats ? own.count : here + 1);
        }
    }
};

/// All rows, spread over the threads of the grid.
template <class B, class P>
FUSE_HD void scan_rows_stretched(B& block, const Params<P>& p) {
    using phase = at_t<typename P::phases, 0>;
    using accumulator = scan_accumulator<P>;
    const index_t threads = block_threads(block);
    for (index_t row = block.block_x() * threads + linear_thread(block); row < p.kept_size;
         row += block.grid_x() * threads) {
        const RowState<P> state(p, row);
        const results_t<P> none{};
        RunningFold<scan_product<P>> fold;
        accumulator through[1] = {scan_product<P>{}.init()};
        visit_own<scan_leaves<P>, 1>(
            p, state, none, Span{0, 1, p.walked_size}, [&](const RowContext<P, 1>& c, index_t s) {
                const accumulator before[1] = {through[0]};
                accumulator part = scan_product<P>{}.init();
                fold_phase_own<phase, 0>(part, p, c, s);
                fold.push(part);
                through[0] = fold.through();
                write_own(p, StretchedScanContext<P, RowContext<P, 1>, accumulator, 1>(c, before, through, s), row, s);
            });
        write_totals<P, 1>(p, state, row, through[0]);
    }
}

FUSE_END_NAMESPACE
