// SPDX-License-Identifier: Apache-2.0
//
// sin, cos and tan of a float on the host, without a call and without a branch, for numbers of any size. sin and cos are
// within 0.97 units in the last place, tan within 1.34 (all floats below 6144).
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/host_bits.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// x = (n + 4 k) pi / 2 + r + rest with |r| <= pi / 4, a whole k and the two lowest bits of n.
struct ReducedAngle {
    float r, rest;
    std::uint32_t n;
};

/// Below this, as bits, angles are small: multiples of pi / 2 have 12 bits.
inline constexpr std::uint32_t small_angle = bit_cast<std::uint32_t>(0x1.8p12f);

/// The angle x >= 0, if it is small, by pieces of pi / 2 (W. J. Cody and W. Waite, Software Manual for the Elementary
/// Functions, 1980): their products with n are exact, and so are all differences but that of the third piece, whose error
/// is the rest.
FUSE_HD constexpr ReducedAngle reduced_small_angle(float x) {
    const float rounded = x * 6.36619747e-1f + rounder<float>(0);
    const float n = rounded - rounder<float>(0);
    const float near = (x - n * 0x1.922p+0f) + n * 0x1.2cp-18f;
    const float third = n * 0x1.11p-26f;
    const float r = near - third;
    const float rest = ((near - r) - third) - n * 0x1.68c234p-39f;
    return {r, rest, bit_cast<std::uint32_t>(rounded)};
}

/// The same of any angle, by x 2 / pi and pieces of 2 / pi: the product of a float and 29 bits is exact in double, and
/// what is a multiple of 4 is dropped from each sum. A large number is a multiple of 2^53, and leaves out the upper 51 bits
/// of 2 / pi.
FUSE_HD constexpr ReducedAngle reduced_any_angle(float x) {
    const double wide = static_cast<double>(x);
    const std::uint64_t large = mask_of_less(bit_cast<std::uint64_t>(0x1p76), bit_cast<std::uint64_t>(wide));
    const double first = mix_values(large, 0x1.529fc27p-52, 0x1.45f306dp-1);
    const double second = mix_values(large, 0x1.5f47d4cp-82, 0x1.9391054p-30);
    const double third = mix_values(large, 0x1.377036dp-110, 0x1.4fe13abp-59);
    const double last = mix_values(large, 0x1.14acc9e21c821p-139, 0x1.d1f534ddc0db6p-88);
    // The sum with this number rounds to a multiple of 4.
    const double fours = 0x1.8p54;
    const double upper = wide * first;
    const double lower = (upper - ((upper + fours) - fours)) + wide * second;
    const double turn = (lower - ((lower + fours) - fours)) + wide * third;
    const double rounded = turn + rounder<double>(0);
    const double angle = ((turn - (rounded - rounder<double>(0))) + wide * last) * 1.57079632679489661923;
    const float r = static_cast<float>(angle);
    const float rest = static_cast<float>(angle - static_cast<double>(r));
    return {r, rest, static_cast<std::uint32_t>(bit_cast<std::uint64_t>(rounded))};
}

/// Small: of a small angle alone, with the same bits.
template <bool Small>
FUSE_HD constexpr ReducedAngle reduced_angle(float x) {
    const ReducedAngle a = reduced_small_angle(x);
    if constexpr (Small) {
        return a;
    } else {
        const ReducedAngle b = reduced_any_angle(x);
        const std::uint32_t small = mask_of(bit_cast<std::uint32_t>(x) < small_angle);
        return {mix_values(small, a.r, b.r), mix_values(small, a.rest, b.rest), mix(small, a.n, b.n)};
    }
}

/// The sine of an angle, a quarter turn further for each of `quarters`, with its sign turned if `sign` is set.
FUSE_HD constexpr float sine_of_reduced(ReducedAngle a, std::uint32_t quarters, std::uint32_t sign) {
    const float z = a.r * a.r;
    // Minimax for (sin(r) - r) / r^3, 2^-28 of the sine.
    float p = -1.951507780e-4f;
    p = p * z + 8.332159303e-3f;
    p = p * z - 1.666665459e-1f;
    const float sine = (p * (z * a.r) + a.rest) + a.r;
    // Minimax for (cos(r) - 1 + r^2 / 2) / r^4, 2^-33 of the cosine.
    float q = 2.443292582e-5f;
    q = q * z - 1.388731427e-3f;
    q = q * z + 4.166664564e-2f;
    const float half = 0.5f * z;
    const float most = 1.f - half;
    const float cosine = (q * (z * z) + (((1.f - most) - half) - a.r * a.rest)) + most;
    const std::uint32_t n = a.n + quarters;
    const std::uint32_t bits = mix(0u - (n & 1u), bit_cast<std::uint32_t>(cosine), bit_cast<std::uint32_t>(sine));
    return bit_cast<float>(bits ^ (((n & 2u) << 30) ^ sign));
}

template <bool Small = false>
FUSE_HD constexpr float host_sin(float x) {
    return sine_of_reduced(reduced_angle<Small>(magnitude(x)), 0, sign_of(x));
}

template <bool Small = false>
FUSE_HD constexpr float host_cos(float x) {
    return sine_of_reduced(reduced_angle<Small>(magnitude(x)), 1, 0);
}

template <bool Small = false>
FUSE_HD constexpr float host_tan(float x) {
    const ReducedAngle a = reduced_angle<Small>(magnitude(x));
    const float z = a.r * a.r;
    // Minimax for (tan(r) - r) / r^3, 2^-29.6 of the tangent.
    float p = 4.379641577e-3f;
    p = p * z + 8.288352704e-5f;
    p = p * z + 1.084092029e-2f;
    p = p * z + 2.128027320e-2f;
    p = p * z + 5.406027591e-2f;
    p = p * z + 1.333266027e-1f;
    p = p * z + 3.333334984e-1f;
    const float small = p * (z * a.r) + (a.rest + a.rest * z);
    const float tangent = a.r + small;
    const float error = (a.r - tangent) + small;
    // In odd quarters -1 / (tangent + error).
    const float inverse = -1.f / tangent;
    const float cotangent = inverse * (inverse * error) + inverse;
    const std::uint32_t bits =
        mix(0u - (a.n & 1u), bit_cast<std::uint32_t>(cotangent), bit_cast<std::uint32_t>(tangent));
    return bit_cast<float>(bits ^ sign_of(x));
}

}  // namespace detail

FUSE_END_NAMESPACE
