// SPDX-License-Identifier: Apache-2.0
//
// Step 2: the same rounds in shared memory. Global memory is read once and written once.
#pragma once

#include "segment.cuh"

namespace bench::scan {

/// Segments of T items.
template <unsigned T>
__global__ void __launch_bounds__(T) shared_scan(const float* x, float* out, std::size_t n) {
    __shared__ float s[T];
    const unsigned t = threadIdx.x;
    const std::size_t i = blockIdx.x * std::size_t{T} + t;
    float v = item_or_zero(x, i, n);
    // [snippet:rounds]
    for (unsigned stride = 1; stride < T; stride *= 2) {
        s[t] = v;
        __syncthreads();
        if (t >= stride) {
            v += s[t - stride];
        }
        __syncthreads();
    }
    // [snippet:end]
    if (i < n) {
        out[i] = v;
    }
}

}  // namespace bench::scan
