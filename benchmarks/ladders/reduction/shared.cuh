// SPDX-License-Identifier: Apache-2.0
//
// Step 3: the same tree in shared memory. Global memory is read once and written once per block; the ten rounds of the
// tree stay inside the multiprocessor.
#pragma once

#include "segment.cuh"

namespace bench::reduction {

/// The tree of steps 3 and 4: the sum of the block's segment, in thread 0 (the others get what they last wrote).
__device__ inline float shared_tree(const float* x, std::size_t n) {
    const unsigned t = threadIdx.x;
    const std::size_t first = blockIdx.x * std::size_t{2 * block_threads} + t;
    // [snippet:tree]
    __shared__ float v[block_threads];
    v[t] = item_or_zero(x, first, n) + item_or_zero(x, first + block_threads, n);
    for (unsigned stride = block_threads / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            v[t] += v[t + stride];
        }
    }
    // [snippet:end]
    return v[t];  // v[0] is thread 0's alone: the others may not read it without another barrier
}

/// sums[b] = the sum of the b-th segment of 2 * block_threads items; launch again on `sums` until one is left.
__global__ void __launch_bounds__(block_threads) shared_sum(const float* x, float* sums, std::size_t n) {
    const float sum = shared_tree(x, n);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
    }
}

}  // namespace bench::reduction
