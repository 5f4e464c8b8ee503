// SPDX-License-Identifier: Apache-2.0
//
// Bulk copies from global to shared memory, words sent to another block of a cluster, and the barriers that count the bytes
// of both, from compute capability 9.0 on (PTX ISA, cp.async.bulk, st.async and mbarrier). Before that kernels that use them are compiled without, and must not be launched.
#pragma once

#if defined(__CUDACC__)

#include <cstdint>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define FUSE_HAS_BULK_COPIES 1
inline constexpr bool has_bulk_copies = true;

FUSE_HD unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
#else
inline constexpr bool has_bulk_copies = false;
#endif

/// Visible to this thread and the units that copy; to other threads after a barrier.
FUSE_HD void begin_bytes([[maybe_unused]] std::uint64_t* barrier) {
#if defined(FUSE_HAS_BULK_COPIES)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(shared_address(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
#endif
}

FUSE_HD void expect_bytes([[maybe_unused]] std::uint64_t* barrier, [[maybe_unused]] unsigned bytes) {
#if defined(FUSE_HAS_BULK_COPIES)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
#endif
}

FUSE_HD void copy_bulk([[maybe_unused]] void* to, [[maybe_unused]] const void* from, [[maybe_unused]] unsigned bytes,
                       [[maybe_unused]] std::uint64_t* barrier) {
#if defined(FUSE_HAS_BULK_COPIES)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "r"(shared_address(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes),
                   "r"(shared_address(barrier))
                 : "memory");
#endif
}
/// l2: a cache policy (wide_memory.hpp).
FUSE_HD void copy_bulk([[maybe_unused]] void* to, [[maybe_unused]] const void* from, [[maybe_unused]] unsigned bytes,
                       [[maybe_unused]] std::uint64_t* barrier, [[maybe_unused]] std::uint64_t l2) {
#if defined(FUSE_HAS_BULK_COPIES)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], "
        "%4;"
        :
        : "r"(shared_address(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier)),
          "l"(l2)
        : "memory");
#endif
}

/// An acquire.
FUSE_HD void wait_bytes([[maybe_unused]] std::uint64_t* barrier, [[maybe_unused]] unsigned parity) {
#if defined(FUSE_HAS_BULK_COPIES)
    unsigned done;
    do {
        asm volatile("{\n\t.reg .pred done;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, done;\n\t}"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    } while (done == 0);
#endif
}

FUSE_HD unsigned fetch_next_shared([[maybe_unused]] unsigned* word, [[maybe_unused]] unsigned last) {
    unsigned before = 0;
#if defined(FUSE_HAS_BULK_COPIES)
    asm volatile("atom.acq_rel.cta.shared::cta.inc.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(shared_address(word)), "r"(last)
                 : "memory");
#endif
    return before;
}

FUSE_HD void send_word([[maybe_unused]] unsigned* own, [[maybe_unused]] unsigned word, [[maybe_unused]] unsigned rank,
                       [[maybe_unused]] std::uint64_t* barrier) {
#if defined(FUSE_HAS_BULK_COPIES)
    unsigned to;
    unsigned counted;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(shared_address(own)), "r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(counted) : "r"(shared_address(barrier)), "r"(rank));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];"
                 :
                 : "r"(to), "r"(word), "r"(counted)
                 : "memory");
#endif
}

#undef FUSE_HAS_BULK_COPIES

}  // namespace detail

FUSE_END_NAMESPACE

#endif
