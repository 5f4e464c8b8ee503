// SPDX-License-Identifier: Apache-2.0
//
// Memory that a host thread keeps from eval to eval, for what its stack may have no room for.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

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
            taken_ = std::exchange(of_thread(), {});
            if (taken_.bytes < bytes) {
                taken_.data.reset(::operator new(bytes, alignment));
                taken_.bytes = bytes;
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
            of_thread() = std::move(taken_);
        }
#endif
    }

    FUSE_HD std::byte* data() const { return static_cast<std::byte*>(taken_.data.get()); }

private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(void* p) const { ::operator delete(p, alignment); }
    };
    struct Memory {
        std::unique_ptr<void, Free> data;
        std::size_t bytes = 0;
    };
    static Memory& of_thread() {
        static thread_local Memory spare;
        return spare;
    }

    Memory taken_;
};

}  // namespace detail

FUSE_END_NAMESPACE
