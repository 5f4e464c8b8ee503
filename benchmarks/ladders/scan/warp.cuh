// SPDX-License-Identifier: Apache-2.0
//
// Step 4: the first five rounds by shuffles, inside the warps; only the warps' totals go through shared memory, where
// one warp scans them. Two barriers whatever the size of the block. The totals are as many as the block has warps,
// which may be fewer than 32: the lanes without one scan zeros and store nothing.
#pragma once

#include "segment.cuh"

namespace bench::scan {

/// Inclusive over the warp. All lanes must call.
__device__ inline float scan_warp(float v) {
    // [snippet:shuffles]
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const float left = __shfl_up_sync(0xffffffffu, v, distance);
        if (threadIdx.x % 32 >= distance) {
            v += left;
        }
    }
    // [snippet:end]
    return v;
}

/// The sum of all warps before this one, from each warp's inclusive scan. Two barriers.
template <unsigned T>
__device__ float sum_of_warps_before(float inclusive) {
    static_assert(T % 32 == 0 && T <= 1024, "whole warps, no more than one warp can scan");
    constexpr unsigned warps = T / 32;
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    // [snippet:totals]
    __shared__ float totals[warps];
    if (lane == 31) {
        totals[warp] = inclusive;
    }
    __syncthreads();
    if (warp == 0) {
        const float scanned = scan_warp(lane < warps ? totals[lane] : 0.0f);
        if (lane < warps) {
            totals[lane] = scanned;
        }
    }
    __syncthreads();
    return warp == 0 ? 0.0f : totals[warp - 1];
    // [snippet:end]
}

/// Segments of T items.
template <unsigned T>
__global__ void __launch_bounds__(T) warp_scan(const float* x, float* out, std::size_t n) {
    const std::size_t i = blockIdx.x * std::size_t{T} + threadIdx.x;
    const float inclusive = scan_warp(item_or_zero(x, i, n));
    const float before = sum_of_warps_before<T>(inclusive);
    if (i < n) {
        out[i] = before + inclusive;
    }
}

}  // namespace bench::scan
