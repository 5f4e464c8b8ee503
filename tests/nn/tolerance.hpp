// SPDX-License-Identifier: Apache-2.0
//
// Results of an element type that is computed in another one, against numbers in double: some roundings of what is
// computed in, of the value and of the largest term that went into it.
#pragma once

#include <limits>
#include <vector>

#include "nn/numbers.hpp"

namespace fuse::testing {

/// What T is computed in, and stored as in these tests.
template <class T>
using Computed = compute_t<T>;

/// `roundings` of Computed<T>, of the value and of `scale`.
template <class T>
void check_rounded(const NdArray& got, const NdArray& expected, double scale = 1, double roundings = 16) {
    const double eps = roundings * static_cast<double>(std::numeric_limits<Computed<T>>::epsilon());
    check_close(got, expected, eps, eps * scale);
}
template <class T>
void check_rounded(Computed<T> got, double expected, double scale = 1, double roundings = 16) {
    check_rounded<T>(NdArray({}, static_cast<double>(got)), NdArray({}, expected), scale, roundings);
}

/// Numbers that T holds.
template <class T>
NdArray held(const NdArray& x) {
    return map_reference([](double v) { return from_element(to_element<T>(v)); }, x);
}

/// Outputs of one extent.
template <class Target, class T>
std::vector<Tensor<Target, T>> outputs(std::size_t count, const Extent& extent) {
    std::vector<Tensor<Target, T>> result;
    result.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        result.emplace_back(extent);
    }
    return result;
}

}  // namespace fuse::testing
