// SPDX-License-Identifier: Apache-2.0
//
// What the functions of host_*.hpp share. They are straight code of operations that SSE2 has for vectors: from two
// comparisons of floating-point numbers that decide one value g++ makes branches, and a branch or a call keeps a loop
// from being vectorised.
#pragma once

#include <cstdint>
#include <type_traits>

#include "fuse/config.hpp"
#include "fuse/ops/types/bits.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The unsigned integer that is as wide as F.
template <class F>
using bits_t = std::conditional_t<std::is_same_v<F, float>, std::uint32_t, std::uint64_t>;

template <class F>
inline constexpr bits_t<F> sign_bit = bits_t<F>{1} << (8 * sizeof(F) - 1);

template <class F>
FUSE_HD constexpr bits_t<F> sign_of(F x) {
    return bit_cast<bits_t<F>>(x) & sign_bit<F>;
}

template <class F>
FUSE_HD constexpr F magnitude(F x) {
    return bit_cast<F>(bit_cast<bits_t<F>>(x) & ~sign_bit<F>);
}

/// All bits where the condition holds.
FUSE_HD constexpr std::uint32_t mask_of(bool condition) {
    return 0u - static_cast<std::uint32_t>(condition);
}

/// All bits where a < b, both below 2^63: 64-bit integers of SSE2 have neither a comparison nor masks of conditions.
FUSE_HD constexpr std::uint64_t mask_of_less(std::uint64_t a, std::uint64_t b) {
    return std::uint64_t{0} - ((a - b) >> 63);
}

/// a where the mask has all bits, b where it has none.
template <class F>
FUSE_HD constexpr F mix_values(bits_t<F> mask, F a, F b) {
    return bit_cast<F>(mix(mask, bit_cast<bits_t<F>>(a), bit_cast<bits_t<F>>(b)));
}

/// x with the sign bit `sign`, which x may have already.
template <class F>
FUSE_HD constexpr F with_sign(F x, bits_t<F> sign) {
    return bit_cast<F>(bit_cast<bits_t<F>>(x) | sign);
}

/// All bits where the condition holds, in a word as wide as F. To 64-bit integers g++ turns vectors of conditions from SSE4.2
/// on, so that the mask of doubles is a double.
template <class F>
FUSE_HD constexpr bits_t<F> mask_for(bool condition) {
    if constexpr (std::is_same_v<F, float>) {
        return mask_of(condition);
    } else {
        return std::uint64_t{0} - bit_cast<std::uint64_t>(condition ? 0x1p-1074 : 0.);
    }
}

#if !defined(__CUDACC__)
/// All bits where x is NaN: beyond infinity as an integer.
template <class F>
FUSE_HD constexpr bits_t<F> mask_of_nan(F x) {
    constexpr bits_t<F> infinity =
        std::is_same_v<F, float> ? bits_t<F>{0xff} << 23 : bits_t<F>{0x7ff} << (8 * sizeof(F) - 12);
    return bits_t<F>{0} - ((infinity - bit_cast<bits_t<F>>(magnitude(x))) >> (8 * sizeof(F) - 1));
}
#endif

/// condition ? a : b, both of which have been computed. Of a conditional operator g++ would make a branch around what one of
/// the two takes.
template <class F>
FUSE_HD constexpr F select_value(bool condition, F a, F b) {
#if !FUSE_ON_DEVICE
    if constexpr (std::is_same_v<F, float> || std::is_same_v<F, double>) {
        return mix_values(mask_for<F>(condition), a, b);
    }
#endif
    return condition ? a : b;
}

/// min(x, bound); NaN stays NaN.
template <class F>
FUSE_HD constexpr F at_most(F x, F bound) {
    return select_value(bound < x, bound, x);
}

/// x between -bound and bound; NaN stays NaN.
template <class F>
FUSE_HD constexpr F within(F x, F bound) {
    return with_sign(at_most(magnitude(x), bound), sign_of(x));
}

/// What a sum with a number this large, plus `bias`, leaves of the other summand: its nearest integer, whose sum with the
/// bias are the lowest bits.
template <class F>
FUSE_HD constexpr F rounder(int bias) {
    return (std::is_same_v<F, float> ? F(0x1.8p23) : F(0x1.8p52)) + F(bias);
}

/// 2^n for a number of n plus the bias of F in its lowest bits, whatever lies above them.
template <class F>
FUSE_HD constexpr F power_of_two(bits_t<F> biased) {
    return bit_cast<F>(biased << (std::is_same_v<F, float> ? 23 : 52));
}

/// x 2^n, the lowest bits of `doubled` being n plus twice the bias: in two factors, each a normal number even where the
/// result overflows or is subnormal.
template <class F>
FUSE_HD constexpr F scaled(F x, bits_t<F> doubled) {
    const bits_t<F> half = doubled >> 1;
    return x * power_of_two<F>(half) * power_of_two<F>(doubled - half);
}

}  // namespace detail

FUSE_END_NAMESPACE
