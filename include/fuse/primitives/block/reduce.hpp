// SPDX-License-Identifier: Apache-2.0
//
// ReduceLocal and ReduceGlobal: the two modes of the Reduce primitive. Local folds what one thread holds in registers;
// global folds each of the registers over the threads, all of them together at the price of one fold's barriers.
#pragma once

#include <type_traits>

#include "fuse/primitives/block/batched_reduce.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

/// The threads that ReduceGlobal folds over: the whole block in linear order, each row, or each column.
struct OverBlock {};
struct OverX {};
struct OverY {};

/// The fold of the N values in index order. Neighbours are joined in pairs, so N values cost log2(N) dependent steps.
template <class A, int N, class R>
FUSE_HD A ReduceLocal(const A (&values)[N], const R& r) {
    A part[N];
    FUSE_UNROLL
    for (int k = 0; k < N; ++k) {
        part[k] = values[k];
    }
    FUSE_UNROLL
    for (int step = 1; step < N; step *= 2) {
        FUSE_UNROLL
        for (int k = 0; k + step < N; k += 2 * step) {
            part[k] = r.combine(part[k], part[k + step]);
        }
    }
    return part[0];
}

template <class A, int V, class R>
FUSE_HD A ReduceLocal(const Pack<A, V>& values, const R& r) {
    return ReduceLocal(values.item, r);
}

/// out[iy] = the fold of tile[iy * NX .. iy * NX + NX): each row of a tile of NY rows.
template <int NX, class A, int NY, int V, class R>
FUSE_HD void ReduceLocal(Pack<A, NY>& out, const Pack<A, V>& tile, const R& r) {
    static_assert(V == NX * NY, "the tile must consist of NY rows of NX items");
    FUSE_UNROLL
    for (int iy = 0; iy < NY; ++iy) {
        A row[NX];
        FUSE_UNROLL
        for (int ix = 0; ix < NX; ++ix) {
            row[ix] = tile.item[iy * NX + ix];
        }
        out.item[iy] = ReduceLocal(row, r);
    }
}

/// Bytes of one half of the scratch memory that ReduceGlobal of N values needs: give the launch twice as much.
template <int N, class Over = OverBlock>
constexpr std::size_t reduce_global_scratch_bytes(unsigned dim_x, unsigned dim_y, std::size_t accumulator_bytes,
                                                  BlockTraits block = {}) {
    if constexpr (std::is_same_v<Over, OverX>) {
        return batched_x_reduce_scratch_bytes<N>(dim_x, dim_y, accumulator_bytes, block);
    } else if constexpr (std::is_same_v<Over, OverY>) {
        return batched_y_reduce_scratch_bytes<N>(dim_x, dim_y, accumulator_bytes, block);
    } else {
        static_assert(std::is_same_v<Over, OverBlock>);
        return batched_block_reduce_scratch_bytes<N>(dim_x, dim_y, accumulator_bytes, block);
    }
}

/// Replaces each of the N values, at most as many as a warp has lanes, by its fold over the block, the row or the column, in each of its threads (or
/// only in its first one, with OneThread; others are undefined). At most two barriers, however many values. All threads
/// must call.
template <class Over = OverBlock, ThreadBlock B, class A, int N, class R, class Mode = AllThreads>
FUSE_HD void ReduceGlobal(B& block, A (&values)[N], const R& r, Mode mode = {}) {
    if constexpr (std::is_same_v<Over, OverX>) {
        BatchedBlockXReduce(block, values, r, mode);
    } else if constexpr (std::is_same_v<Over, OverY>) {
        BatchedBlockYReduce(block, values, r, mode);
    } else {
        static_assert(std::is_same_v<Over, OverBlock>);
        BatchedBlockReduce(block, values, r, mode);
    }
}

template <class Over = OverBlock, ThreadBlock B, class A, int V, class R, class Mode = AllThreads>
FUSE_HD void ReduceGlobal(B& block, Pack<A, V>& values, const R& r, Mode mode = {}) {
    ReduceGlobal<Over>(block, values.item, r, mode);
}

FUSE_END_NAMESPACE
