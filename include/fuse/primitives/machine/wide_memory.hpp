// SPDX-License-Identifier: Apache-2.0
//
// Consecutive items between memory and registers in the widest accesses that a machine has. The GPU's take up to 16
// bytes and need the address aligned to that; on the CPU a memcpy becomes vector copies.
#pragma once

#include <cstring>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if FUSE_ON_DEVICE
template <std::size_t Bytes>
struct VectorWord;
template <>
struct VectorWord<1> {
    using type = unsigned char;
};
template <>
struct VectorWord<2> {
    using type = unsigned short;
};
template <>
struct VectorWord<4> {
    using type = unsigned;
};
template <>
struct VectorWord<8> {
    using type = uint2;
};
template <>
struct VectorWord<16> {
    using type = uint4;
};

// The words stay in an array of their own between memory and the items: the compiler sees through the two copies, and
// the items may be any struct.
template <std::size_t Bytes, std::size_t Alignment>
struct WideWords {
    using Word = typename VectorWord<Alignment>::type;
    static constexpr int count = static_cast<int>(Bytes / sizeof(Word));

    Word word[count];
};

template <class Word>
FUSE_HD void store_word(Word* p, Word word) {
    *p = word;
}
// The compiler takes a uint4 apart and does not always put it together again: of two vectors of a thread, each behind a
// branch, it stored the second in four pieces. A number of 128 bits stays in one.
FUSE_HD void store_word(uint4* p, uint4 word) {
    __extension__ using Whole = unsigned __int128;
    const auto join = [](unsigned low, unsigned high) { return low | static_cast<unsigned long long>(high) << 32; };
    *reinterpret_cast<Whole*>(p) = join(word.x, word.y) | static_cast<Whole>(join(word.z, word.w)) << 64;
}
#endif

/// The cache policies evict_last and evict_normal (PTX ISA, createpolicy), as cuda::access_property has them: what is
/// `long_lived` stays in the L2 cache longer than what is written.
FUSE_HD constexpr std::uint64_t l2_policy(bool long_lived) {
    return long_lived ? 0x14F0000000000000ULL : 0x10F0000000000000ULL;
}

/// `p`; what is read through the result is long-lived if told so, from compute capability 8.0 on.
template <class T>
FUSE_HD const T* read_into_l2(const T* p, bool long_lived) {
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    return static_cast<const T*>(__nv_associate_access_property(p, l2_policy(long_lived)));
#else
    static_cast<void>(long_lived);
    return p;
#endif
}

/// What p points to comes into the L2 cache, and nothing waits for it.
template <class T>
FUSE_HD void prefetch_into_l2(const T* p) {
#if FUSE_ON_DEVICE
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#else
    static_cast<void>(p);
#endif
}

#if defined(__SANITIZE_ADDRESS__)
#define FUSE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUSE_SANITIZED 1
#endif
#endif

/// p, which a device takes for a multiple of Alignment. The host does not need that, but UBSan sees there whether it is one.
template <std::size_t Alignment, class T>
FUSE_HD T* as_promised(T* p) {
#ifdef FUSE_SANITIZED
    return static_cast<T*>(__builtin_assume_aligned(p, Alignment));
#else
    return p;
#endif
}
#undef FUSE_SANITIZED

/// Loads V items. `aligned`: p is a multiple of Alignment, a power of two up to 16 that divides the bytes of the items.
template <std::size_t Alignment, class T, int V>
FUSE_HD void load_wide(T (&items)[V], const T* p, bool aligned) {
#if FUSE_ON_DEVICE
    if (aligned) {
        using Words = WideWords<sizeof(items), Alignment>;
        Words words;
        FUSE_UNROLL
        for (int i = 0; i < Words::count; ++i) {
            words.word[i] = reinterpret_cast<const typename Words::Word*>(p)[i];
        }
        memcpy(&items, &words, sizeof(items));
    } else {
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            items[k] = p[k];
        }
    }
#else
    std::memcpy(items, aligned ? as_promised<Alignment>(p) : p, sizeof(items));
#endif
}

/// Mirrors load_wide.
template <std::size_t Alignment, class T, int V>
FUSE_HD void store_wide(T* p, const T (&items)[V], bool aligned) {
#if FUSE_ON_DEVICE
    if (aligned) {
        using Words = WideWords<sizeof(items), Alignment>;
        Words words;
        memcpy(&words, &items, sizeof(items));
        FUSE_UNROLL
        for (int i = 0; i < Words::count; ++i) {
            store_word(reinterpret_cast<typename Words::Word*>(p) + i, words.word[i]);
        }
    } else {
        FUSE_UNROLL
        for (int k = 0; k < V; ++k) {
            p[k] = items[k];
        }
    }
#else
    std::memcpy(aligned ? as_promised<Alignment>(p) : p, items, sizeof(items));
#endif
}

/// The same where p is known to be aligned and there is another way of storing beside this one: nvcc would take the
/// vector apart there, but not the argument of an intrinsic.
template <std::size_t Alignment, class T, int V>
FUSE_HD void store_aligned(T* p, const T (&items)[V]) {
#if FUSE_ON_DEVICE
    if constexpr (Alignment == 16) {
        using Words = WideWords<sizeof(items), Alignment>;
        Words words;
        memcpy(&words, &items, sizeof(items));
        FUSE_UNROLL
        for (int i = 0; i < Words::count; ++i) {
            __stwb(reinterpret_cast<typename Words::Word*>(p) + i, words.word[i]);
        }
        return;
    }
#endif
    store_wide<Alignment>(p, items, true);
}

}  // namespace detail

FUSE_END_NAMESPACE
