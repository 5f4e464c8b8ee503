// SPDX-License-Identifier: Apache-2.0
//
// What the steps of the reduction ladder share: the size of a block, and items past the end that add nothing, which is
// how every step works for any length.
#pragma once

#include <cstddef>

namespace bench::reduction {

/// One size for all steps, so that a step changes one thing only.
inline constexpr unsigned block_threads = 1024;

__device__ inline float item_or_zero(const float* x, std::size_t i, std::size_t n) {
    return i < n ? x[i] : 0.0f;
}

}  // namespace bench::reduction
