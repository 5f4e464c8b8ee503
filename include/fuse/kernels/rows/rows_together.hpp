// SPDX-License-Identifier: Apache-2.0
//
// Short rows that a host thread folds to numbers. To fold the lanes of a vector for each of them costs more than their
// elements: so a row is folded to four lanes, and these are for many rows at a time; so are the results, before the next
// sweep of any of the rows begins.
#pragma once

#include "fuse/kernels/body/kernel.hpp"
#include "fuse/kernels/body/row_calls.hpp"
#include "fuse/kernels/body/row_end.hpp"
#include "fuse/kernels/body/visit_span.hpp"
#include "fuse/kernels/rows/folds_numbers.hpp"

FUSE_BEGIN_NAMESPACE

#if !FUSE_ON_DEVICE

namespace detail {

/// Rows that are folded together, and what each of them is folded to first.
inline constexpr int rows_of_tile = 64;
inline constexpr int lanes_of_row = 4;

/// One reduction of a tile of rows.
template <class One>
class RowsOfLanes {
    using R = typename One::reduction_op;
    using Keys = typename keys_of<R>::type;
    static constexpr bool by_keys = !std::is_void_v<Keys>;
    using Op = std::conditional_t<by_keys, Keys, R>;
    using A = typename Op::accumulator;

public:
    /// A row of n elements, L lanes at a time: at least 2 L elements, as the copy of a vector is stored in pieces, for which
    /// the next load of the vector would wait.
    template <int L, class Context>
    FUSE_HD void take(const Context& c, int row, int n) {
        alignas(64) A lane[L];
        FUSE_LANES
        for (int l = 0; l < L; ++l) {
            lane[l] = Op{}.combine(leaf(c, l), leaf(c, l + L));
        }
        int v = 2 * L;
        if (v + L <= n) {
            do {
                FUSE_LANES
                for (int l = 0; l < L; ++l) {
                    lane[l] = Op{}.combine(lane[l], leaf(c, v + l));
                }
                v += L;
            } while (v + L <= n);
            take_rest(lane, c, row, v, n);
        } else {
            take_rest(lane, c, row, v, n);
        }
    }
    /// Folds the lanes of `rows` rows.
    FUSE_HD void join(int rows) {
        if (rows == rows_of_tile) {
            for (int row = 0; row < rows_of_tile; ++row) {
                join_lanes(row);
            }
        } else {
            FUSE_NO_UNROLL
            for (int row = 0; row < rows; ++row) {
                join_lanes(row);
            }
        }
    }
    FUSE_HD typename R::accumulator total(int row) const {
        if constexpr (by_keys) {
            return Keys::value(total_[row]);
        } else {
            return total_[row];
        }
    }

private:
    template <class Context>
    static FUSE_HD A leaf(const Context& c, int v) {
        const auto x = R{}.leaf(Evaluate<typename One::expression>::at(c, v), v);
        if constexpr (by_keys) {
            return Keys::key(x);
        } else {
            return x;
        }
    }
    /// The elements from v on, fewer than L, by halves of the lanes.
    template <int L, class Context>
    FUSE_HD void take_rest(const A (&lane)[L], const Context& c, int row, int v, int n) {
        if constexpr (L > lanes_of_row) {
            alignas(64) A half[L / 2];
            FUSE_LANES
            for (int l = 0; l < L / 2; ++l) {
                half[l] = Op{}.combine(lane[l], lane[l + L / 2]);
            }
            if (v + L / 2 <= n) {
                FUSE_LANES
                for (int l = 0; l < L / 2; ++l) {
                    half[l] = Op{}.combine(half[l], leaf(c, v + l));
                }
                take_rest(half, c, row, v + L / 2, n);
            } else {
                take_rest(half, c, row, v, n);
            }
        } else {
            FUSE_LANES
            for (int l = 0; l < L; ++l) {
                item_[row * L + l] = lane[l];
            }
            take_singles(c, row, v, n);
        }
    }
    /// Fewer elements than a row has lanes.
    template <class Context>
    FUSE_HD void take_singles(const Context& c, int row, int v, int n) {
        A* lane = item_ + row * lanes_of_row;
        FUSE_LANES
        for (; v < n; ++v, ++lane) {
            *lane = Op{}.combine(*lane, leaf(c, v));
        }
    }
    FUSE_HD void join_lanes(int row) {
        const A* const lane = item_ + row * lanes_of_row;
        const A all = Op{}.combine(Op{}.combine(lane[0], lane[2]), Op{}.combine(lane[1], lane[3]));
        // As of any other rows: negative zeros alone have the sum zero.
        total_[row] = Op{}.combine(Op{}.init(), all);
    }

    alignas(64) A item_[rows_of_tile * lanes_of_row];
    alignas(64) A total_[rows_of_tile];
};

template <class Ph>
class TileOfRows;
template <class... R>
class TileOfRows<Phase<R...>> {
public:
    using accumulator = typename Product<Phase<R...>>::accumulator;

    template <int L, class Context>
    FUSE_HD void take(const Context& c, int row, int n) {
        for_each([&](auto& one) FUSE_INLINE_LAMBDA { one.template take<L>(c, row, n); });
    }
    FUSE_HD void join(int rows) {
        for_each([&](auto& one) FUSE_INLINE_LAMBDA { one.join(rows); });
    }
    FUSE_HD accumulator total(int row) const {
        accumulator result;
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA { get<J>(result) = get<J>(lanes_).total(row); });
        return result;
    }

private:
    template <class F>
    FUSE_HD void for_each(F&& f) {
        static_for<sizeof...(R)>([&]<int J>() FUSE_INLINE_LAMBDA { f(get<J>(lanes_)); });
    }

    Tuple<RowsOfLanes<R>...> lanes_;
};

}  // namespace detail

#endif

template <class P, int V, int N>
struct RowsTogetherKernel : Kernel<P, V, N> {
    static constexpr int max_threads = 1;
    static constexpr int min_blocks = 1;
    using sets = leaf_sets<P>;

#if FUSE_ON_DEVICE
    // A kernel of hosts alone.
    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p);
#else
    template <int, class B>
    static FUSE_HD void stage(B& block, const Params<P>& p) {
        constexpr index_t shortest = detail::shortest_row_together(P::phases::size == 1 && !sets::writes_items);
        const index_t n = p.walked_size;
        if (n >= 32 || shortest >= 32) {
            tiles<16>(block, p);
        } else if constexpr (shortest < 32) {
            if (n >= 16) {
                tiles<8>(block, p);
            } else {
                tiles<detail::lanes_of_row>(block, p);
            }
        }
    }

private:
    /// The rows of a block, neighbours, by tiles.
    template <int L, class B>
    static FUSE_HD void tiles(B& block, const Params<P>& p) {
        const index_t blocks = block.grid_x();
        const index_t share = (p.kept_size + blocks - 1) / blocks;
        const index_t first = block.block_x() * share;
        const index_t end = first + share < p.kept_size ? first + share : p.kept_size;
        for (index_t row = first; row < end; row += detail::rows_of_tile) {
            const index_t left = end - row;
            one_tile<L, B>(p, row, static_cast<int>(left < detail::rows_of_tile ? left : detail::rows_of_tile));
        }
    }
    /// A phase of all rows after the other: no row waits for its own results.
    template <int L, class B>
    static FUSE_HD void one_tile(const Params<P>& p, index_t first, int rows) {
        results_t<P> results[detail::rows_of_tile];
        static_for<P::phases::size>([&]<int I>() FUSE_INLINE_LAMBDA { fold_rows<I, L>(p, first, rows, results); });
        EpilogueAccumulator<P, V, B> none;
        for (int k = 0; k < rows; ++k) {
            const index_t row = first + k;
            const RowState<P> state(p, row);
            if constexpr (sets::writes_items) {
                visit_chunks<sets::items, chunk_items>(
                    p, state, results[k], Span{0, V, p.walked_size},
                    [&](const ChunkContext<P>& context, index_t s, index_t left)
                        FUSE_INLINE_LAMBDA { write_items<false, P, chunk_items>(p, context, row, s, left); });
            }
            const RowItems<P, V> no_items{};
            finish_row<P, V, B>(p, row, RowContext<P, V>{p, state, no_items, results[k]}, 0, 1, none);
        }
    }
    template <int I, int L>
    static FUSE_HD void fold_rows(const Params<P>& p, index_t first, int rows, results_t<P>* results) {
        using Ph = at_t<typename P::phases, I>;
        const index_t n = p.walked_size;
        detail::TileOfRows<Ph> tile;
        for (int row = 0; row < rows; ++row) {
            const RowState<P> state(p, first + row);
            RowViews<P, chunk_items> items;
            view_items<sets::template phase<I>, P, chunk_items>(items, p, state, 0, n);
            tile.template take<L>(ChunkContext<P>{p, state, items, results[row]}, row, static_cast<int>(n));
        }
        tile.join(rows);
        for (int row = 0; row < rows; ++row) {
            Product<Ph>{}.template project<first_result<P, I>>(tile.total(row), p, n, results[row]);
        }
    }
#endif
};

FUSE_END_NAMESPACE
