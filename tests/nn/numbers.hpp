// SPDX-License-Identifier: Apache-2.0
//
// Data for norms and losses on every target: shapes that reach the kernels of rows, numbers that float holds.
#pragma once

#include <utility>

#include "lang/phase_cases.hpp"

namespace fuse::testing {

/// One element, rows of one element, a vector and its rest, a warp, blocks of several warps, rows that are read in
/// several sweeps, rows beyond one block of the host executor.
inline const std::vector<Extent> nn_extents{{1, 1}, {3, 1}, {5, 7}, {17, 64}, {3, 1000}, {2, 5001}, {2, 10001}};

/// Numbers that float holds.
inline NdArray random_floats(const Extent& extent, double low, double high, unsigned seed) {
    return map_reference([](double v) { return static_cast<double>(static_cast<float>(v)); },
                         random_reals(extent, low, high, seed));
}
inline NdArray numbers(const Extent& extent, Numbers values) {
    NdArray result(extent);
    result.value = std::move(values);
    return result;
}
inline NdArray squares(const NdArray& x) {
    return map_reference([](double e) { return e * e; }, x);
}

}  // namespace fuse::testing
