// SPDX-License-Identifier: Apache-2.0
//
// exp, tanh and erf of a float on the host, without a call and without a branch, so that loops over them vectorise
// on any compiler and flags: softmax, sigmoid and the like live on them. Errors stay within one and a half
// units in the last place over the whole range, subnormal results included. The device has its own functions,
// double uses the C library.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/types/bits.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_HD constexpr float host_exp(float x) {
    // Beyond +-104 the result is infinite or zero anyway. The bound is an integer minimum of the magnitudes,
    // which also bounds NaN (put back at the end): from two comparisons of floats g++ makes branches.
    const std::int32_t bits = bit_cast<std::int32_t>(x);
    const std::int32_t magnitude = bits & 0x7fffffff;
    const std::int32_t bound = bit_cast<std::int32_t>(104.f);
    const float bounded = bit_cast<float>((bits ^ magnitude) | (magnitude < bound ? magnitude : bound));
    // exp(x) = 2^n exp(r) with |r| <= ln(2) / 2. ln(2) is split so that n times its upper part is exact.
    // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits.
    const float rounder = 12582912.f;
    const float rounded = bounded * 1.44269504f + rounder;
    const std::int32_t n = bit_cast<std::int32_t>(rounded) - bit_cast<std::int32_t>(rounder);
    const float whole = static_cast<float>(n);
    const float r = (bounded - whole * 0.693359375f) + whole * 2.12194440e-4f;
    // Minimax polynomial for (exp(r) - 1 - r) / r^2 (Cephes, expf).
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    const float fraction = (p * (r * r) + r) + 1.f;
    // 2^n in two factors, each a normal number even where the result overflows or is subnormal.
    const std::int32_t half = n >> 1;
    const float first = bit_cast<float>((half + 127) << 23);
    const float second = bit_cast<float>((n - half + 127) << 23);
    const float result = fraction * first * second;
    return bit_cast<float>(select(x != x, bit_cast<std::uint32_t>(x), bit_cast<std::uint32_t>(result)));
}

FUSE_HD constexpr float host_tanh(float x) {
    const std::uint32_t bits = bit_cast<std::uint32_t>(x);
    const float magnitude = bit_cast<float>(bits & 0x7fffffffu);
    // Near 0, where 1 - 2 / (exp(2x) + 1) would cancel, an odd polynomial (Cephes, tanhf).
    const float z = x * x;
    float p = -5.70498872745e-3f;
    p = p * z + 2.06390887954e-2f;
    p = p * z - 5.37397155531e-2f;
    p = p * z + 1.33314422036e-1f;
    p = p * z - 3.33332819422e-1f;
    const float near_zero = magnitude + magnitude * (p * z);
    const float elsewhere = 1.f - 2.f / (host_exp(magnitude + magnitude) + 1.f);
    const std::uint32_t result =
        select(magnitude < 0.625f, bit_cast<std::uint32_t>(near_zero), bit_cast<std::uint32_t>(elsewhere));
    return bit_cast<float>(result | (bits & 0x80000000u));
}

/// Two polynomials: of x near 0, and the logarithm of 1 - erf elsewhere (N. Juffa, forums.developer.nvidia.com, "More
/// accurate implementation of erff()"); without fused multiplications within 1.2 units in the last place.
FUSE_HD constexpr float host_erf(float x) {
    const std::uint32_t bits = bit_cast<std::uint32_t>(x);
    const float magnitude = bit_cast<float>(bits & 0x7fffffffu);
    const float z = x * x;
    float p = -5.96761703e-4f;
    p = p * z + 4.99119423e-3f;
    p = p * z - 2.67681349e-2f;
    p = p * z + 1.12819925e-1f;
    p = p * z - 3.76125336e-1f;
    p = p * z + 1.28379166e-1f;
    const float near_zero = p * x + x;
    // From 4 on the result is 1. The bound also keeps the polynomial from growing again.
    const float four = 4.f;
    const float t =
        bit_cast<float>(select(magnitude < four, bit_cast<std::uint32_t>(magnitude), bit_cast<std::uint32_t>(four)));
    float q = (-1.72853470e-5f * t + 3.83197126e-4f) * (t * t) + (-3.88396438e-3f * t + 2.42546219e-2f);
    q = q * t - 1.06777877e-1f;
    q = q * t - 6.34846687e-1f;
    q = q * t - 1.28717512e-1f;
    q = q * t - t;
    const std::uint32_t elsewhere = bit_cast<std::uint32_t>(1.f - host_exp(q)) | (bits & 0x80000000u);
    return bit_cast<float>(select(magnitude > 0.927734375f, elsewhere, bit_cast<std::uint32_t>(near_zero)));
}

template <class F>
FUSE_HD constexpr F exponential(F x) {
#if !FUSE_ON_DEVICE
    if constexpr (std::is_same_v<F, float>)
        return host_exp(x);
#endif
    return std::exp(x);
}

template <class F>
FUSE_HD constexpr F hyperbolic_tangent(F x) {
#if !FUSE_ON_DEVICE
    if constexpr (std::is_same_v<F, float>)
        return host_tanh(x);
#endif
    return std::tanh(x);
}

template <class F>
FUSE_HD constexpr F error_function(F x) {
#if !FUSE_ON_DEVICE
    if constexpr (std::is_same_v<F, float>)
        return host_erf(x);
#endif
    return std::erf(x);
}

}  // namespace detail

FUSE_END_NAMESPACE
