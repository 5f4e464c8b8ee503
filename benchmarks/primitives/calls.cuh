// SPDX-License-Identifier: Apache-2.0
//
// The collectives that bench_primitives times, fuse's and CUB's, and the kernel that repeats one. A call says how many
// threads it is launched with at most, and replaces values by results.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include <fuse/primitives.hpp>

namespace collectives {

using namespace fuse;

inline constexpr int iterations = 1000;

template <class T>
using Sum = SumReduction<T, T>;

template <class Block, class Over, class Mode, unsigned Threads>
struct FuseReduce {
    static constexpr unsigned threads = Threads;
    Block block;

    template <class T>
    __device__ void operator()(T (&v)[1]) {
        if constexpr (std::is_same_v<Over, OverX>) {
            v[0] = BlockXReduce(block, v[0], Sum<T>{}, Mode{});
        } else if constexpr (std::is_same_v<Over, OverY>) {
            v[0] = BlockYReduce(block, v[0], Sum<T>{}, Mode{});
        } else {
            v[0] = BlockReduce(block, v[0], Sum<T>{}, Mode{});
        }
    }
};

template <class Block, unsigned Threads, bool Batched>
struct FuseReduceMany {
    static constexpr unsigned threads = Threads;
    Block block;

    template <class T, int K>
    __device__ void operator()(T (&v)[K]) {
        if constexpr (Batched) {
            BatchedBlockReduce(block, v, Sum<T>{});
        } else {
            FUSE_UNROLL
            for (int k = 0; k < K; ++k) {
                v[k] = BlockReduce(block, v[k], Sum<T>{});
            }
        }
    }
};

template <class Block, unsigned Threads>
struct FuseScan {
    static constexpr unsigned threads = Threads;
    Block block;

    template <class T>
    __device__ void operator()(T (&v)[1]) {
        const auto prefix = BlockScan(block, v[0], Sum<T>{});
        v[0] = prefix.before + prefix.total;
    }
};

/// Two memories in turn, which saves CUB the barrier between calls, as fuse does without one.
template <unsigned Threads, cub::BlockReduceAlgorithm Algorithm, bool All>
struct CubReduce {
    static constexpr unsigned threads = Threads;
    unsigned turn = 0;

    template <class T>
    __device__ void operator()(T (&v)[1]) {
        using Reduce = cub::BlockReduce<T, Threads, Algorithm>;
        __shared__ typename Reduce::TempStorage memory[2];
        __shared__ T result[2];
        const T sum = Reduce(memory[turn]).Sum(v[0]);
        if constexpr (All) {
            if (threadIdx.x == 0) {
                result[turn] = sum;
            }
            __syncthreads();
            v[0] = result[turn];
        } else {
            v[0] = sum;
        }
        turn ^= 1;
    }
};

template <unsigned Threads, cub::BlockScanAlgorithm Algorithm>
struct CubScan {
    static constexpr unsigned threads = Threads;
    unsigned turn = 0;

    template <class T>
    __device__ void operator()(T (&v)[1]) {
        using Scan = cub::BlockScan<T, Threads, Algorithm>;
        __shared__ typename Scan::TempStorage memory[2];
        T before, total;
        Scan(memory[turn]).ExclusiveSum(v[0], before, total);
        v[0] = before + total;
        turn ^= 1;
    }
};

/// What a thread puts into the next call: its input plus `feedback` times the result; where it has none (one thread of
/// a group gets it), times 0 and 1 in turn.
template <class Call, int K, class T>
__global__ void __launch_bounds__(Call::threads)
    repeat(const T* inputs, const unsigned char* has_result, T feedback, T* out) {
    Call call{};
    const unsigned threads = blockDim.x * blockDim.y;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const bool mine = has_result[thread] != 0;
    T x[K], v[K];
    FUSE_UNROLL
    for (int k = 0; k < K; ++k) {
        v[k] = x[k] = inputs[static_cast<unsigned>(k) * threads + thread];
    }
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
        call(v);
        if (i + 1 < iterations) {
            FUSE_UNROLL
            for (int k = 0; k < K; ++k) {
                v[k] = x[k] + feedback * (mine ? v[k] : T(i & 1));
            }
        }
    }
    FUSE_UNROLL
    for (int k = 0; k < K; ++k) {
        out[(std::size_t{blockIdx.x} * K + static_cast<unsigned>(k)) * threads + thread] = v[k];
    }
}

}  // namespace collectives
