// SPDX-License-Identifier: Apache-2.0
//
// Waiting for results where a kernel writes them, in memory of the host: they are there sooner than any call of the
// driver says so. A result is there when it is no longer the mark that was left in its place; one that equals the mark,
// and one that never comes, are for the caller to ask the driver about.
#pragma once

#include <cstring>
#include <type_traits>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// A place for a result. bytes is 0 where it cannot be watched: what is stored in several pieces may be there in part.
struct AwaitedResult {
    const void* data = nullptr;
    std::size_t bytes = 0;
};

inline constexpr unsigned char result_mark = 0xA5;

/// Leaves the mark in the place of a result.
template <class T>
AwaitedResult await_result(T& place) {
    constexpr bool one_store = sizeof(T) <= 8 && (std::is_arithmetic_v<T> || std::is_enum_v<T>);
    if constexpr (one_store) {
        std::memset(&place, result_mark, sizeof(T));
    }
    return {&place, one_store ? sizeof(T) : 0};
}

/// Whether the word has been written. Of eight bytes both halves, should they come one after the other.
inline bool is_written(const AwaitedResult& result) {
    using Word = std::uint32_t __attribute__((may_alias));
    using Half = std::uint16_t __attribute__((may_alias));
    const auto differs = [](auto word) { return word != static_cast<decltype(word)>(0xA5A5A5A5U); };
    switch (result.bytes) {
    case 1:
        return differs(__atomic_load_n(static_cast<const unsigned char*>(result.data), __ATOMIC_ACQUIRE));
    case 2:
        return differs(__atomic_load_n(static_cast<const Half*>(result.data), __ATOMIC_ACQUIRE));
    case 4:
        return differs(__atomic_load_n(static_cast<const Word*>(result.data), __ATOMIC_ACQUIRE));
    case 8:
        return differs(__atomic_load_n(static_cast<const Word*>(result.data), __ATOMIC_ACQUIRE)) &&
               differs(__atomic_load_n(static_cast<const Word*>(result.data) + 1, __ATOMIC_ACQUIRE));
    default:
        return false;
    }
}

/// Watches for a while, about a tenth of a millisecond; whether all n results are there.
FUSE_COLD inline bool watch_results(const AwaitedResult* results, int n) {
    int written = 0;
    for (int round = 0; round < 4096; ++round) {
        while (written < n && is_written(results[written])) {
            ++written;
        }
        if (written == n || results[written].bytes == 0) {
            break;
        }
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }
    return written == n;
}

}  // namespace detail

FUSE_END_NAMESPACE
