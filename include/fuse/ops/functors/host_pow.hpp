// SPDX-License-Identifier: Apache-2.0
//
// pow of a float on the host, without a call and without a branch: 2^(y log2 |x|) in double, rounded once, and then the
// cases of IEEE 754. Within 0.54 units in the last place.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/host_bits.hpp"
#include "fuse/ops/types/compute_type.hpp"

#if !FUSE_ON_DEVICE  // where its pass of nvcc would read it for nothing
FUSE_BEGIN_NAMESPACE

namespace detail {

/// log2 of a positive normal number: n + log2(m) with m in [sqrt(1/2), sqrt(2)).
FUSE_HD constexpr double wide_log2(double x) {
    const std::uint64_t half_root = 0x3fe6a09e667f3bcdu;
    const std::uint64_t bits = bit_cast<std::uint64_t>(x) + (0x4000000000000000u - half_root);
    // The lowest bits of the sum of 2^52 and a number are the number.
    const double n = bit_cast<double>((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1024.);
    const double m = bit_cast<double>((bits & 0x000fffffffffffffu) + half_root);
    // Minimax in relative error (2^-37.8) of z = s^2 for log2((1 + s) / (1 - s)) / s.
    const double s = (m - 1.) / (m + 1.);
    const double z = s * s;
    const double low = 2.88539008179007999 + 0.961796673350169306 * z;
    const double high = 0.577083583259469496 + 0.411672827125031249 * z;
    const double p = low + z * z * (high + z * z * 0.340728008154121367);
    return s * p + n;
}

/// 2^x for |x| < 1000.
FUSE_HD constexpr double wide_exp2(double x) {
    const double rounded = x + rounder<double>(1023);
    const double r = x - (rounded - rounder<double>(1023));
    // Minimax in relative error, 2^-29; pairs of terms, which do not wait for each other.
    const double z = r * r;
    const double low = 1.00000000055424113 + 0.693147205736532807 * r;
    const double middle = 0.240226468901045261 + 0.0555032877752085199 * r;
    const double high = 0.00961848900836583225 + 0.00133999311554825158 * r;
    const double p = low + z * (middle + z * (high + z * 1.53457997706928259e-4));
    return p * power_of_two<double>(bit_cast<std::uint64_t>(rounded));
}

FUSE_HD constexpr float host_pow(float x, float y) {
    using Bits = std::uint32_t;
    constexpr Bits infinity = 0x7f800000u, one = 0x3f800000u;
    const Bits sign = sign_of(x), a = bit_cast<Bits>(magnitude(x)), b = bit_cast<Bits>(magnitude(y));
    const double wide = static_cast<double>(magnitude(x));
    // NaN where x is.
    const double power = static_cast<double>(y) * wide_log2(wide) + wide * 0.;
    const float nearly = static_cast<float>(power);
    const Bits near_one = bit_cast<Bits>(static_cast<float>(wide_exp2(power)));
    const Bits finite = mix(mask_of(nearly > 129.f), infinity, near_one & ~mask_of(nearly < -151.f));
    // 0 and infinity have 0 or infinity as powers, and their logarithm above was that of another number.
    const Bits endless = mask_of(a == infinity);
    const Bits extreme = mask_of(a == 0u) | endless;
    const Bits inverse = mask_of(bit_cast<std::int32_t>(y) < 0) ^ endless;
    const Bits unsigned_power = mix(extreme & mask_of(b <= infinity), inverse & infinity, finite);
    // Numbers are odd, even, not whole or, from 2^25 on, even.
    const Bits least = mix(mask_of(b < 0x4c000000u), b, Bits{0x4c000000u});
    const std::int32_t whole = static_cast<std::int32_t>(bit_cast<float>(least));
    const Bits fractional = mask_of(static_cast<float>(whole) != bit_cast<float>(least));
    const Bits undefined = mask_of(sign != 0u) & fractional & ~extreme;
    const Bits signed_power = unsigned_power | (sign & (static_cast<Bits>(whole) << 31) & ~fractional);
    const Bits always_one =
        mask_of(b == 0u) | mask_of(bit_cast<Bits>(x) == one) | (mask_of(a == one) & mask_of(b == infinity));
    return bit_cast<float>(mix(always_one, one, signed_power | (undefined & 0x7fc00000u)));
}

}  // namespace detail

FUSE_END_NAMESPACE
#endif
