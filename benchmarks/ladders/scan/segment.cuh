// SPDX-License-Identifier: Apache-2.0
//
// What the steps of the scan ladder share. Block b scans the b-th segment of the array by itself: out[i] is the sum of
// its segment's items up to and including i. Every kernel is a template over the number of threads, so that the checks
// can run shapes other than the one that is timed.
#pragma once

#include <cstddef>

namespace bench::scan {

__device__ inline float item_or_zero(const float* x, std::size_t i, std::size_t n) {
    return i < n ? x[i] : 0.0f;
}

}  // namespace bench::scan
