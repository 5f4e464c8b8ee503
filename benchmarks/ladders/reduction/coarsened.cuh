// SPDX-License-Identifier: Apache-2.0
//
// Step 5: fewer, longer threads. Each first adds `items` values of its own, with all its loads in flight at once; only
// then comes a tree, by shuffles inside the warps and once through shared memory between them. Blocks, barriers and
// atomics are paid once per 16384 items instead of once per 2048.
#pragma once

#include "segment.cuh"

namespace bench::reduction {

inline constexpr unsigned items = 16;

/// The sum of the warp, in lane 0. All lanes must call.
__device__ inline float warp_sum(float v) {
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        v += __shfl_down_sync(0xffffffffu, v, distance);
    }
    return v;
}

/// Adds the sum of x to *out, which starts at 0.
__global__ void __launch_bounds__(block_threads) coarsened_sum(const float* x, float* out, std::size_t n) {
    constexpr unsigned warps = block_threads / 32;
    static_assert(warps <= 32, "one warp folds the sums of all");
    const unsigned t = threadIdx.x;
    const unsigned lane = t % 32;
    const unsigned warp = t / 32;
    const std::size_t first = blockIdx.x * std::size_t{items * block_threads} + t;
    float v = 0;
    // [snippet:coarse]
    if (first - t + items * block_threads <= n) {
#pragma unroll
        for (unsigned i = 0; i < items; ++i) {
            v += x[first + i * block_threads];
        }
    } else {
        for (unsigned i = 0; i < items; ++i) {
            v += item_or_zero(x, first + i * block_threads, n);
        }
    }
    v = warp_sum(v);
    __shared__ float sums[warps];
    if (lane == 0) {
        sums[warp] = v;
    }
    __syncthreads();
    if (warp == 0) {
        v = warp_sum(lane < warps ? sums[lane] : 0.0f);
    }
    // [snippet:end]
    if (t == 0) {
        atomicAdd(out, v);
    }
}

}  // namespace bench::reduction
