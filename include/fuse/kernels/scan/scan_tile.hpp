// SPDX-License-Identifier: Apache-2.0
//
// A tile of a row (scan_vector.hpp) that is held in registers from load to write. Where vectors begin at aligned places
// of memory (Paths: PeeledPaths), the first and the last of a row may be short, and all others are whole, each of which is
// found out by itself.
#pragma once

#include "fuse/kernels/body/peeled_paths.hpp"
#include "fuse/kernels/scan/scan_vector.hpp"

FUSE_BEGIN_NAMESPACE

template <class P, int V, int N, class Paths = detail::LaidPaths<>>
class ScanTile {
public:
    using product = scan_product<P>;
    using accumulator = scan_accumulator<P>;

    /// Elements that the threads of a row take at a time.
    template <ThreadBlock B>
    static FUSE_HD index_t size(B& block) {
        return static_cast<index_t>(block.dim_x()) * V * N;
    }

    FUSE_HD explicit ScanTile(const Paths& paths = {}) : paths_(paths) {}

    /// Loads this thread's elements of [first, end), where first may be below 0 in a row that begins within a vector;
    /// nothing waits for them yet.
    template <ThreadBlock B>
    FUSE_HD void load(B& block, const Params<P>& p, const RowState<P>& row, index_t first, index_t end) {
        span_ = ScanSpan<V>::template of<N>(block, first, end);
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (is_whole(j)) {
                load_along<scan_leaves<P>, P, V>(paths_, items_[j], p, row, span_.position(j));
            } else if constexpr (!peeled) {
                load_items<scan_leaves<P>, P, V>(items_[j], p, row, span_.position(j), span_.left(j));
            } else {
                load_some<scan_leaves<P>, P, V>(items_[j], p, row, position(j), left(j));
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
            if (is_whole(j)) {
                fold_items<true, P, V>(p, row, items_[j], span_.position(j), span_.end, running_[j]);
            } else {
                const index_t s = position(j);
                fold_items<false, P, V>(p, row, items_[j], s, peeled ? s + left(j) : span_.end, running_[j]);
            }
            vectors[j] = running_[j][V - 1];
        }
        return join_threads<InOrder<product>>(block, vectors, before_, span_.width);
    }

    /// Writes the outputs. carry: the fold of the row's elements before the tile.
    FUSE_HD void write(const Params<P>& p, const RowState<P>& row, index_t row_index, const accumulator& carry) const {
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            const accumulator before = product{}.append(carry, before_[j]);
            if (peeled && is_whole(j)) {
                write_scanned<peeled, P, V>(p, row, items_[j], row_index, span_.position(j), V, before, running_[j],
                                            paths_);
            } else {
                write_scanned<false, P, V>(p, row, items_[j], row_index, position(j), left(j), before, running_[j],
                                           paths_);
            }
        }
    }

private:
    static constexpr bool peeled = Paths::either_way;

    /// Of vector j, whether all of its elements exist, as far as a tile or a vector is looked at as a whole; the first of
    /// them; and how many they are, V or more: all.
    FUSE_HD bool is_whole(int j) const {
        return peeled ? span_.position(j) >= 0 && span_.position(j) + V <= span_.end : span_.whole;
    }
    FUSE_HD index_t position(int j) const {
        const index_t s = span_.position(j);
        return peeled && s < 0 ? 0 : s;
    }
    FUSE_HD index_t left(int j) const {
        const index_t s = span_.position(j);
        return peeled && s < 0 && s + V < span_.end ? s + V : peeled && s < 0 ? span_.end : span_.left(j);
    }

    RowItems<P, V> items_[N];
    accumulator running_[N][V];  ///< inclusive, within the vector
    accumulator before_[N];      ///< of the tile's elements before the vector
    ScanSpan<V> span_;
    Paths paths_;
};

FUSE_END_NAMESPACE
