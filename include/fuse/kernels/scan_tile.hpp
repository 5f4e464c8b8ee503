// SPDX-License-Identifier: Apache-2.0
//
// A tile of a row in the scan kernels, as one thread holds it. The dim_x threads of a row take dim_x * V * N elements at a
// time: a warp (or the whole row of threads, where that is less) has one contiguous piece of them, N stripes of one
// vector per lane, so that every load of a warp is contiguous. Running folds are taken within each vector, then over the
// lanes of each stripe, then over stripes, then over warps: each element is combined log2(32) + 4 times at most, and in
// an order that depends on the shape alone.
#pragma once

#include "fuse/kernels/contexts.hpp"
#include "fuse/primitives/block_scan.hpp"

FUSE_BEGIN_NAMESPACE

/// The leaves and results of one vector: the result of a scan at lane v is the fold of everything before the vector, then
/// of lanes 0 .. v (v - 1 for an exclusive scan).
template <class P, int V>
struct ScanContext : RowContext<P, V> {
    using phase = at_t<typename P::phases, 0>;
    using accumulator = typename Product<phase>::accumulator;

    const accumulator& before;
    const accumulator (&running)[V];
    index_t first;  ///< position of lane 0 in the row

    FUSE_HD ScanContext(const RowContext<P, V>& context, const accumulator& all_before, const accumulator (&lanes)[V],
                        index_t s)
        : RowContext<P, V>(context), before(all_before), running(lanes), first(s) {}

    template <int I>
    FUSE_HD auto red(int v) const {
        using R = typename phase::template at<I>::reduction;
        if constexpr (R::exclusive) {
            const auto a = v == 0 ? get<I>(before) : R{}.combine(get<I>(before), get<I>(running[v == 0 ? 0 : v - 1]));
            return R{}.project(a, first + v);
        } else {
            return R{}.project(R{}.combine(get<I>(before), get<I>(running[v])), first + v + 1);
        }
    }
};

template <class P, int V, int N>
class ScanTile {
  public:
    using phase = at_t<typename P::phases, 0>;
    using reduction = Product<phase>;
    using accumulator = typename reduction::accumulator;
    static constexpr leaf_set loads = leaf_sets<P>::template phase<0> | leaf_sets<P>::items;

    /// Elements that the threads of a row take at a time.
    template <class B>
    static FUSE_HD index_t size(B& block) {
        return static_cast<index_t>(block.dim_x()) * V * N;
    }

    /// Loads this thread's elements of [first, end); nothing waits for them yet.
    template <class B>
    FUSE_HD void load(B& block, const Params<P>& p, const RowState<P>& row, index_t first, index_t end) {
        width_ = block.dim_x() < static_cast<unsigned>(B::warp_size) ? static_cast<int>(block.dim_x()) : B::warp_size;
        const unsigned lane = block.thread_x() & static_cast<unsigned>(width_ - 1);
        first_ = first + (static_cast<index_t>(block.thread_x() - lane) * N + lane) * V;
        end_ = end;
        whole_ = first + size(block) <= end;
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            if (whole_) {
                load_whole<loads, false, P, V>(items_[j], p, row, position(j));
            } else {
                load_items<loads, P, V>(items_[j], p, row, position(j), end - position(j));
            }
        }
    }

    /// Folds the elements of each vector and joins the threads of a row; returns the fold of the row's part of the tile, in
    /// every thread. All threads of the block must call. One barrier for rows of several warps, none else.
    template <class B>
    FUSE_HD accumulator scan(B& block, const Params<P>& p, const RowState<P>& row) {
        if (whole_) {
            fold_vectors<true>(p, row);
        } else {
            fold_vectors<false>(p, row);
        }
        return join_threads(block);
    }

    /// Writes the outputs. carry: the fold of the row's elements before the tile.
    FUSE_HD void write(const Params<P>& p, const RowState<P>& row, index_t row_index, const accumulator& carry) const {
        const results_t<P> none{};
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            const accumulator before = reduction{}.combine(carry, before_[j]);
            const ScanContext<P, V> context({p, row, items_[j], none}, before, running_[j], position(j));
            if (whole_) {
                write_items<false, P, V>(p, context, row_index, position(j), V);
            } else {
                write_items<false, P, V>(p, context, row_index, position(j), end_ - position(j));
            }
        }
    }

  private:
    FUSE_HD index_t position(int j) const { return first_ + static_cast<index_t>(j) * width_ * V; }

    /// Whole: all elements of the tile exist.
    template <bool Whole>
    FUSE_HD void fold_vectors(const Params<P>& p, const RowState<P>& row) {
        const results_t<P> none{};
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            const RowContext<P, V> context{p, row, items_[j], none};
            const index_t s = position(j);
            accumulator a = Whole || s < end_ ? reduction{}.leaf(context, 0, s) : reduction{}.init();
            running_[j][0] = a;
            FUSE_UNROLL
            for (int v = 1; v < V; ++v) {
                if (Whole || s + v < end_) {
                    reduction{}.accumulate(a, context, v, s + v);
                }
                running_[j][v] = a;
            }
        }
    }

    template <class B>
    FUSE_HD accumulator join_threads(B& block) {
        if (width_ < B::warp_size) {
            return join_lanes(block, width_);
        }
        accumulator own = join_lanes(block, B::warp_size);  // a constant: its loops are unrolled
        if constexpr (B::warp_size > 1) {
            constexpr unsigned warp = B::warp_size;
            if (block.dim_x() > warp) {
                const unsigned rank = block.thread_x();
                const auto warps = detail::scan_warps(block, own, reduction{}, rank % warp, rank / warp,
                                                      block.dim_x() / warp, block.thread_y(), block.dim_y());
                FUSE_UNROLL
                for (int j = 0; j < N; ++j) {
                    before_[j] = reduction{}.combine(warps.before, before_[j]);
                }
                own = warps.total;
            }
        }
        return own;
    }

    /// Joins the lanes of each stripe, then the stripes; returns the fold of the segment.
    template <class B>
    FUSE_HD accumulator join_lanes(B& block, int width) {
        const reduction r;
        accumulator lanes[N];
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            lanes[j] = running_[j][V - 1];
        }
        WarpScan(block, lanes, r, width);
        accumulator total[N];
        FUSE_UNROLL
        for (int j = 0; j < N; ++j) {
            before_[j] = WarpShiftScan(block, lanes[j], r, width);
            total[j] = block.shuffle(lanes[j], width - 1, width);
        }
        accumulator own = total[0];
        FUSE_UNROLL
        for (int j = 1; j < N; ++j) {
            before_[j] = r.combine(own, before_[j]);
            own = r.combine(own, total[j]);
        }
        return own;
    }

    RowItems<P, V> items_[N];
    accumulator running_[N][V];  ///< inclusive, within the vector
    accumulator before_[N];      ///< of the tile's elements before the vector
    index_t first_;
    index_t end_;
    int width_;
    bool whole_;
};

/// Outputs that do not vary along the scanned axis; total: the fold of the whole row.
template <class P, int V>
FUSE_HD void write_totals(const Params<P>& p, const RowState<P>& state, index_t row,
                          const typename ScanTile<P, V, 1>::accumulator& total) {
    const RowItems<P, V> none{};
    results_t<P> results{};
    typename ScanTile<P, V, 1>::reduction{}.template project<0>(total, p.seq_size, results);
    const RowContext<P, V> context{p, state, none, results};
    write_single<kir::Extent::outer>(p, context, row);
    if (row == 0) {
        write_single<kir::Extent::once>(p, context, row);
    }
}

FUSE_END_NAMESPACE
