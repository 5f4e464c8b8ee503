// SPDX-License-Identifier: Apache-2.0
//
// Step 1: Kogge and Stone's scan (1973) in global memory. In the round of stride s every item adds the one s places
// before it: log2(T) rounds, each a store and a load of the whole segment.
#pragma once

#include "segment.cuh"

namespace bench::scan {

/// Segments of T items.
template <unsigned T>
__global__ void __launch_bounds__(T) naive_scan(const float* x, float* out, std::size_t n) {
    const unsigned t = threadIdx.x;
    const std::size_t i = blockIdx.x * std::size_t{T} + t;
    float v = item_or_zero(x, i, n);
    // [snippet:rounds]
    for (unsigned stride = 1; stride < T; stride *= 2) {
        if (i < n) {
            out[i] = v;
        }
        __syncthreads();
        if (t >= stride && i < n) {
            v += out[i - stride];
        }
        __syncthreads();  // nobody may store the next round while others still read this one
    }
    // [snippet:end]
    if (i < n) {
        out[i] = v;
    }
}

}  // namespace bench::scan
