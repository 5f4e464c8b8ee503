// SPDX-License-Identifier: Apache-2.0
//
// BlockScan: prefixes over the threads of a block, BlockXScan over those of each row, BlockYScan over those of each
// column, in thread order and for any block shape. Three ways, chosen by the length:
//   a power of two within a warp   shuffles only;
//   whole warps                    shuffles, warp totals to scratch, one barrier, then *every* warp scans the totals
//                                  again, which is cheaper than a second barrier to broadcast the result;
//   columns, several rows a warp   shuffles, warp totals to scratch, one barrier, every thread folds those of its column;
//   anything else                  all values to scratch; above 32 threads in two levels of about sqrt(n) each.
#pragma once

#include "fuse/primitives/block/block_y_reduce.hpp"
#include "fuse/primitives/warp/warp_broadcast.hpp"
#include "fuse/primitives/warp/warp_scan.hpp"

FUSE_BEGIN_NAMESPACE

/// What a thread learns from a scan. Its inclusive prefix is combine(before, own value).
template <class A>
struct Prefix {
    A before;  ///< fold of the threads before this one, the identity for the first
    A total;   ///< fold of all of them
};

namespace detail {

/// Bytes of one half of scratch that row_scan needs for `rows` rows.
constexpr std::size_t row_scan_scratch_bytes(unsigned length, unsigned rows, std::size_t accumulator_bytes,
                                             BlockTraits block) {
    const unsigned warp = block.warp_size;
    if (fits_in_warp(length, warp)) {
        return 0;
    }
    const unsigned slots = fills_warps(length, warp) ? rows * (length / warp) : scratch_fold_slots(length, rows);
    return scratch_round_up(slots * accumulator_bytes);
}

/// Prefix of each warp over the `warps` warps of its row, from a value that all lanes of a warp hold. One barrier.
template <Shuffles B, class A, class R>
FUSE_HD Prefix<A> scan_warps(B& block, A warp_total, const R& r, unsigned lane, unsigned warp, unsigned warps,
                             unsigned row, unsigned rows) {
    static_assert(B::warp_size * B::warp_size >= max_block_threads, "one warp holds the totals of all others");
    A* totals = block.template scratch<A>(rows * warps) + row * warps;
    if (lane == 0) {
        totals[warp] = warp_total;
    }
    block.sync();
    const A scanned = WarpScan(block, lane < warps ? totals[lane] : A(r.init()), r, B::warp_size);
    const A before = WarpBroadcast(block, scanned, warp == 0 ? 0 : static_cast<int>(warp) - 1, B::warp_size);
    return {warp == 0 ? A(r.init()) : before, WarpBroadcast(block, scanned, static_cast<int>(warps) - 1, B::warp_size)};
}

template <Shuffles B, class A, class R>
FUSE_HD Prefix<A> warp_row_scan(B& block, A acc, const R& r, unsigned rank, unsigned length, unsigned row,
                                unsigned rows) {
    constexpr unsigned width = B::warp_size;
    const A inclusive = WarpScan(block, acc, r, B::warp_size);
    const A in_warp = WarpShiftScan(block, inclusive, r, B::warp_size);
    const A warp_total = WarpBroadcast(block, inclusive, B::warp_size - 1, B::warp_size);
    const Prefix<A> warps = scan_warps(block, warp_total, r, rank % width, rank / width, length / width, row, rows);
    return {r.combine(warps.before, in_warp), warps.total};
}

/// acc, then the slots [first, end) that are `stride` apart.
template <class A, class R>
FUSE_HD A fold_onto(A acc, const A* slots, unsigned first, unsigned end, unsigned stride, const R& r) {
    for (unsigned k = first; k < end; ++k) {
        acc = r.combine(acc, slots[k * stride]);
    }
    return acc;
}

/// The scan that works for any block shape, with the memory of scratch_fold.
template <ThreadBlock B, class A, class R>
FUSE_HD Prefix<A> scratch_scan(B& block, A acc, const R& r, GroupMember me) {
    const ScratchValues<A> group = share_values(block, acc, me);
    const A* values = group.values;
    const unsigned stride = group.stride;
    if (me.count <= scratch_fold_one_level) {
        const A before = fold_onto(A(r.init()), values, 0, me.rank, stride, r);
        return {before, fold_onto(before, values, me.rank, me.count, stride, r)};
    }
    const auto fold = [&](const A* slots, unsigned first, unsigned end) FUSE_INLINE_LAMBDA {
        return fold_onto(slots[first * stride], slots, first + 1, end, stride, r);
    };
    const ScratchChunks<A> chunks = share_chunks(block, group, me, fold);
    const unsigned own = me.rank / chunks.length;
    const A before = fold_onto(A(r.init()), chunks.partials, 0, own, stride, r);
    return {fold_onto(before, values, own * chunks.length, me.rank, stride, r),
            fold_onto(before, chunks.partials, own, chunks.count, stride, r)};
}

/// Columns of which a warp has several rows each: dim_x lanes apart by shuffles, then over the warps. The last row of each
/// warp brings the warp's folds, and every thread folds those of its column. One barrier.
template <Shuffles B, class A, class R>
FUSE_HD Prefix<A> narrow_column_scan(B& block, A acc, const R& r) {
    constexpr unsigned width = B::warp_size;
    const unsigned x = block.thread_x();
    const unsigned columns = block.dim_x();
    const unsigned lane = linear_thread(block) % width;
    const unsigned warp = linear_thread(block) / width;
    const unsigned warps = block_threads(block) / width;
    for (unsigned distance = columns; distance < width; distance *= 2) {
        const A before = block.shuffle_up(acc, distance, B::warp_size);
        const A joined = r.combine(before, acc);
        acc = lane >= distance ? joined : acc;
    }
    const A shifted = block.shuffle_up(acc, columns, B::warp_size);
    A before = lane < columns ? A(r.init()) : shifted;
    A* totals = block.template scratch<A>(warps * columns);
    if (lane >= width - columns) {
        totals[warp * columns + x] = acc;
    }
    block.sync();
    A total = totals[x];
    A above = warp == 0 ? A(r.init()) : total;
    for (unsigned w = 1; w < warps; ++w) {
        const A next = totals[w * columns + x];
        total = r.combine(total, next);
        above = w < warp ? total : above;
    }
    return {r.combine(above, before), total};
}

template <ThreadBlock B, class A, class R>
FUSE_HD Prefix<A> row_scan(B& block, A acc, const R& r, unsigned rank, unsigned length, unsigned row, unsigned rows) {
    if (length == 1) {
        return {A(r.init()), acc};
    }
    if constexpr (Shuffles<B>) {
        if (fits_in_warp(length, B::warp_size)) {
            const int width = static_cast<int>(length);
            const A inclusive = WarpScan(block, acc, r, width);
            return {WarpShiftScan(block, inclusive, r, width), WarpBroadcast(block, inclusive, width - 1, width)};
        }
        if (regular_shape<B> || length % B::warp_size == 0) {
            return warp_row_scan(block, acc, r, rank, length, row, rows);
        }
    }
    return scratch_scan(block, acc, r, GroupMember{rank, length, row, rows, false});
}

}  // namespace detail

/// Bytes of one half of the scratch memory that BlockScan needs: give the launch twice as much.
constexpr std::size_t block_scan_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                               BlockTraits block = {}) {
    return detail::row_scan_scratch_bytes(dim_x * dim_y, 1, accumulator_bytes, block);
}
/// The same for BlockXScan.
constexpr std::size_t x_scan_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                           BlockTraits block = {}) {
    return detail::row_scan_scratch_bytes(dim_x, dim_y, accumulator_bytes, block);
}

/// The same for BlockYScan.
constexpr std::size_t y_scan_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                           BlockTraits block = {}) {
    if (dim_y == 1) {
        return 0;
    }
    if (dim_x == 1) {
        return detail::row_scan_scratch_bytes(dim_y, 1, accumulator_bytes, block);
    }
    return scratch_round_up(detail::scratch_fold_slots(dim_y, dim_x) * accumulator_bytes);
}

/// Prefix of each thread over the block in linear order (y * dim_x + x). All threads must call. At most two barriers.
template <ThreadBlock B, class A, class R>
FUSE_HD Prefix<A> BlockScan(B& block, A acc, const R& r) {
    return detail::row_scan(block, acc, r, linear_thread(block), block_threads(block), 0, 1);
}

/// Prefix of each thread over its row of dim_x threads. All threads must call. At most two barriers, none for rows of
/// 1, 2, 4, ... threads of one warp.
template <ThreadBlock B, class A, class R>
FUSE_HD Prefix<A> BlockXScan(B& block, A acc, const R& r) {
    return detail::row_scan(block, acc, r, block.thread_x(), block.dim_x(), block.thread_y(), block.dim_y());
}

/// Prefix of each thread over its column of dim_y threads. All threads must call. One barrier up to 32 rows, two above,
/// none for one row.
template <ThreadBlock B, class A, class R>
FUSE_HD Prefix<A> BlockYScan(B& block, A acc, const R& r) {
    if (block.dim_x() == 1) {  // a single column is a row of consecutive threads
        return detail::row_scan(block, acc, r, block.thread_y(), block.dim_y(), 0, 1);
    }
    if (block.dim_y() == 1) {
        return {A(r.init()), acc};
    }
    if constexpr (Shuffles<B>) {
        constexpr unsigned width = B::warp_size;
        if (block.dim_x() < width && detail::fits_in_warp(block.dim_x(), width) &&
            (regular_shape<B> || block_threads(block) % width == 0)) {
            return detail::narrow_column_scan(block, acc, r);
        }
    }
    return detail::scratch_scan(
        block, acc, r, detail::GroupMember{block.thread_y(), block.dim_y(), block.thread_x(), block.dim_x(), true});
}

FUSE_END_NAMESPACE
