// SPDX-License-Identifier: Apache-2.0
//
// Elements of a pack as functors see them, and back: on the device 16-bit numbers go in pairs, as words of 32 bits.
#pragma once

#include "fuse/ops/types/compute_type.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

/// Element v of a pack. A bfloat16 is the upper half of a float: taken from the 32-bit word that two of them share it
/// costs one instruction; taken as 16 bits first, the upper of the two costs three.
template <class T, int V>
FUSE_HD compute_t<T> unpack(const Pack<T, V>& pack, int v) {
#if FUSE_ON_DEVICE
    if constexpr (std::is_same_v<T, bfloat16> && V % 2 == 0) {
        unsigned word;
        memcpy(&word, &pack.item[v & ~1], sizeof(word));
        return __uint_as_float((v & 1) == 0 ? word << 16 : word & 0xffff0000u);
    }
#endif
    return to_compute(pack.item[v]);
}

/// To the compiler, another pack. Items of 16 bits and fewer stay packed in registers: else it would unpack them once for
/// all that reads them, into twice as many registers, and spill.
template <class T, int V>
FUSE_HD void kept_packed([[maybe_unused]] Pack<T, V>& pack) {
#if FUSE_ON_DEVICE
    if constexpr (sizeof(T) < 4 && sizeof(pack) % 4 == 0) {
        FUSE_UNROLL
        for (int w = 0; w < static_cast<int>(sizeof(pack) / 4); ++w) {
            unsigned word;
            memcpy(&word, reinterpret_cast<const char*>(&pack) + 4 * w, 4);
            asm volatile("" : "+r"(word));
            memcpy(reinterpret_cast<char*>(&pack) + 4 * w, &word, 4);
        }
    }
#endif
}

/// Floating-point numbers of 16 bits.
template <class T>
inline constexpr bool is_16_bits = std::is_same_v<T, bfloat16> || std::is_same_v<T, float16>;

/// Whether items of type T are made of the results of functors in pairs.
template <class T, class Result, int V>
inline constexpr bool packs_pairs = is_16_bits<T>&& std::is_same_v<Result, float>&& V % 2 == 0;

/// All items of a pack from what functors computed. One by one, two conversions and a permutation would make each word, and
/// the compiler would store words that it has put together itself one at a time.
template <class T, int V>
FUSE_HD void pack_pairs(Pack<T, V>& pack, const float (&value)[V]) {
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    FUSE_UNROLL
    for (int v = 0; v < V; v += 2) {
        unsigned word;
        if constexpr (std::is_same_v<T, bfloat16>) {
            asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(value[v + 1]), "f"(value[v]));
        } else {
            asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(value[v + 1]), "f"(value[v]));
        }
        memcpy(&pack.item[v], &word, sizeof(word));
    }
#else
    FUSE_UNROLL
    for (int v = 0; v < V; ++v) {
        pack.item[v] = from_compute<T>(value[v]);
    }
#endif
}

FUSE_END_NAMESPACE
