// SPDX-License-Identifier: Apache-2.0
//
// The end of a row: what there is one of in a row, or in all of them together.
#pragma once

#include "fuse/kernels/body/epilogue.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class P, int V, class B>
FUSE_HD void take_row(const Params<P>& p, const RowContext<P, V>& context, index_t row,
                      EpilogueAccumulator<P, V, B>& epilogue) {
    if constexpr (P::stretches) {
        if (stretched(p)) {
            const RowItems<P, 1> none{};
            epilogue.template take_own<false>(p, RowContext<P, 1>{p, context.row, none, context.results}, row, 0);
            return;
        }
    }
    epilogue.take_row(context, row);
}

}  // namespace detail

/// Writes the outputs of a row and hands its results to the epilogue: thread number `thread` of `threads` that share it.
template <class P, int V, class B>
FUSE_HD void finish_row(const Params<P>& p, index_t row, const RowContext<P, V>& context, unsigned thread,
                        unsigned threads, EpilogueAccumulator<P, V, B>& epilogue) {
    constexpr bool has_epilogue = P::epilogue::size > 0;
    if constexpr (!has_epilogue) {
        write_once(p, context, share_of_row(row, p.kept_size, thread, threads));
    }
    if (thread == 0) {
        write_kept(p, context, row);
        detail::take_row(p, context, row, epilogue);
        if constexpr (has_epilogue && EpilogueMemory<P>::keeps_results) {
            if (row == 0) {
                *EpilogueMemory<P>::results(p) = context.results;
            }
        }
    }
}

FUSE_END_NAMESPACE
