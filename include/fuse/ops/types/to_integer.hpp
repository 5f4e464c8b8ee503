// SPDX-License-Identifier: Apache-2.0
//
// Floats as integers of up to 32 bits on a device, where one instruction rounds, saturates and makes 0 of NaN (PTX ISA,
// cvt): what compilers make of a conversion that does so in C++ is ten.
#pragma once

#include <cstdint>
#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// To an integer value: towards zero, to the nearest, halves to even, downwards, upwards.
enum class Rounding { zero, nearest, down, up };

namespace detail {

/// Whether a device converts From to To so.
template <class To, class From>
inline constexpr bool converts_at_once =
    std::is_integral_v<To> && !std::is_same_v<To, bool> && sizeof(To) <= 4 && std::is_same_v<From, float>;

#if FUSE_ON_DEVICE

#define FUSE_CONVERT(mode, type)                                                                                       \
    asm("cvt." mode "." type ".f32 %0, %1;" : "=r"(result) : "f"(v));                                                  \
    return static_cast<To>(result);
#define FUSE_CONVERT_BY(mode)                                                                                          \
    if constexpr (std::is_signed_v<To>) {                                                                              \
        if constexpr (sizeof(To) == 1) {                                                                               \
            FUSE_CONVERT(mode, "s8")                                                                                   \
        } else if constexpr (sizeof(To) == 2) {                                                                        \
            FUSE_CONVERT(mode, "s16")                                                                                  \
        } else {                                                                                                       \
            FUSE_CONVERT(mode, "s32")                                                                                  \
        }                                                                                                              \
    } else if constexpr (sizeof(To) == 1) {                                                                            \
        FUSE_CONVERT(mode, "u8")                                                                                       \
    } else if constexpr (sizeof(To) == 2) {                                                                            \
        FUSE_CONVERT(mode, "u16")                                                                                      \
    } else {                                                                                                           \
        FUSE_CONVERT(mode, "u32")                                                                                      \
    }

template <class To, Rounding Mode = Rounding::zero>
FUSE_HD To to_integer(float v) {
    unsigned result;
    if constexpr (Mode == Rounding::zero) {
        FUSE_CONVERT_BY("rzi")
    } else if constexpr (Mode == Rounding::nearest) {
        FUSE_CONVERT_BY("rni")
    } else if constexpr (Mode == Rounding::down) {
        FUSE_CONVERT_BY("rmi")
    } else {
        FUSE_CONVERT_BY("rpi")
    }
}

#undef FUSE_CONVERT_BY
#undef FUSE_CONVERT

#endif

}  // namespace detail

FUSE_END_NAMESPACE
