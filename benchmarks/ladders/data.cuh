// SPDX-License-Identifier: Apache-2.0
//
// The two kinds of data every step is checked on, because neither check alone is enough.
//
// integers  Random odd integers from -7 to 7. Every partial sum is an integer far below 2^24 (2^28 items: a deviation
//           of about 75 000), hence exact in float whatever the order: the result must equal the float64 reference to
//           the last bit. One item lost, doubled or misplaced shows.
// uniform   Random values in [-1, 1). A balanced tree of n float additions errs by at most log2(n) * 2^-24 times the
//           sum of absolute values; twice that, log2(n) * 2^-23, is the tolerance for every step. Steps that add in
//           longer chains (one atomic word, look-back) stay within it too, since partial sums of mixed signs and their
//           rounding errors grow with the root of n only. It shows lost accuracy, but not one lost item among 2^28.
#pragma once

#include <cmath>

#include "../timing.cuh"

namespace bench {

enum class Data { integers, uniform };

constexpr const char* name_of(Data kind) {
    return kind == Data::integers ? "integers" : "uniform";
}

/// Largest error allowed, relative to the sum of absolute values.
inline double tolerance(Data kind, std::size_t n) {
    return kind == Data::integers ? 0.0 : std::log2(static_cast<double>(n) + 1) * 0x1p-23;
}

/// [-1, 1) to the odd integers from -7 to 7.
__global__ void to_odd_integers(float* x, std::size_t n) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        x[i] = 2 * floorf(4 * x[i]) + 1;
    }
}

inline void fill(Data kind, float* x, std::size_t n) {
    fill_random<<<2048, 256>>>(x, n, 1);
    if (kind == Data::integers) {
        to_odd_integers<<<2048, 256>>>(x, n);
    }
    check(cudaGetLastError(), "fill");
}

}  // namespace bench
