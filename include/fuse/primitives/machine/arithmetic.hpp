// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic for which a machine has an instruction or a function that C++ has no name for. The results are the same on
// all of them, but for the last digits of sine and cosine.
#pragma once

#include <cmath>
#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The upper word of n * m + a, which does not leave two words.
FUSE_HD constexpr std::uint32_t multiply_add_high(std::uint32_t n, std::uint32_t m, std::uint32_t a) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(n) * m + a) >> 32);
}
FUSE_HD constexpr std::uint64_t multiply_add_high(std::uint64_t n, std::uint64_t m, std::uint64_t a) {
#if FUSE_ON_DEVICE
    const std::uint64_t low = n * m;
    const std::uint64_t carry = low + a < low ? 1 : 0;
    return __umul64hi(n, m) + carry;
#else
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(n) * m + a) >> 64);
#endif
}

/// Sine and cosine of `turn` full turns.
template <class F>
FUSE_HD void sine_and_cosine(F turn, F& sine, F& cosine) {
#if FUSE_ON_DEVICE
    if constexpr (std::is_same_v<F, float>) {
        ::sincospif(2 * turn, &sine, &cosine);
    } else {
        ::sincospi(2 * turn, &sine, &cosine);
    }
#else
    const F angle = F(6.283185307179586476925) * turn;
    sine = std::sin(angle);
    cosine = std::cos(angle);
#endif
}

}  // namespace detail

FUSE_END_NAMESPACE
