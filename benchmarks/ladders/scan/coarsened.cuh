// SPDX-License-Identifier: Apache-2.0
//
// Step 5: several consecutive items per thread. Each scans its own serially, which costs one addition per item, and
// only the threads' totals go through the parallel scan. Global memory wants neighbouring lanes at neighbouring
// addresses and the serial scan wants neighbouring items in one thread: shared memory turns one order into the other.
#pragma once

#include "warp.cuh"

namespace bench::scan {

/// One word of padding after each 32, so that 32 lanes that are Items words apart meet 32 different banks.
__device__ constexpr unsigned padded(unsigned i) {
    return i + i / 32;
}

/// Segments of T * Items items.
template <unsigned T, unsigned Items>
__global__ void __launch_bounds__(T) coarsened_scan(const float* x, float* out, std::size_t n) {
    constexpr unsigned length = T * Items;
    static_assert(T % 32 == 0 && 32 % Items == 0, "no padding within a row of T items or within a thread's own items");
    __shared__ float s[padded(length)];
    const unsigned t = threadIdx.x;
    const std::size_t first = blockIdx.x * std::size_t{length} + t;
    const std::size_t left = n > first ? n - first : 0;  // items from the thread's first on
    float* striped = s + padded(t);                      // item j * T + t of the segment is striped[j * padded(T)]
    float* blocked = s + padded(t * Items);              // item t * Items + j is blocked[j]
    float v[Items];
#pragma unroll
    for (unsigned j = 0; j < Items; ++j) {
        v[j] = j * T < left ? x[first + j * T] : 0.0f;
    }
#pragma unroll
    for (unsigned j = 0; j < Items; ++j) {
        striped[j * padded(T)] = v[j];
    }
    __syncthreads();
    // [snippet:serial]
    float sum = 0;
#pragma unroll
    for (unsigned j = 0; j < Items; ++j) {
        sum += blocked[j];
        v[j] = sum;
    }
    const float scanned = scan_warp(sum);
    const float lanes_before = __shfl_up_sync(0xffffffffu, scanned, 1);
    const float before = sum_of_warps_before<T>(scanned) + (t % 32 == 0 ? 0.0f : lanes_before);
#pragma unroll
    for (unsigned j = 0; j < Items; ++j) {
        blocked[j] = before + v[j];
    }
    // [snippet:end]
    __syncthreads();
#pragma unroll
    for (unsigned j = 0; j < Items; ++j) {
        if (j * T < left) {
            out[first + j * T] = striped[j * padded(T)];
        }
    }
}

}  // namespace bench::scan
