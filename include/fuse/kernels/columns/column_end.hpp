// SPDX-License-Identifier: Apache-2.0
//
// The end of columns: what there is one of in a column, or in all of them together.
#pragma once

#include "fuse/kernels/body/write_once.hpp"
#include "fuse/kernels/columns/column_place.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The results of phase Ph, numbered from First, of what it has folded of each column.
template <int First, class Ph, class P, int V>
FUSE_HD void project_columns(const typename ItemFolds<Product<Ph>, V>::accumulator& total, const Params<P>& p,
                             ColumnResults<P, V>& results) {
    FUSE_UNROLL
    for (int v = 0; v < V; ++v) {
        results_t<P> one{};
        Product<Ph>{}.template project<First>(total.item[v], p, p.walked_size, one);
        static_for<Ph::size>([&]<int J>()
                                 FUSE_INLINE_LAMBDA { get<First + J>(results).item[v] = get<First + J>(one); });
    }
}

}  // namespace detail

/// Writes the outputs of the columns of tile number `tile`: of the threads of a block that share a column, the first.
template <class P, int V, class B>
FUSE_HD void finish_columns(B& block, const ColumnContext<P, V>& context, index_t tile) {
    if (block.thread_y() == 0) {
        const Params<P>& p = context.params;
        write_column<kir::Extent::kept, V>(p, context, 0);
        if (block.thread_x() == 0) {
            write_once(p, context, share_of_row(tile, detail::column_tiles<P, V>(block, p), 0, 1));
        }
    }
}

/// The same of columns with one phase, which has folded `total` of them.
template <class P, int V, class B>
FUSE_HD void finish_columns(B& block, const Params<P>& p, const ColumnState<P, V>& state, index_t tile,
                            const typename ItemFolds<Product<at_t<typename P::phases, 0>>, V>::accumulator& total) {
    if (block.thread_y() == 0) {
        ColumnResults<P, V> results{};
        detail::project_columns<0, at_t<typename P::phases, 0>, P, V>(total, p, results);
        const ColumnItems<P, V> none{};
        finish_columns(block, ColumnContext<P, V>{p, state, none, results}, tile);
    }
}

FUSE_END_NAMESPACE
