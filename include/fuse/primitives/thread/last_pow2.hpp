// SPDX-License-Identifier: Apache-2.0
//
// GetLastPow2: the largest power of two that is not above n. Smearing the highest bit downwards and taking half of
// the result away is exact for every integer; a logarithm in floating point is not.
#pragma once

#include <concepts>
#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Largest power of two <= n, for any integer type. There is none for n <= 0: the result is 0.
template <std::integral T>
FUSE_HD constexpr T GetLastPow2(T n) {
    using U = std::make_unsigned_t<T>;
    if (n <= T(0)) {
        return T(0);
    }
    U bits = static_cast<U>(n);
    for (unsigned shift = 1; shift < 8 * sizeof(T); shift *= 2) {
        bits = static_cast<U>(bits | (bits >> shift));
    }
    return static_cast<T>(bits - (bits >> 1));
}

FUSE_END_NAMESPACE
