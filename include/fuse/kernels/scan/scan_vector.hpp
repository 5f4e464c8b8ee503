// SPDX-License-Identifier: Apache-2.0
//
// A tile of a row in the scan kernels: how the threads of a row divide it, and how their folds are joined. The dim_x
// threads of a row take dim_x * V * N elements at a time: a warp (or the whole row of threads, where that is less) has
// one contiguous piece of them, N stripes of one vector per lane, so that every load of a warp is contiguous. Running
// folds are taken within each vector, then over the lanes of each stripe, then over stripes, then over warps: each
// element is combined log2(32) + 4 times at most, and in an order that depends on the shape alone.
#pragma once

#include "fuse/kernels/body/row_context.hpp"
#include "fuse/kernels/body/write_once.hpp"
#include "fuse/primitives/block/block_scan.hpp"
#include "fuse/primitives/warp/warp_broadcast.hpp"

FUSE_BEGIN_NAMESPACE

/// The product of the one phase of a scan program, and its accumulator.
template <class P>
using scan_product = Product<at_t<typename P::phases, 0>>;
template <class P>
using scan_accumulator = typename scan_product<P>::accumulator;
/// The leaves that a scan program uses.
template <class P>
inline constexpr leaf_set scan_leaves = leaf_sets<P>::template phase<0> | leaf_sets<P>::items;

/// What a thread has of a tile: N vectors, a stripe apart.
template <int V>
struct ScanSpan {
    index_t first;  ///< position of the thread's first vector in the row; below 0: the row begins within that
    index_t end;    ///< of the row, or of the block's piece of it
    int width;      ///< lanes of a stripe
    bool whole;     ///< all elements of the tile exist

    /// The tile that starts at element `tile`, in vectors of V, N per thread.
    template <int N, ThreadBlock B>
    static FUSE_HD ScanSpan of(B& block, index_t tile, index_t end) {
        const bool narrow = block.dim_x() < static_cast<unsigned>(B::warp_size);
        const int width = narrow ? static_cast<int>(block.dim_x()) : B::warp_size;
        const unsigned lane = block.thread_x() & static_cast<unsigned>(width - 1);
        return {tile + (static_cast<index_t>(block.thread_x() - lane) * N + lane) * V, end, width,
                tile + static_cast<index_t>(block.dim_x()) * V * N <= end};
    }

    /// Of the thread's vector j.
    FUSE_HD index_t position(int j) const { return first + static_cast<index_t>(j) * width * V; }
    /// How many of its elements exist; V or more: all.
    FUSE_HD index_t left(int j) const { return whole ? V : end - position(j); }
};

/// The leaves and results of one vector: the result of a scan for item v is the fold of everything before the vector,
/// then of items 0 .. v (v - 1 for an exclusive scan).
template <class P, int V>
struct ScanContext : RowContext<P, V> {
    using phase = at_t<typename P::phases, 0>;
    using accumulator = scan_accumulator<P>;

    const accumulator& before;
    const accumulator (&running)[V];
    index_t first;  ///< position of item 0 in the row

    FUSE_HD ScanContext(const RowContext<P, V>& context, const accumulator& all_before, const accumulator (&through)[V],
                        index_t s)
        : RowContext<P, V>(context), before(all_before), running(through), first(s) {}

    template <int I>
    FUSE_HD auto result(int v) const {
        using R = typename phase::template at<I>::reduction_op;
        if constexpr (R::exclusive) {
            const auto a = v == 0 ? get<I>(before) : append(R{}, get<I>(before), get<I>(running[v == 0 ? 0 : v - 1]));
            return R{}.project(a, first + v);
        } else {
            return R{}.project(append(R{}, get<I>(before), get<I>(running[v])), first + v + 1);
        }
    }
};

namespace detail {

/// Folds of a whole vector for a host thread: of each few items by themselves, chains that do not wait for each other,
/// then with all before them.
template <class P, int V, class Context>
FUSE_HD void fold_chains(const Context& context, index_t s, scan_accumulator<P> (&running)[V]) {
    const scan_product<P> r{};
    for (int first = 0; first < V; first += few_items) {
        scan_accumulator<P> a = r.leaf(context, first, s + first);
        running[first] = a;
        for (int v = first + 1; v < first + few_items; ++v) {
            r.accumulate(a, context, v, s + v);
            running[v] = a;
        }
    }
    // The next vector waits for one combination, not for what is stored here.
    scan_accumulator<P> before = running[few_items - 1];
    for (int first = few_items; first < V; first += few_items) {
        const scan_accumulator<P> next = r.append(before, running[first + few_items - 1]);
        for (int v = first; v < first + few_items; ++v) {
            running[v] = r.append(before, running[v]);
        }
        before = next;
    }
}

}  // namespace detail

/// Folds items 0 .. v of a vector at s, for each v. Whole: all of them exist. Else the last of the folds is of all that do.
template <bool Whole, class P, int V>
FUSE_HD void fold_items(const Params<P>& p, const RowState<P>& row, const RowItems<P, V>& items, index_t s, index_t end,
                        scan_accumulator<P> (&running)[V]) {
    const scan_product<P> r{};
    const results_t<P> none{};
    const RowContext<P, V> context{p, row, items, none};
    if constexpr (host_vector<V> && Whole) {
        detail::fold_chains<P, V>(context, s, running);
    } else {
        scan_accumulator<P> a = Whole || s < end ? r.leaf(context, 0, s) : r.init();
        running[0] = a;
        if constexpr (host_vector<V>) {
            for (int v = 1; v < V && s + v < end; ++v) {
                r.accumulate(a, context, v, s + v);
                running[v] = a;
            }
            running[V - 1] = a;
        } else {
            FUSE_UNROLL
            for (int v = 1; v < V; ++v) {
                if (Whole || s + v < end) {
                    r.accumulate(a, context, v, s + v);
                }
                running[v] = a;
            }
        }
    }
}

/// Whether all outputs that vary along the row are written in vectors.
template <class P>
FUSE_HD bool writes_vectors(const Params<P>& p) {
    bool all = true;
    static_for<P::outputs::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        if constexpr (at_t<typename P::outputs, I>::extent == kir::Extent::item) {
            all = all && get<I>(p.outputs).vector;
        }
    });
    return all;
}

/// Writes the outputs of a vector at s, `left` elements of which exist. before: the fold of the row's elements before
/// the vector. Held: all exist.
template <bool Held, class P, int V, class Paths>
FUSE_HD void write_scanned(const Params<P>& p, const RowState<P>& row, const RowItems<P, V>& items, index_t row_index,
                           index_t s, index_t left, const scan_accumulator<P>& before,
                           const scan_accumulator<P> (&running)[V], const Paths& paths) {
    const results_t<P> none{};
    const ScanContext<P, V> context({p, row, items, none}, before, running, s);
    write_items<Held, P, V>(p, context, row_index, s, left, paths);
}

namespace detail {

/// Joins the lanes of each stripe, then the stripes; returns the fold of the segment.
template <int N, class R, Warps B, class A>
FUSE_HD A join_lanes(B& block, A (&vectors)[N], A (&before)[N], int width) {
    const R r;
    WarpScan(block, vectors, r, width);
    A total[N];
    FUSE_UNROLL
    for (int j = 0; j < N; ++j) {
        before[j] = WarpShiftScan(block, vectors[j], r, width);
        total[j] = WarpBroadcast(block, vectors[j], width - 1, width);
    }
    A own = total[0];
    FUSE_UNROLL
    for (int j = 1; j < N; ++j) {
        before[j] = r.combine(own, before[j]);
        own = r.combine(own, total[j]);
    }
    return own;
}

}  // namespace detail

/// From the folds of the N vectors of each thread of a row, in `vectors`, to the folds of the tile's elements before
/// each of them; returns the fold of the row's part of the tile, in every thread. All threads of the block must call.
/// One barrier for rows of several warps, none else.
template <class R, int N, Warps B, class A>
FUSE_HD A join_threads(B& block, A (&vectors)[N], A (&before)[N], int width) {
    if (width < B::warp_size) {
        return detail::join_lanes<N, R>(block, vectors, before, width);
    }
    A own = detail::join_lanes<N, R>(block, vectors, before, B::warp_size);  // a constant: its loops are unrolled
    if constexpr (B::warp_size > 1) {
        constexpr unsigned warp = B::warp_size;
        if (block.dim_x() > warp) {
            const unsigned rank = block.thread_x();
            const auto warps = detail::scan_warps(block, own, R{}, rank % warp, rank / warp, block.dim_x() / warp,
                                                  block.thread_y(), block.dim_y());
            FUSE_UNROLL
            for (int j = 0; j < N; ++j) {
                before[j] = R{}.combine(warps.before, before[j]);
            }
            own = warps.total;
        }
    }
    return own;
}

/// Outputs that do not vary along the scanned axis; total: the fold of the whole row.
template <class P, int V>
FUSE_HD void write_totals(const Params<P>& p, const RowState<P>& state, index_t row, const scan_accumulator<P>& total) {
    const RowItems<P, V> none{};
    results_t<P> results{};
    scan_product<P>{}.template project<0>(total, p, p.walked_size, results);
    const RowContext<P, V> context{p, state, none, results};
    write_kept(p, context, row);
    write_once(p, context, share_of_row(row, p.kept_size, 0, 1));
}

FUSE_END_NAMESPACE
