// SPDX-License-Identifier: Apache-2.0
//
// IEEE binary16 storage with the layout of CUDA's __half, available without the CUDA toolkit. It only stores:
// arithmetic happens in float, so the type converts to float for free and rounds once when it is made.
// The host conversions are selects over integers, no branches, so that a loop over them vectorises.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/types/bits.hpp"

#include <cstdint>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_HD constexpr std::uint16_t float_to_half_bits_portable(float v) {
    const std::uint32_t bits = bit_cast<std::uint32_t>(v);
    const std::uint32_t sign = bits & 0x80000000u;
    const std::uint32_t magnitude = bits ^ sign;
    // Normal results: re-bias the exponent and add just under half a unit, plus one where the kept part is
    // odd. The carry runs into the exponent, up to infinity.
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    const std::uint32_t normal = (magnitude - (112u << 23) + 0xfffu + odd) >> 13;
    // Subnormal results: adding 0.5 lets the floating-point adder place and round the bits.
    const float shifted = bit_cast<float>(magnitude) + 0.5f;
    const std::uint32_t subnormal = bit_cast<std::uint32_t>(shifted) - (126u << 23);
    const std::uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
    const std::uint32_t finite = select(magnitude < (113u << 23), subnormal, normal);
    const std::uint32_t large = magnitude > 0x7f800000u ? nan : 0x7c00u;
    const std::uint32_t result = select(magnitude >= (143u << 23), large, finite);
    return static_cast<std::uint16_t>((sign >> 16) | result);
}

FUSE_HD constexpr float half_bits_to_float_portable(std::uint16_t half) {
    const std::uint32_t bits = half;
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t magnitude = (bits & 0x7fffu) << 13;
    const std::uint32_t exponent = magnitude & (0x1fu << 23);
    const std::uint32_t normal = magnitude + (112u << 23);
    // A subnormal becomes 2^-14 + its value; the subtraction normalises it without touching a float
    // subnormal.
    const float offset = bit_cast<float>(magnitude + (113u << 23)) - 0x1p-14f;
    const std::uint32_t subnormal = bit_cast<std::uint32_t>(offset);
    const std::uint32_t special = magnitude + (224u << 23);
    const std::uint32_t finite = select(exponent == 0, subnormal, normal);
    // A signalling NaN comes out quiet, as it does from the hardware conversions.
    const std::uint32_t quiet = magnitude > (0x1fu << 23) ? 0x400000u : 0u;
    return bit_cast<float>(sign | select(exponent == (0x1fu << 23), special | quiet, finite));
}

FUSE_HD constexpr std::uint16_t float_to_half_bits(float v) {
#if FUSE_ON_DEVICE
    if (!is_constant_evaluated()) {
        std::uint16_t bits;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v));
        return bits;
    }
#endif
    return float_to_half_bits_portable(v);
}

FUSE_HD constexpr float half_bits_to_float(std::uint16_t half) {
#if FUSE_ON_DEVICE
    if (!is_constant_evaluated()) {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
        return value;
    }
#endif
    return half_bits_to_float_portable(half);
}

}  // namespace detail

/// 16-bit floating point: 5 exponent bits, 11 significant bits, largest finite value 65504. It may alias
/// __half, because a view over __half data reads it through this type.
struct __attribute__((may_alias)) float16 {
    std::uint16_t bits;

    float16() = default;

    /// Rounds once, to nearest even, from any arithmetic type. NaN stays a quiet NaN, too large becomes
    /// infinity.
    template <class T>
    requires std::is_arithmetic_v<T> FUSE_HD explicit constexpr float16(T v)
        : bits(detail::float_to_half_bits(detail::to_odd_float(v))) {}

    static FUSE_HD constexpr float16 from_bits(std::uint16_t bits) {
        float16 result{0.f};
        result.bits = bits;
        return result;
    }

    /// Exact.
    FUSE_HD constexpr operator float() const { return detail::half_bits_to_float(bits); }
};

static_assert(sizeof(float16) == 2 && alignof(float16) == 2 && std::is_trivially_copyable_v<float16>);

FUSE_END_NAMESPACE
