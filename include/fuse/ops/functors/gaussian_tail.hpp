// SPDX-License-Identifier: Apache-2.0
//
// gelu of a float without erfc: x * Phi(x) = max(x, 0) - |x| * Q(|x|), where Q, the upper tail of the normal
// distribution, is exp(-a^2 / 2) times a function that a polynomial of a / (a + 2.5) follows. No branch and about twenty
// instructions on either side; erfc costs fifty, more than a GPU's memory leaves time for.
#pragma once

#include <cmath>

#include "fuse/config.hpp"
#include "fuse/ops/functors/host_bits.hpp"
#include "fuse/ops/functors/host_math.hpp"
#include "fuse/ops/functors/min_max.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// exp(-a^2 / 2); on the device a subnormal result is 0.
FUSE_HD constexpr float gaussian(float a) {
#if FUSE_ON_DEVICE
    if (!is_constant_evaluated()) {
        float power;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(a * (a * -0.72134752f)));
        return power;
    }
#endif
    return host_exp(a * a * -0.5f);
}

/// 1 / x for a positive normal x, within one unit in the last place; 0 beyond 2^126.
FUSE_HD constexpr float near_reciprocal(float x) {
#if FUSE_ON_DEVICE
    if (!is_constant_evaluated()) {
        float result;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
        return result;
    }
#endif
    return 1.f / x;
}

/// max(x, -0), where NaN may be anything.
FUSE_HD constexpr float not_below_zero(float x) {
#if FUSE_ON_DEVICE
    return larger(-0.f, x);
#else
    const auto bits = bit_cast<std::uint32_t>(x);
    return bit_cast<float>(bits & (((bits >> 31) - 1u) | sign_bit<float>));
#endif
}

/// min(x, 15); NaN stays NaN.
FUSE_HD constexpr float at_most_15(float x) {
#if FUSE_ON_DEVICE
    return smaller(x, 15.f);
#else
    return at_most(x, 15.f);
#endif
}

template <class F>
FUSE_HD constexpr F gaussian_linear_unit(F x) {
    // From 15 on the tail is 0, also where |x| is infinite. To the left -inf gives NaN as 0 * inf does.
    const F a = std::fabs(at_most_15(x));
    const F v = a * near_reciprocal(a + 2.5f);
    // Minimax in relative error (2^-23.2) to Q(a) * exp(a^2 / 2), a = 2.5 v / (1 - v), exact at 0.
    F p = -3.890746413e-2f;
    p = p * v + 1.136835721e-1f;
    p = p * v - 7.452670606e-2f;
    p = p * v - 6.831331459e-3f;
    p = p * v - 1.124603801e-1f;
    p = p * v + 5.133991733e-2f;
    p = p * v + 5.650457953e-1f;
    p = p * v - 9.973540615e-1f;
    p = p * v + 5.000000000e-1f;
    // -0.f keeps the sign of zero, and so does the magnitude: far to the left p, times 0, may lie below 0.
    return not_below_zero(x) - a * std::fabs(p * gaussian(a));
}

}  // namespace detail

FUSE_END_NAMESPACE
