// SPDX-License-Identifier: Apache-2.0
//
// bfloat16 storage with the layout of CUDA's __nv_bfloat16, available without the CUDA toolkit: the upper
// half of a float. It only stores: arithmetic happens in float. The host conversions hold no branches, so
// that loops vectorise.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/types/bits.hpp"

#include <cstdint>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_HD constexpr std::uint16_t float_to_bfloat_bits_portable(float v) {
    const std::uint32_t bits = bit_cast<std::uint32_t>(v);
    const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const std::uint32_t nan = (bits >> 16) | 0x40u;
    return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

FUSE_HD constexpr std::uint16_t float_to_bfloat_bits(float v) {
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    if (!is_constant_evaluated()) {
        std::uint16_t bits;
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(v));
        return bits;
    }
#endif
    return float_to_bfloat_bits_portable(v);
}

}  // namespace detail

/// 16-bit floating point with the range of float and 8 significant bits. It may alias __nv_bfloat16, because
/// a view over such data reads it through this type.
struct __attribute__((may_alias)) bfloat16 {
    std::uint16_t bits;

    bfloat16() = default;

    /// Rounds once, to nearest even, from any arithmetic type. NaN stays a quiet NaN, too large becomes
    /// infinity.
    template <class T>
    requires std::is_arithmetic_v<T> FUSE_HD explicit constexpr bfloat16(T v)
        : bits(detail::float_to_bfloat_bits(detail::to_odd_float(v))) {}

    static FUSE_HD constexpr bfloat16 from_bits(std::uint16_t bits) {
        bfloat16 result{0.f};
        result.bits = bits;
        return result;
    }

    /// Exact.
    FUSE_HD constexpr operator float() const { return detail::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

static_assert(sizeof(bfloat16) == 2 && alignof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);

FUSE_END_NAMESPACE
