// SPDX-License-Identifier: Apache-2.0
//
// Step 1: a tree over neighbours, in global memory. Active threads lie ever further apart (0, 2, 4, ... then 0, 4, 8,
// ...), so every warp stays busy to the end with fewer and fewer of its lanes, and the lanes' addresses spread over
// ever more cache lines.
#pragma once

#include "segment.cuh"

namespace bench::reduction {

/// sums[b] = the sum of the b-th segment of 2 * block_threads items. `tree` holds block_threads floats per block, so
/// that x stays as it is (the textbook folds in place). Launch again on `sums` until one is left (levels.cuh).
__global__ void __launch_bounds__(block_threads) simple_sum(const float* x, float* tree, float* sums, std::size_t n) {
    const unsigned t = threadIdx.x;
    const std::size_t first = blockIdx.x * std::size_t{2 * block_threads} + 2 * t;
    float* v = tree + blockIdx.x * std::size_t{block_threads};
    // [snippet:tree]
    v[t] = item_or_zero(x, first, n) + item_or_zero(x, first + 1, n);
    for (unsigned stride = 1; stride < block_threads; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0) {
            v[t] += v[t + stride];
        }
    }
    // [snippet:end]
    if (t == 0) {
        sums[blockIdx.x] = v[0];
    }
}

}  // namespace bench::reduction
