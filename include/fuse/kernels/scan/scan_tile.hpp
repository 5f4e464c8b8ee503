// SPDX-License-Identifier: Apache-2.0
//
// A tile of a row (scan_vector.hpp) that is held in registers from load to write.
#pragma once

#include "fuse/kernels/scan/scan_vector.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N>
class ScanTile {
public:
    using product = scan_product<P>;
    using accumulator = scan_accumulator<P>;

    /// Elements that the threads of a row take at a time.
    template <ThreadBlock B>
    static FUSE_HD index_t size(B& block) {
        return static_cast<index_t>(block.dim_x()) * V * N;
    }

    /// Loads this thread's elements of [first, end); nothing waits for them yet.
    template <ThreadBlock B>
    FUSE_HD void load(B& block, const Params<P>& p, const RowState<P>& row, index_t first, index_t end) {
        span_ = ScanSpan<V>::template of<N, false>(block, first, end);
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (span_.whole) {
                load_whole<scan_leaves<P>, false, P, V>(items_[j], p, row, span_.position(j));
            } else {
                load_items<scan_leaves<P>, P, V>(items_[j], p, row, span_.position(j), span_.left(j));
            }
        }
    }

    /// Folds the elements of each vector and joins the threads of a row; returns the fold of the row's part of the
    /// tile, in every thread. All threads of the block must call. One barrier for rows of several warps, none else.
    template <Warps B>
    FUSE_HD accumulator scan(B& block, const Params<P>& p, const RowState<P>& row) {
        accumulator vectors[N];
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (span_.whole) {
                fold_items<true, P, V>(p, row, items_[j], span_.position(j), span_.end, running_[j]);
            } else {
                fold_items<false, P, V>(p, row, items_[j], span_.position(j), span_.end, running_[j]);
            }
            vectors[j] = running_[j][V - 1];
        }
        return join_threads<InOrder<product>>(block, vectors, before_, span_.width);
    }

    /// Writes the outputs. carry: the fold of the row's elements before the tile.
    FUSE_HD void write(const Params<P>& p, const RowState<P>& row, index_t row_index, const accumulator& carry) const {
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            write_scanned<false, P, V>(p, row, items_[j], row_index, span_.position(j), span_.left(j),
                                       product{}.append(carry, before_[j]), running_[j]);
        }
    }

private:
    RowItems<P, V> items_[N];
    accumulator running_[N][V];  ///< inclusive, within the vector
    accumulator before_[N];      ///< of the tile's elements before the vector
    ScanSpan<V> span_;
};

FUSE_END_NAMESPACE
