// SPDX-License-Identifier: Apache-2.0
//
// BatchedBlockReduce, BatchedBlockXReduce and BatchedBlockYReduce: K folds for the barriers of one. Rows and blocks of
// any length fold within their warps by transposing exchanges (batched_warp_reduce.hpp) and keep K values per warp in
// scratch; one more such exchange, whose lanes stand for warps, folds these. Only groups that do not line up with
// warps at all (columns, rows of 24 threads) keep K values per thread.
#pragma once

#include "fuse/primitives/batched_warp_reduce.hpp"
#include "fuse/primitives/block_y_reduce.hpp"
#include "fuse/primitives/row_fold.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Slots from one warp's results to the next, odd: a warp that reads one value of all warps meets different banks.
template <int K>
inline constexpr unsigned batch_stride = K | 1;

/// Folds the results of `warps` warps (at most 32 / Groups) in one warp; lane k returns value k. With few warps, Groups
/// values lie side by side in the warp: lane w * Groups + g starts with the values g, g + Groups, ... of warp w.
template <int Groups, int K, ThreadBlock B, class A, class R>
FUSE_HD A fold_warp_results(B& block, const A* results, unsigned warps, const R& r, unsigned lane) {
    if constexpr (Groups > 1) {
        if (warps > static_cast<unsigned>(B::warp_size / Groups)) {
            return fold_warp_results<Groups / 2, K>(block, results, warps, r, lane);
        }
    }
    constexpr int count = (K + Groups - 1) / Groups;
    const unsigned warp = lane / Groups;
    A values[count];
    FUSE_UNROLL
    for (int j = 0; j < count; ++j) {
        const unsigned k = lane % Groups + static_cast<unsigned>(j * Groups);
        values[j] = warp < warps && k < K ? results[warp * batch_stride<K> + k] : A(r.init());
    }
    transposing_fold<count, Groups>(block, values, r, lane, B::warp_size);
    return values[0];
}

/// Rows of whole warps, or one row of any length: its last warp may be partial, and then
/// the first warp folds for all and hands the totals over a second barrier.
template <class Mode, ThreadBlock B, class A, int K, class R>
FUSE_HD void batched_warp_rows(B& block, A (&values)[K], const R& r, unsigned rank, unsigned length, unsigned row,
                               unsigned rows) {
    constexpr unsigned warp_size = B::warp_size;
    constexpr unsigned stride = batch_stride<K>;
    const bool whole = regular_shape<B> || length % warp_size == 0;
    const unsigned lane = rank % warp_size;
    const unsigned warp = rank / warp_size;
    const unsigned warps = (length + warp_size - 1) / warp_size;
    A* results = block.template scratch<A>(rows * warps * stride + (whole ? 0 : K)) + row * warps * stride;

    if (whole || warp + 1 < warps) {
        transposing_fold<K, 1>(block, values, r, lane, B::warp_size);
        if (lane < K) {
            results[warp * stride + lane] = values[0];
        }
    } else {
        partial_warp_fold(block, values, r, lane, length % warp_size);
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            if (lane == 0) {
                results[warp * stride + static_cast<unsigned>(k)] = values[k];
            }
        }
    }
    block.sync();
    const bool over_barrier = Mode::all && !whole;
    A* totals = results + warps * stride;
    if (warp == 0 || (Mode::all && whole)) {
        const A total = fold_warp_results<B::warp_size / 2, K>(block, results, warps, r, lane);
        if (!over_barrier) {
            FUSE_UNROLL
            for (int k = 0; k < K; ++k) {
                values[k] = block.shuffle(total, k, B::warp_size);
            }
        } else if (lane < K) {
            totals[lane] = total;
        }
    }
    if (over_barrier) {
        block.sync();
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            values[k] = totals[k];
        }
    }
}

template <class A, int K>
struct Batch {
    A value[K];
};

/// R on each value of a batch.
template <class R, class A, int K>
struct BatchReduction {
    R r;

    FUSE_HD constexpr Batch<A, K> combine(const Batch<A, K>& a, const Batch<A, K>& b) const {
        Batch<A, K> result;
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            result.value[k] = r.combine(a.value[k], b.value[k]);
        }
        return result;
    }
};

/// Any shape: groups meet in scratch, with a slot of K values for each thread.
template <class Mode, ThreadBlock B, class A, int K, class R>
FUSE_HD void batched_scratch_fold(B& block, A (&values)[K], const R& r, FoldPlace place) {
    Batch<A, K> batch;
    FUSE_UNROLL
    for (int k = 0; k < K; ++k) {
        batch.value[k] = values[k];
    }
    batch = scratch_fold<Mode>(block, batch, BatchReduction<R, A, K>{r}, place);
    FUSE_UNROLL
    for (int k = 0; k < K; ++k) {
        values[k] = batch.value[k];
    }
}

template <class Mode, ThreadBlock B, class A, int K, class R>
FUSE_HD void batched_row_fold(B& block, A (&values)[K], const R& r, unsigned rank, unsigned length, unsigned row,
                              unsigned rows) {
    static_assert(K <= 32, "a warp owns at most one value per lane");
    if (length == 1) {
        return;
    }
    if constexpr (B::warp_size > 1) {
        if (fits_in_warp(length, B::warp_size)) {
            batched_segment_fold<K, 1>(block, values, r, rank, static_cast<int>(length));
            return;
        }
        if (regular_shape<B> || length % B::warp_size == 0 || (rows == 1 && length > B::warp_size)) {
            batched_warp_rows<Mode>(block, values, r, rank, length, row, rows);
            return;
        }
        if (rows == 1) {
            partial_warp_fold(block, values, r, rank, length);
            broadcast<0>(block, values);
            return;
        }
    }
    batched_scratch_fold<Mode>(block, values, r, FoldPlace{rank, length, row, rows, false});
}

/// Bytes of one half of scratch that batched_row_fold needs for `rows` rows.
template <int K>
constexpr std::size_t batched_row_fold_scratch_bytes(unsigned length, unsigned rows, std::size_t accumulator_bytes) {
    constexpr unsigned warp = 32;
    if (fits_in_warp(length, warp) || (rows == 1 && length < warp)) {
        return 0;
    }
    std::size_t slots = std::size_t{K} * scratch_fold_slots(length, rows);
    if (length % warp == 0) {
        slots = rows * (length / warp) * batch_stride<K>;
    } else if (rows == 1) {
        slots = (length + warp - 1) / warp * batch_stride<K> + K;
    }
    return scratch_round_up(slots * accumulator_bytes);
}

}  // namespace detail

/// Bytes of one half of the scratch memory that BatchedBlockReduce needs: give the launch twice as much.
template <int K>
constexpr std::size_t batched_block_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y,
                                                         std::size_t accumulator_bytes) {
    return detail::batched_row_fold_scratch_bytes<K>(dim_x * dim_y, 1, accumulator_bytes);
}

/// Replaces each of the K <= 32 values by its fold over the block in linear thread order, in every thread (or only in
/// thread 0, with OneThread; other threads are undefined). No barrier up to 32 threads, one for whole warps or with
/// OneThread, else two. All threads must call.
template <ThreadBlock B, class A, int K, class R, class Mode = AllThreads>
FUSE_HD void BatchedBlockReduce(B& block, A (&values)[K], const R& r, Mode = {}) {
    detail::batched_row_fold<Mode>(block, values, r, linear_thread(block), block_threads(block), 0, 1);
}

/// Bytes of one half of the scratch memory that BatchedBlockXReduce needs: give the launch twice as much.
template <int K>
constexpr std::size_t batched_x_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes) {
    return detail::batched_row_fold_scratch_bytes<K>(dim_x, dim_y, accumulator_bytes);
}

/// The same along x, for each row of the block by itself. Rows that neither are whole warps nor divide one keep K slots
/// per thread in scratch memory, unless there is only one.
template <ThreadBlock B, class A, int K, class R, class Mode = AllThreads>
FUSE_HD void BatchedBlockXReduce(B& block, A (&values)[K], const R& r, Mode = {}) {
    detail::batched_row_fold<Mode>(block, values, r, block.thread_x(), block.dim_x(), block.thread_y(), block.dim_y());
}

/// Bytes of one half of the scratch memory that BatchedBlockYReduce needs: give the launch twice as much.
template <int K>
constexpr std::size_t batched_y_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes) {
    if (dim_x == 1) {
        return detail::batched_row_fold_scratch_bytes<K>(dim_y, 1, accumulator_bytes);
    }
    return y_reduce_scratch_bytes(dim_x, dim_y, K * accumulator_bytes);
}

/// The same along y, for each column of the block by itself. Columns keep K slots per thread in scratch memory.
template <ThreadBlock B, class A, int K, class R, class Mode = AllThreads>
FUSE_HD void BatchedBlockYReduce(B& block, A (&values)[K], const R& r, Mode = {}) {
    if (block.dim_y() == 1) {
        return;
    }
    if (block.dim_x() == 1) {
        detail::batched_row_fold<Mode>(block, values, r, block.thread_y(), block.dim_y(), 0, 1);
        return;
    }
    detail::batched_scratch_fold<Mode>(
        block, values, r, detail::FoldPlace{block.thread_y(), block.dim_y(), block.thread_x(), block.dim_x(), true});
}

FUSE_END_NAMESPACE
