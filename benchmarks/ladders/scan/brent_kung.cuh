// SPDX-License-Identifier: Apache-2.0
//
// Beside the ladder: Brent and Kung's work-efficient scan (1982). Up the tree to the sums of aligned pieces of 2, 4,
// 8, ... items, down again to what lies between: about 2 n additions instead of n log2(n), for about twice the barriers
// of the double buffer and with most threads idle in most rounds.
#pragma once

#include <bit>

#include "segment.cuh"

namespace bench::scan {

/// Half of the largest power of two below Length: the widest stride on the way down.
template <unsigned Length>
inline constexpr unsigned down_from = std::bit_floor(Length - 1) / 2;

/// Segments of 2 * T items.
template <unsigned T>
__global__ void __launch_bounds__(T) brent_kung_scan(const float* x, float* out, std::size_t n) {
    constexpr unsigned length = 2 * T;
    __shared__ float s[length];
    const unsigned t = threadIdx.x;
    const std::size_t i = blockIdx.x * std::size_t{length} + t;
    s[t] = item_or_zero(x, i, n);
    s[t + T] = item_or_zero(x, i + T, n);
    // [snippet:rounds]
    for (unsigned stride = 1; stride <= T; stride *= 2) {
        __syncthreads();
        const unsigned last = (t + 1) * 2 * stride - 1;
        if (last < length) {
            s[last] += s[last - stride];
        }
    }
    for (unsigned stride = down_from<length>; stride > 0; stride /= 2) {
        __syncthreads();
        const unsigned last = (t + 1) * 2 * stride - 1;
        if (last + stride < length) {
            s[last + stride] += s[last];
        }
    }
    // [snippet:end]
    __syncthreads();
    if (i < n) {
        out[i] = s[t];
    }
    if (i + T < n) {
        out[i + T] = s[t + T];
    }
}

}  // namespace bench::scan
