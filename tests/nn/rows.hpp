// SPDX-License-Identifier: Apache-2.0
//
// For the tests of norms and losses on the host: operands of plans, random numbers, and a comparison with references
// computed in double.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"

namespace fuse::testing {

/// Operands for plan<decltype(...)>: declared only.
template <fixed_name N>
View<float, name_t<N>, dynamic, dynamic> matrix();
template <fixed_name N, class T = float>
View<T, name_t<N>, dynamic> vector();
template <fixed_name N>
View<float, name_t<N>> scalar_output();

inline std::vector<float> random_floats(std::size_t n, unsigned seed, float low = -3, float high = 3) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> draw(low, high);
    std::vector<float> values(n);
    for (float& v : values) {
        v = draw(engine);
    }
    return values;
}

/// Reference values are doubles; a float result may be off by a few roundings of the largest term that went
/// into it.
inline void check_close(float got, double expected, double scale = 1, double roundings = 16) {
    const double tolerance = roundings * 6e-8 * (std::fabs(expected) + scale);
    INFO("got " << got << ", expected " << expected);
    CHECK(std::fabs(static_cast<double>(got) - expected) <= tolerance);
}

}  // namespace fuse::testing
