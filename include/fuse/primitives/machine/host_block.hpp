// SPDX-License-Identifier: Apache-2.0
//
// The thread block of the CPU: one thread. Its shape is a compile-time 1 x 1, so every block-level collective
// folds away and what is left of a kernel is the loop over packs of items, which the host compiler vectorises. Its warp
// is that thread, and it has no shared memory but scratch. Many host blocks run at once on different cores, so they
// have real atomics.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

class HostBlock {
public:
    static constexpr int warp_size = 1;

    /// scratch holds two halves of `half_bytes` each (16-byte aligned, may be null when half_bytes is 0).
    FUSE_HD constexpr HostBlock(unsigned block_x, unsigned block_y, unsigned grid_x, unsigned grid_y, void* scratch,
                                std::size_t half_bytes)
        : scratch_(static_cast<unsigned char*>(scratch)), half_bytes_(half_bytes), block_x_(block_x), block_y_(block_y),
          grid_x_(grid_x), grid_y_(grid_y) {}

    FUSE_HD static constexpr unsigned dim_x() { return 1; }
    FUSE_HD static constexpr unsigned dim_y() { return 1; }
    FUSE_HD static constexpr unsigned thread_x() { return 0; }
    FUSE_HD static constexpr unsigned thread_y() { return 0; }
    FUSE_HD constexpr unsigned grid_x() const { return grid_x_; }
    FUSE_HD constexpr unsigned grid_y() const { return grid_y_; }
    FUSE_HD constexpr unsigned block_x() const { return block_x_; }
    FUSE_HD constexpr unsigned block_y() const { return block_y_; }

    FUSE_HD static constexpr void sync() {}

    template <class T>
    FUSE_HD T* scratch(unsigned) {
        static_assert(alignof(T) <= 16, "scratch memory is 16-byte aligned");
        unsigned char* half = parity_ ? scratch_ + half_bytes_ : scratch_;
        parity_ = !parity_;
        return reinterpret_cast<T*>(half);
    }

    FUSE_HD constexpr std::size_t scratch_bytes() const { return half_bytes_; }

    FUSE_HD static unsigned fetch_add(unsigned* address, unsigned value) {
#if FUSE_ON_DEVICE
        return *address + value;
#else
        return __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
#endif
    }

    FUSE_HD static unsigned fetch_next_relaxed(unsigned* address, unsigned last) {
#if FUSE_ON_DEVICE
        return *address + last;
#else
        unsigned before = __atomic_load_n(address, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(address, &before, before >= last ? 0 : before + 1, true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
        }
        return before;
#endif
    }

    FUSE_HD static std::uint64_t fetch_add_relaxed(std::uint64_t* address, std::uint64_t value) {
#if FUSE_ON_DEVICE
        return *address + value;
#else
        return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
    }

    FUSE_HD static unsigned load_acquire(const unsigned* address) {
#if FUSE_ON_DEVICE
        return *address;
#else
        return __atomic_load_n(address, __ATOMIC_ACQUIRE);
#endif
    }

    FUSE_HD static std::uint64_t load_relaxed(const std::uint64_t* address) {
#if FUSE_ON_DEVICE
        return *address;
#else
        return __atomic_load_n(address, __ATOMIC_RELAXED);
#endif
    }

    FUSE_HD static void store_relaxed(std::uint64_t* address, std::uint64_t value) {
#if FUSE_ON_DEVICE
        *address = value;
#else
        __atomic_store_n(address, value, __ATOMIC_RELAXED);
#endif
    }

    FUSE_HD static void relax(unsigned = 32) {
#if !FUSE_ON_DEVICE && (defined(__x86_64__) || defined(__i386__))
        __builtin_ia32_pause();
#elif !FUSE_ON_DEVICE && defined(__aarch64__)
        asm volatile("yield");
#endif
    }

private:
    unsigned char* scratch_;
    std::size_t half_bytes_;
    unsigned block_x_;
    unsigned block_y_;
    unsigned grid_x_;
    unsigned grid_y_;
    bool parity_ = false;
};

static_assert(Warps<HostBlock> && DeviceAtomics<HostBlock>);

FUSE_END_NAMESPACE
