// SPDX-License-Identifier: Apache-2.0
//
// Copies from global to shared memory that nobody waits for until block.wait_copies(): in between the thread has other
// work, and the elements need no registers on their way. A thread sees what it copied itself; others see it after a
// barrier. Blocks copy 4, 8 or 16 aligned bytes at a time; what is narrower is copied at once.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"
#include "fuse/primitives/thread/pack.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <std::size_t Bytes, std::size_t Alignment, AsyncCopies B>
FUSE_HD void copy_bytes_async(B& block, void* to, const void* from) {
    constexpr std::size_t word = Alignment < 16 ? Alignment : 16;
    static_assert(word >= 4 && Bytes % word == 0);
    FUSE_UNROLL
    for (std::size_t at = 0; at < Bytes; at += word) {
        block.template copy_async<static_cast<int>(word)>(static_cast<char*>(to) + at,
                                                          static_cast<const char*>(from) + at);
    }
}

}  // namespace detail

/// Starts to copy one item.
template <AsyncCopies B, class T>
FUSE_HD void copy_item_async(B& block, T& to, const T* from) {
    if constexpr (alignof(T) >= 4) {
        detail::copy_bytes_async<sizeof(T), alignof(T)>(block, &to, from);
    } else {
        to = *from;
    }
}

/// Starts to copy V consecutive items from an address that is a multiple of pack_alignment<T, V>.
template <AsyncCopies B, class T, int V>
FUSE_HD void copy_pack_async(B& block, Pack<T, V>& to, const T* from) {
    if constexpr (pack_alignment<T, V> >= 4) {
        detail::copy_bytes_async<sizeof(Pack<T, V>), pack_alignment<T, V>>(block, &to, from);
    } else {
        load_pack(to, from, true);
    }
}

FUSE_END_NAMESPACE
