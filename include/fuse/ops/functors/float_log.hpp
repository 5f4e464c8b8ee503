// SPDX-License-Identifier: Apache-2.0
//
// log of a float without a call and without a branch, for the host and the device. On the host loops over it vectorise.
// On the device a branch would end the block of straight code in which the compiler finds that log(sum(...)), one value
// of a row, need not be computed again for each of its elements. Within 1.1 units in the last place.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "fuse/config.hpp"
#include "fuse/ops/types/bits.hpp"
#include "fuse/ops/types/compute_type.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// condition ? a : b, both of which have been computed.
FUSE_HD constexpr float select_float(bool condition, float a, float b) {
#if FUSE_ON_DEVICE
    return condition ? a : b;
#else
    return bit_cast<float>(select(condition, bit_cast<std::uint32_t>(a), bit_cast<std::uint32_t>(b)));
#endif
}

FUSE_HD constexpr float float_log(float x) {
    constexpr float infinity = limits<float>::infinity;
    // x = m * 2^n with m in [2/3, 4/3); a subnormal number is made normal first. n stays in the exponent's bits.
    const bool small = x < 0x1p-126f;
    const float normal = select_float(small, x * 0x1p23f, x);
    const std::uint32_t bits = bit_cast<std::uint32_t>(normal);
    const std::uint32_t power = (bits - 0x3f2aaaabu) & 0xff800000u;
    const float n = static_cast<float>(static_cast<std::int32_t>(power)) * 0x1p-23f + select_float(small, -23.f, 0.f);
    // Minimax in relative error (2^-27.7) for (log(1 + f) - f + f^2 / 2) / f^3.
    const float f = bit_cast<float>(bits - power) - 1.f;
    float p = -1.289168530e-1f;
    p = p * f + 1.398443751e-1f;
    p = p * f - 1.218426103e-1f;
    p = p * f + 1.400586880e-1f;
    p = p * f - 1.668048734e-1f;
    p = p * f + 2.001040593e-1f;
    p = p * f - 2.499979767e-1f;
    p = p * f + 3.333321598e-1f;
    p = p * f - 0.5f;
    const float finite = n * 0.693147182f + (p * (f * f) + f);
    // Infinity stays, NaN stays, what is negative becomes NaN.
    const float other = normal * infinity + infinity;
    return select_float(x == 0.f, -infinity, select_float(bits >= 0x7f800000u, other, finite));
}

template <class F>
FUSE_HD constexpr F logarithm(F x) {
    if constexpr (std::is_same_v<F, float>) {
        return float_log(x);
    } else {
        return std::log(x);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
