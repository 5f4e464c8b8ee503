// SPDX-License-Identifier: Apache-2.0
//
// exp, exp2, expm1, tanh and erf of a float on the host, and exp and tanh of a double, without a call and without a branch.
// The errors that are given are the largest found, in units in the last place, with fused multiplications and without.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/host_bits.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// x = n ln(2) + r with |r| <= ln(2) / 2 and a whole n. `rounded` has n plus the bias of its rounder in its lowest bits.
template <class F>
struct ReducedExponent {
    F rounded, r;
};

/// ln(2) is split so that n times its upper part is exact.
FUSE_HD constexpr ReducedExponent<float> reduced_exponent(float x, float rounder) {
    const float rounded = x * 1.44269504f + rounder;
    const float n = rounded - rounder;
    return {rounded, (x - n * 0.693359375f) + n * 2.12194440e-4f};
}
FUSE_HD constexpr ReducedExponent<double> reduced_exponent(double x, double rounder) {
    const double rounded = x * 1.44269504088896340736 + rounder;
    const double n = rounded - rounder;
    return {rounded, (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10};
}

/// exp(r) - 1 - r for |r| <= ln(2) / 2: minimax, 2^-28.3 of exp(r).
FUSE_HD constexpr float exp_tail(float r) {
    float p = 1.381461149e-3f;
    p = p * r + 8.368709865e-3f;
    p = p * r + 4.166838740e-2f;
    p = p * r + 1.666652069e-1f;
    p = p * r + 4.999999345e-1f;
    return p * (r * r);
}
/// The same to 2^-57.9.
FUSE_HD constexpr double exp_tail(double r) {
    double p = 2.500006946035560498e-8;
    p = p * r + 2.763023396689059867e-7;
    p = p * r + 2.755758627582145102e-6;
    p = p * r + 2.480149313607077189e-5;
    p = p * r + 1.984126950676820105e-4;
    p = p * r + 1.388888894359777659e-3;
    p = p * r + 8.333333333494339076e-3;
    p = p * r + 4.166666666653026593e-2;
    p = p * r + 1.666666666666641276e-1;
    p = p * r + 5.000000000000010617e-1;
    return p * (r * r);
}

/// Within 1 unit, subnormal results included.
template <class F>
FUSE_HD constexpr F host_exp(F x) {
    constexpr bool single = std::is_same_v<F, float>;
    // Beyond the bound the result is infinite or zero.
    const auto [rounded, r] = reduced_exponent(within(x, single ? F(104) : F(746)), rounder<F>(single ? 254 : 2046));
    return scaled(exp_tail(r) + r + F(1), bit_cast<bits_t<F>>(rounded));
}

/// Within 1.2.
FUSE_HD constexpr float host_exp2(float x) {
    const float bounded = within(x, 151.f);
    const float rounded = bounded + rounder<float>(254);
    const float r = bounded - (rounded - rounder<float>(254));
    // Minimax for (2^r - 1) / r, 2^-28.9 of 2^r.
    float p = 1.535336176e-4f;
    p = p * r + 1.339887441e-3f;
    p = p * r + 9.618437359e-3f;
    p = p * r + 5.550332471e-2f;
    p = p * r + 2.402264791e-1f;
    p = p * r + 6.931472029e-1f;
    return scaled(p * r + 1.f, bit_cast<std::uint32_t>(rounded));
}

/// 2^n (exp(r) - 1) + (2^n - 1), in halves: 2^128 is no float. Within 1.45.
FUSE_HD constexpr float host_expm1(float x) {
    // Above 89 the result is infinite, below -73 it is -1.
    const std::uint32_t sign = sign_of(x);
    const float bound = bit_cast<float>(bit_cast<std::uint32_t>(89.f) - (sign >> 10));
    const float bounded = with_sign(at_most(magnitude(x), bound), sign);
    const auto [rounded, r] = reduced_exponent(bounded, rounder<float>(126));
    // Minimax for (exp(r) - 1 - r) / r^2, 2^-32 of exp(r) - 1.
    float p = 1.984587717e-4f;
    p = p * r + 1.394061692e-3f;
    p = p * r + 8.333389346e-3f;
    p = p * r + 4.166636104e-2f;
    p = p * r + 1.666666637e-1f;
    p = p * r + 5.000000044e-1f;
    const float half = power_of_two<float>(bit_cast<std::uint32_t>(rounded));
    const float below = (p * (r * r) + r) * half + (half - 0.5f);
    // The half of a subnormal number may not be one.
    return select_value(magnitude(x) < 0x1p-24f, x, with_sign(below + below, sign));
}

/// Within 1.25.
FUSE_HD constexpr float host_tanh(float x) {
    const std::uint32_t sign = sign_of(x);
    const float a = magnitude(x);
    // Near 0, where 1 - 2 / (exp(2x) + 1) would cancel, an odd polynomial (Cephes, tanhf).
    const float z = a * a;
    float p = -5.70498872745e-3f;
    p = p * z + 2.06390887954e-2f;
    p = p * z - 5.37397155531e-2f;
    p = p * z + 1.33314422036e-1f;
    p = p * z - 3.33332819422e-1f;
    const float near_zero = a + a * (p * z);
    // From 9.02 on the result is 1.
    const float bounded = at_most(a, 9.1f);
    const auto [rounded, r] = reduced_exponent(bounded + bounded, rounder<float>(127));
    const float e = (exp_tail(r) + r + 1.f) * power_of_two<float>(bit_cast<std::uint32_t>(rounded));
    return with_sign(select_value(a < 0.625f, near_zero, 1.f - 2.f / (e + 1.f)), sign);
}

FUSE_HD constexpr double host_tanh(double x) {
    const std::uint64_t sign = sign_of(x);
    const double a = magnitude(x);
    // x + x^3 P(x^2) / Q(x^2) near 0 (Cephes, tanh), 1 - 2 / (exp(2x) + 1) elsewhere, by one division.
    const double z = a * a;
    const double p = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3;
    const double q = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3;
    const double bounded = at_most(a, 19.1);
    const auto [rounded, r] = reduced_exponent(bounded + bounded, rounder<double>(1023));
    const double e = (exp_tail(r) + r + 1.) * power_of_two<double>(bit_cast<std::uint64_t>(rounded));
    const std::uint64_t near_zero = mask_of_less(bit_cast<std::uint64_t>(a), bit_cast<std::uint64_t>(0.625));
    const double quotient = mix_values(near_zero, a * z * p, -2.) / mix_values(near_zero, q, e + 1.);
    return with_sign(mix_values(near_zero, a, 1.) + quotient, sign);
}

/// Two polynomials: of x near 0, and the logarithm of 1 - erf elsewhere (N. Juffa, forums.developer.nvidia.com, "More
/// accurate implementation of erff()"); without fused multiplications within 1.2 units in the last place.
FUSE_HD constexpr float host_erf(float x) {
    const float a = magnitude(x);
    const float z = x * x;
    float p = -5.96761703e-4f;
    p = p * z + 4.99119423e-3f;
    p = p * z - 2.67681349e-2f;
    p = p * z + 1.12819925e-1f;
    p = p * z - 3.76125336e-1f;
    p = p * z + 1.28379166e-1f;
    const float near_zero = p * x + x;
    // From 4 on the result is 1. The bound also keeps the polynomial from growing again.
    const float t = at_most(a, 4.f);
    float q = (-1.72853470e-5f * t + 3.83197126e-4f) * (t * t) + (-3.88396438e-3f * t + 2.42546219e-2f);
    q = q * t - 1.06777877e-1f;
    q = q * t - 6.34846687e-1f;
    q = q * t - 1.28717512e-1f;
    q = q * t - t;
    const float elsewhere = with_sign(1.f - host_exp(q), sign_of(x));
    return select_value(a > 0.927734375f, elsewhere, near_zero);
}

}  // namespace detail

FUSE_END_NAMESPACE
