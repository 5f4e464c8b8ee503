// SPDX-License-Identifier: Apache-2.0
//
// BatchedBlockReduce, BatchedBlockXReduce and BatchedBlockYReduce: K folds for the barriers of one. Transposed folds
// (batched_warp_reduce.hpp) leave one value per lane after log2(K) rounds: a warp's results then lie like rows of K
// columns, and so one warp can rake them (column_rake.hpp) for rows and blocks of any length. It broadcasts the totals
// through scratch, as K shuffles in every warp take longer than a barrier. Only groups that do not line up with warps
// at all (columns, rows of 24 threads) keep K values per thread.
#pragma once

#include "fuse/primitives/block/block_y_reduce.hpp"
#include "fuse/primitives/block/row_fold.hpp"
#include "fuse/primitives/thread/item_folds.hpp"
#include "fuse/primitives/warp/batched_warp_reduce.hpp"
#include "fuse/primitives/warp/warp_broadcast.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Columns of the rake of K values: a power of two.
template <int K>
inline constexpr unsigned batch_columns = 2 * batch_columns<(K + 1) / 2>;
template <>
inline constexpr unsigned batch_columns<1> = 1;

/// How the results of a row's warps lie in scratch: the K totals first, then, 16-byte aligned, the rows to rake.
template <int K>
struct BatchRake {
    static constexpr unsigned columns = batch_columns<K>;
    static constexpr unsigned totals = (K + 15) / 16 * 16;

    unsigned rows_per_warp;  ///< 1: all rounds are done in the warps, so that large values need little memory
    ColumnRake rake;

    FUSE_HD constexpr BatchRake(unsigned length, std::size_t bytes, unsigned warp_size)
        : rows_per_warp(bytes <= 8 ? warp_size / columns : 1),
          rake(columns, length / warp_size * rows_per_warp + (length % warp_size != 0 ? 1 : 0), warp_size) {}

    /// Slots of a row, whole 16 bytes.
    FUSE_HD constexpr unsigned slots() const { return totals + (rake.slots() + 15) / 16 * 16; }
};

/// Rows of whole warps, or one row of any length above a warp, whose last warp may be partial.
template <class Mode, Shuffles B, class A, int K, class R>
FUSE_HD void batched_warp_rows(B& block, A (&values)[K], const R& r, unsigned rank, unsigned length, unsigned row,
                               unsigned rows) {
    constexpr unsigned warp_size = B::warp_size;
    constexpr unsigned columns = batch_columns<K>;
    const BatchRake<K> layout(length, sizeof(A), warp_size);
    const unsigned lane = rank % warp_size;
    const unsigned warp = rank / warp_size;
    const unsigned column = lane % columns;
    A* totals = block.template scratch<A>(rows * layout.slots()) + row * layout.slots();
    A* results = totals + layout.totals;
    auto&& complete = complete_warps(block);

    if (regular_shape<B> || warp < length / warp_size) {
        transposing_fold<K, 1>(complete, values, r, lane, static_cast<int>(warp_size / layout.rows_per_warp));
        if (lane / columns < layout.rows_per_warp && column < K) {
            results[layout.rake.slot(warp * layout.rows_per_warp + lane / columns, column)] = values[0];
        }
    } else {
        partial_warp_fold(block, values, r, lane, length % warp_size);
        if (lane == 0) {
            FUSE_UNROLL
            for (int k = 0; k < K; ++k) {
                results[layout.rake.slot(layout.rake.rows - 1, static_cast<unsigned>(k))] = values[k];
            }
        }
    }
    block.sync();
    if (warp == 0) {
        const A total = fold_columns(block, results, layout.rake, r, lane / columns, column < K ? column : K - 1);
        if constexpr (!Mode::all) {
            FUSE_UNROLL
            for (int k = 0; k < K; ++k) {
                values[k] = WarpBroadcast(complete, total, k, B::warp_size);
            }
        } else if (lane < K) {
            totals[lane] = total;
        }
    }
    if constexpr (Mode::all) {
        block.sync();
        Pack<A, K> all;
        load_pack(all, totals, true);
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            values[k] = all.item[k];
        }
    }
}

/// Any shape: groups meet in scratch, with a slot of K values for each thread. `fold(batch, reduction)` says how.
template <class A, int K, class R, class Fold>
FUSE_HD void fold_as_batch(A (&values)[K], const R& r, const Fold& fold) {
    Items<A, K> batch;
    FUSE_UNROLL
    for (int k = 0; k < K; ++k) {
        batch.item[k] = values[k];
    }
    batch = fold(batch, ItemFolds<R, K, A>{r});
    FUSE_UNROLL
    for (int k = 0; k < K; ++k) {
        values[k] = batch.item[k];
    }
}

template <class Mode, ThreadBlock B, class A, int K, class R>
FUSE_HD void batched_row_fold(B& block, A (&values)[K], const R& r, unsigned rank, unsigned length, unsigned row,
                              unsigned rows) {
    if (length == 1) {
        return;
    }
    if constexpr (Shuffles<B>) {
        static_assert(K <= B::warp_size, "a warp owns at most one value per lane");
        if (fits_in_warp(length, B::warp_size)) {
            if constexpr (may_have_partial_warp<B>) {
                if (block.in_complete_warp()) {
                    auto warp = block.complete_warps();
                    batched_segment_fold<K, 1>(warp, values, r, rank, static_cast<int>(length));
                    return;
                }
            }
            batched_segment_fold<K, 1>(block, values, r, rank, static_cast<int>(length));
            return;
        }
        if (regular_shape<B> || length % B::warp_size == 0 || (rows == 1 && length > B::warp_size)) {
            if constexpr (K == 1) {
                values[0] = row_fold<Mode>(block, values[0], r, rank, length, row, rows);
            } else {
                batched_warp_rows<Mode>(block, values, r, rank, length, row, rows);
            }
            return;
        }
        if (rows == 1) {
            partial_warp_fold(block, values, r, rank, length);
            FUSE_UNROLL
            for (int k = 0; k < K; ++k) {
                values[k] = WarpBroadcast(block, values[k], 0, B::warp_size);
            }
            return;
        }
    }
    fold_as_batch(values, r, [&](const auto& batch, const auto& reduction) FUSE_INLINE_LAMBDA {
        return scratch_fold<Mode>(block, batch, reduction, GroupMember{rank, length, row, rows, false});
    });
}

/// Bytes of one half of scratch that batched_row_fold needs for `rows` rows.
template <int K>
constexpr std::size_t batched_row_fold_scratch_bytes(unsigned length, unsigned rows, std::size_t accumulator_bytes,
                                                     BlockTraits block) {
    const unsigned warp = block.warp_size;
    if (fits_in_warp(length, warp) || (rows == 1 && length < warp)) {
        return 0;
    }
    std::size_t slots = std::size_t{K} * scratch_fold_slots(length, rows);
    if (warp > 1 && (length % warp == 0 || rows == 1)) {
        if (K == 1) {
            return row_fold_scratch_bytes(length, rows, accumulator_bytes, block);
        }
        slots = std::size_t{rows} * BatchRake<K>(length, accumulator_bytes, warp).slots();
    }
    return scratch_round_up(slots * accumulator_bytes);
}

}  // namespace detail

/// Bytes of one half of the scratch memory that BatchedBlockReduce needs: give the launch twice as much.
template <int K>
constexpr std::size_t batched_block_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                                         BlockTraits block = {}) {
    return detail::batched_row_fold_scratch_bytes<K>(dim_x * dim_y, 1, accumulator_bytes, block);
}

/// Replaces each of the K values, at most as many as a warp has lanes, by its fold over the block in linear thread
/// order, in every thread (or only in thread 0, with OneThread; other threads are undefined). No barrier up to 32
/// threads, else two, or one with OneThread. All threads must call.
template <ThreadBlock B, class A, int K, class R, class Mode = AllThreads>
FUSE_HD void BatchedBlockReduce(B& block, A (&values)[K], const R& r, Mode = {}) {
    detail::batched_row_fold<Mode>(block, values, r, linear_thread(block), block_threads(block), 0, 1);
}

/// Bytes of one half of the scratch memory that BatchedBlockXReduce needs: give the launch twice as much.
template <int K>
constexpr std::size_t batched_x_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                                     BlockTraits block = {}) {
    return detail::batched_row_fold_scratch_bytes<K>(dim_x, dim_y, accumulator_bytes, block);
}

/// The same along x, for each row of the block by itself. Rows that neither are whole warps nor divide one keep K slots
/// per thread in scratch memory, unless there is only one.
template <ThreadBlock B, class A, int K, class R, class Mode = AllThreads>
FUSE_HD void BatchedBlockXReduce(B& block, A (&values)[K], const R& r, Mode = {}) {
    detail::batched_row_fold<Mode>(block, values, r, block.thread_x(), block.dim_x(), block.thread_y(), block.dim_y());
}

/// Bytes of one half of the scratch memory that BatchedBlockYReduce needs: give the launch twice as much.
template <int K>
constexpr std::size_t batched_y_reduce_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                                     BlockTraits block = {}) {
    if (dim_x == 1) {
        return detail::batched_row_fold_scratch_bytes<K>(dim_y, 1, accumulator_bytes, block);
    }
    return y_reduce_scratch_bytes(dim_x, dim_y, K * accumulator_bytes, block);
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
    detail::fold_as_batch(values, r, [&](const auto& batch, const auto& reduction) FUSE_INLINE_LAMBDA {
        return detail::column_fold<Mode>(block, batch, reduction);
    });
}

FUSE_END_NAMESPACE
