// SPDX-License-Identifier: Apache-2.0
//
// Step 2: the same tree with the strides in falling order. The active threads are the first ones, so whole warps
// retire instead of idling lane by lane, and neighbouring lanes touch neighbouring words.
#pragma once

#include "segment.cuh"

namespace bench::reduction {

/// As simple_sum.
__global__ void __launch_bounds__(block_threads)
    convergent_sum(const float* x, float* tree, float* sums, std::size_t n) {
    const unsigned t = threadIdx.x;
    const std::size_t first = blockIdx.x * std::size_t{2 * block_threads} + t;
    float* v = tree + blockIdx.x * std::size_t{block_threads};
    // [snippet:tree]
    v[t] = item_or_zero(x, first, n) + item_or_zero(x, first + block_threads, n);
    for (unsigned stride = block_threads / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            v[t] += v[t + stride];
        }
    }
    // [snippet:end]
    if (t == 0) {
        sums[blockIdx.x] = v[0];
    }
}

}  // namespace bench::reduction
