// SPDX-License-Identifier: Apache-2.0
//
// Memory that a host thread keeps from eval to eval, for what its stack may have no room for.
#pragma once

#include <cstddef>
#include <new>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// `bytes` of memory, aligned to a cache line, for as long as this lives; none for 0. The thread keeps the largest that it
/// was asked for. Who asks while it is taken, as an eval within a functor of another does, gets some of his own.
/// std::bad_alloc if there is none.
class SpareMemory {
public:
    FUSE_HD explicit SpareMemory(std::size_t bytes) {
#if !FUSE_ON_DEVICE
        if (bytes > 0) {
            taken_.exchange(of_thread());
            if (taken_.bytes < bytes) {
                taken_.replace(bytes);
            }
        }
#else
        static_cast<void>(bytes);
#endif
    }
    SpareMemory(const SpareMemory&) = delete;
    SpareMemory& operator=(const SpareMemory&) = delete;
    FUSE_HD ~SpareMemory() {
#if !FUSE_ON_DEVICE
        if (taken_.bytes > of_thread().bytes) {
            taken_.exchange(of_thread());
        }
#endif
    }

    FUSE_HD std::byte* data() const {
        return static_cast<std::byte*>(taken_.data);
    }

private:
    /// As a std::unique_ptr, whose header costs 12 % of what it takes to compile a softmax.
    struct Memory {
        static constexpr std::align_val_t alignment{64};

        void* data = nullptr;
        std::size_t bytes = 0;

        constexpr Memory() = default;
        Memory(const Memory&) = delete;
        Memory& operator=(const Memory&) = delete;
        FUSE_HD ~Memory() {
#if !FUSE_ON_DEVICE
            ::operator delete(data, alignment);
#endif
        }
        void replace(std::size_t new_bytes) {
            void* const larger = ::operator new(new_bytes, alignment);
            ::operator delete(data, alignment);
            data = larger;
            bytes = new_bytes;
        }
        void exchange(Memory& other) {
            void* const own = data;
            const std::size_t own_bytes = bytes;
            data = other.data;
            bytes = other.bytes;
            other.data = own;
            other.bytes = own_bytes;
        }
    };
    static Memory& of_thread() {
        static thread_local Memory spare;
        return spare;
    }

    Memory taken_;
};

}  // namespace detail

FUSE_END_NAMESPACE
