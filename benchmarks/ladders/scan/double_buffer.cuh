// SPDX-License-Identifier: Apache-2.0
//
// Step 3: two buffers in turn. A round stores where the last one did not read, so the second barrier goes: whoever
// stores to a buffer again has passed the barrier of the round between, and by then all reads of that buffer are over.
#pragma once

#include "segment.cuh"

namespace bench::scan {

/// Segments of T items.
template <unsigned T>
__global__ void __launch_bounds__(T) double_buffer_scan(const float* x, float* out, std::size_t n) {
    __shared__ float s[2][T];
    const unsigned t = threadIdx.x;
    const std::size_t i = blockIdx.x * std::size_t{T} + t;
    float v = item_or_zero(x, i, n);
    // [snippet:rounds]
    unsigned turn = 0;
    for (unsigned stride = 1; stride < T; stride *= 2, turn = 1 - turn) {
        s[turn][t] = v;
        __syncthreads();
        if (t >= stride) {
            v += s[turn][t - stride];
        }
    }
    // [snippet:end]
    if (i < n) {
        out[i] = v;
    }
}

}  // namespace bench::scan
