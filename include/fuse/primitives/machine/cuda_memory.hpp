// SPDX-License-Identifier: Apache-2.0
//
// How a thread of the GPU reaches memory other than by plain loads and stores: atomics at device scope, and
// asynchronous copies to shared memory. PTX, since the intrinsics have no memory order. Nothing reaches the host
// bodies (cuda_block.hpp).
#pragma once

#if defined(__CUDACC__)

#include <cstdint>
#include <cstring>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

FUSE_HD unsigned fetch_add(unsigned* address, unsigned value) {
#if FUSE_ON_DEVICE
    unsigned before;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(__cvta_generic_to_global(address)), "r"(value)
                 : "memory");
    return before;
#else
    return *address + value;
#endif
}

/// Nothing waits for what it returns before that is needed: of an addition, the lanes of a warp would first be counted.
FUSE_HD unsigned fetch_next_relaxed(unsigned* address, unsigned last) {
#if FUSE_ON_DEVICE
    unsigned before;
    asm volatile("atom.relaxed.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(__cvta_generic_to_global(address)), "r"(last)
                 : "memory");
    return before;
#else
    return *address + last;
#endif
}

FUSE_HD std::uint64_t fetch_add_relaxed(std::uint64_t* address, std::uint64_t value) {
#if FUSE_ON_DEVICE
    unsigned long long before;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(address)), "l"(static_cast<unsigned long long>(value))
                 : "memory");
    return before;
#else
    return *address + value;
#endif
}

FUSE_HD unsigned load_acquire(const unsigned* address) {
#if FUSE_ON_DEVICE
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(__cvta_generic_to_global(address))
                 : "memory");
    return value;
#else
    return *address;
#endif
}

FUSE_HD std::uint64_t load_relaxed(const std::uint64_t* address) {
#if FUSE_ON_DEVICE
    unsigned long long value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                 : "=l"(value)
                 : "l"(__cvta_generic_to_global(address))
                 : "memory");
    return value;
#else
    return *address;
#endif
}

FUSE_HD void store_relaxed(std::uint64_t* address, std::uint64_t value) {
#if FUSE_ON_DEVICE
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
                 :
                 : "l"(__cvta_generic_to_global(address)), "l"(static_cast<unsigned long long>(value))
                 : "memory");
#else
    *address = value;
#endif
}

/// Starts to copy from global to shared memory; at once before compute capability 8.0.
template <int Bytes>
FUSE_HD void copy_async(void* to, const void* from) {
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "the hardware copies 4, 8 or 16 bytes");
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (Bytes == 16) {  // past the L1 cache
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(address), "l"(from) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(address), "l"(from), "n"(Bytes) : "memory");
    }
#else
    memcpy(__builtin_assume_aligned(to, Bytes), __builtin_assume_aligned(from, Bytes), Bytes);
#endif
}

FUSE_HD void wait_copies() {
#if FUSE_ON_DEVICE && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
