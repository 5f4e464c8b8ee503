// SPDX-License-Identifier: Apache-2.0
//
// Bit-level helpers of the 16-bit number types. A value that is wider than float reaches them through a float
// that is rounded to odd: it keeps a sticky bit, so that the rounding to 16 bits that follows is the only
// rounding that counts.
#pragma once

#include "fuse/config.hpp"

#include <cstdint>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class To, class From>
FUSE_HD constexpr To bit_cast(From from) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}

/// True inside constant evaluation, where neither inline assembly nor an intrinsic may run.
FUSE_HD constexpr bool is_constant_evaluated() {
    return __builtin_is_constant_evaluated();
}

/// a where the bits of the mask are set, b elsewhere.
template <class U>
FUSE_HD constexpr U mix(U mask, U a, U b) {
    return (a & mask) | (b & ~mask);
}

/// condition ? a : b through a mask. g++ would turn the conditional operator into a branch around the
/// computation of a or b, and then not vectorise the loop.
FUSE_HD constexpr std::uint32_t select(bool condition, std::uint32_t a, std::uint32_t b) {
    return mix(0u - static_cast<std::uint32_t>(condition), a, b);
}

/// The float nearest to zero of the two around v, its last bit set when v is not a float.
FUSE_HD constexpr float round_to_odd(double v) {
    const float nearest = static_cast<float>(v);
    const double back = static_cast<double>(nearest);
    std::uint32_t bits = bit_cast<std::uint32_t>(nearest);
    const double magnitude = v < 0 ? -v : v;
    const double back_magnitude = back < 0 ? -back : back;
    const bool inexact = back < v || back > v;
    bits -= inexact && back_magnitude > magnitude ? 1u : 0u;
    bits |= inexact ? 1u : 0u;
    return bit_cast<float>(bits);
}

/// v as a float, rounded to odd where a float cannot hold it.
template <class T>
FUSE_HD constexpr float to_odd_float(T v) {
    if constexpr (std::is_same_v<T, float>) {
        return v;
    } else if constexpr (sizeof(T) <= 2) {
        return static_cast<float>(v);
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        bool negative = false;
        if constexpr (std::is_signed_v<T>)
            negative = v < 0;
        std::uint64_t magnitude = static_cast<std::uint64_t>(v);
        magnitude = negative ? 0u - magnitude : magnitude;
        // A double holds 53 bits: the 11 lowest bits become one sticky bit just above them.
        const std::uint64_t sticky = (magnitude & 0x7ffu) != 0 ? 0x800u : 0u;
        magnitude = (magnitude >> 53) != 0 ? ((magnitude | sticky) & ~std::uint64_t{0x7ff}) : magnitude;
        const double wide = static_cast<double>(magnitude);
        return round_to_odd(negative ? -wide : wide);
    } else {
        return round_to_odd(static_cast<double>(v));
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
