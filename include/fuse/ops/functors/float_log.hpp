// SPDX-License-Identifier: Apache-2.0
//
// log of a float without a call and without a branch, for the host and the device. On the host loops over it vectorise.
// On the device a branch would end the block of straight code in which the compiler finds that log(sum(...)), one value
// of a row, need not be computed again for each of its elements. Within 1.1 units in the last place.
#pragma once

#include <cstdint>

#include "fuse/config.hpp"
#include "fuse/ops/functors/host_bits.hpp"
#include "fuse/ops/types/compute_type.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A positive number as (1 + f) 2^n with 1 + f in [2/3, 4/3), and what it was read from: x, or a normal number in its place.
struct SplitFloat {
    float n, f, normal;
    std::uint32_t bits;
};

FUSE_HD constexpr SplitFloat split_float(float x) {
    const bool small = x < 0x1p-126f;
    const float normal = select_value(small, x * 0x1p23f, x);
    const std::uint32_t bits = bit_cast<std::uint32_t>(normal);
    // n stays in the exponent's bits.
    const std::uint32_t power = (bits - 0x3f2aaaabu) & 0xff800000u;
    const float n = static_cast<float>(static_cast<std::int32_t>(power)) * 0x1p-23f + select_value(small, -23.f, 0.f);
    return {n, bit_cast<float>(bits - power) - 1.f, normal, bits};
}

/// log(1 + f) - f for f in [-1/3, 1/3): minimax in relative error (2^-27.7) for (log(1 + f) - f + f^2 / 2) / f^3.
FUSE_HD constexpr float log_tail(float f) {
    float p = -1.289168530e-1f;
    p = p * f + 1.398443751e-1f;
    p = p * f - 1.218426103e-1f;
    p = p * f + 1.400586880e-1f;
    p = p * f - 1.668048734e-1f;
    p = p * f + 2.001040593e-1f;
    p = p * f - 2.499979767e-1f;
    p = p * f + 3.333321598e-1f;
    p = p * f - 0.5f;
    return p * (f * f);
}

/// `finite`, or a logarithm of an x that is 0, negative, infinite or NaN.
FUSE_HD constexpr float logarithm_of_split(float x, SplitFloat split, float finite) {
    constexpr float infinity = limits<float>::infinity;
    // Infinity stays, NaN stays, what is negative becomes NaN.
    const float other = split.normal * infinity + infinity;
    return select_value(x == 0.f, -infinity, select_value(split.bits >= 0x7f800000u, other, finite));
}

FUSE_HD constexpr float float_log(float x) {
    const SplitFloat split = split_float(x);
    return logarithm_of_split(x, split, split.n * 0.693147182f + (log_tail(split.f) + split.f));
}

}  // namespace detail

FUSE_END_NAMESPACE
