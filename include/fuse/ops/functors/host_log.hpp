// SPDX-License-Identifier: Apache-2.0
//
// log2, log10 and log1p of a float, log and log1p of a double on the host, without a call and without a branch. log of a
// float is the device's, too: float_log.hpp.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/float_log.hpp"
#include "fuse/ops/functors/host_bits.hpp"

#if !FUSE_ON_DEVICE  // where its pass of nvcc would read it for nothing
FUSE_BEGIN_NAMESPACE

namespace detail {

/// Within 1.2 units in the last place.
FUSE_HD constexpr float host_log2(float x) {
    const SplitFloat s = split_float(x);
    // log2(m) = f + (f (log2(e) - 1) + tail log2(e)). Where n + f is small it is exact.
    const float rest = s.f * 0.442695041f + log_tail(s.f) * 1.44269504f;
    return logarithm_of_split(x, s, (s.n + s.f) + rest);
}

/// Within 1.5; log10(2) is split so that n times its upper part is exact.
FUSE_HD constexpr float host_log10(float x) {
    const SplitFloat s = split_float(x);
    const float rest = s.n * 7.90341571e-7f + (log_tail(s.f) * 0.434294482f + s.f * -0.0657055181f);
    return logarithm_of_split(x, s, (s.n * 0.301029205f + s.f * 0.5f) + rest);
}

/// 1 + x = m 2^n with m in [2/3, 4/3), and m - 1 = 2^-n x + (2^-n - 1), whose one rounding is that of the sum. Within 1.6.
FUSE_HD constexpr float host_log1p(float x) {
    constexpr float infinity = limits<float>::infinity;
    const float sum = 1.f + x;
    const std::uint32_t bits = bit_cast<std::uint32_t>(sum);
    const std::uint32_t power = (bits - 0x3f2aaaabu) & 0xff800000u;
    const float n = static_cast<float>(static_cast<std::int32_t>(power)) * 0x1p-23f;
    // 2^-128 is no normal number, four times that is.
    const float scale = bit_cast<float>(0x40800000u - power);
    const float f = x * scale * 0.25f + (scale * 0.25f - 1.f);
    // ln(2) is split so that n times its upper part is exact; `lost` is what the sum with f rounds off.
    const float upper = n * 0.693359375f;
    const float most = upper + f;
    const float lost = f - (most - upper);
    const float finite = most + (log_tail(f) + (lost - n * 2.12194440e-4f));
    const float other = sum * infinity + infinity;
    const float result = select_value(sum == 0.f, -infinity, select_value(bits >= 0x7f800000u, other, finite));
    return with_sign(result, sign_of(x));
}

/// n as a number from the bits of 2^n, whose sign and mantissa are 0 and which lie 2^10 times the exponent's unit up: a
/// vector of 64-bit integers has no conversion before AVX-512.
FUSE_HD constexpr double exponent_number(std::uint64_t power) {
    return bit_cast<double>(((power + 0x4000000000000000u) >> 52) | 0x4330000000000000u) - (0x1p52 + 1024.);
}

/// log(1 + f) - f for f in [sqrt(1/2) - 1, sqrt(2) - 1]: fdlibm's, log.
FUSE_HD constexpr double log_tail(double f) {
    const double s = f / (2. + f);
    const double z = s * s;
    double p = 1.479819860511658591e-01;
    p = p * z + 1.531383769920937332e-01;
    p = p * z + 1.818357216161805012e-01;
    p = p * z + 2.222219843214978396e-01;
    p = p * z + 2.857142874366239149e-01;
    p = p * z + 3.999999999940941908e-01;
    p = p * z + 6.666666666666735130e-01;
    const double half_square = 0.5 * f * f;
    return s * (half_square + z * p) - half_square;
}

/// n ln(2) + log(1 + f); ln(2) is split so that n times its upper part is exact.
FUSE_HD constexpr double log_of_parts(double n, double f) {
    return n * 6.93147180369123816490e-01 + (f + (log_tail(f) + n * 1.90821492927058770002e-10));
}

/// `finite`, or what the logarithm of y, which is 0, negative, infinite or NaN, is.
FUSE_HD constexpr double logarithm_of_any(double y, double finite) {
    constexpr double infinity = limits<double>::infinity;
    const std::uint64_t bits = bit_cast<std::uint64_t>(y);
    // The upper bit of one of the two unless 0 < y < infinity, and of `zero` where y is 0.
    const std::uint64_t extraordinary = (bits - 1) | (0x7feffffffffffffeu - (bits - 1));
    const std::uint64_t zero = ~(bits + bits) & (bits + bits - 1);
    // Infinity stays, NaN stays, what is negative becomes NaN.
    const double other = y * infinity + infinity;
    const double ordinary = mix_values(mask_of_less(extraordinary, 0), other, finite);
    return mix_values(mask_of_less(zero, 0), -infinity, ordinary);
}

FUSE_HD constexpr double host_log(double x) {
    // A subnormal number is made normal first.
    const std::uint64_t small = mask_of_less(bit_cast<std::uint64_t>(x), 0x0010000000000000u);
    const double normal = mix_values(small, x * 0x1p54, x);
    const std::uint64_t bits = bit_cast<std::uint64_t>(normal);
    const std::uint64_t power = (bits - 0x3fe6a09e667f3bcdu) & 0xfff0000000000000u;
    const double n = exponent_number(power) - mix_values(small, 54., 0.);
    return logarithm_of_any(x, log_of_parts(n, bit_cast<double>(bits - power) - 1.));
}

FUSE_HD constexpr double host_log1p(double x) {
    const double sum = 1. + x;
    const std::uint64_t bits = bit_cast<std::uint64_t>(sum);
    const std::uint64_t power = (bits - 0x3fe6a09e667f3bcdu) & 0xfff0000000000000u;
    // 2^-1024 is no normal number, four times that is.
    const double scale = bit_cast<double>(0x4010000000000000u - power);
    const double f = x * scale * 0.25 + (scale * 0.25 - 1.);
    return with_sign(logarithm_of_any(sum, log_of_parts(exponent_number(power), f)), sign_of(x));
}

}  // namespace detail

FUSE_END_NAMESPACE
#endif
