// SPDX-License-Identifier: Apache-2.0
//
// Step 4: the segments' sums meet in one atomic word. One launch for any length, no array of partial sums, and no
// order either: floating-point addition is not associative, so the last bits change from run to run.
#pragma once

#include "shared.cuh"

namespace bench::reduction {

/// Adds the sum of x to *out, which starts at 0.
__global__ void __launch_bounds__(block_threads) segmented_sum(const float* x, float* out, std::size_t n) {
    // [snippet:atomic]
    const float sum = shared_tree(x, n);
    if (threadIdx.x == 0) {
        atomicAdd(out, sum);
    }
    // [snippet:end]
}

}  // namespace bench::reduction
