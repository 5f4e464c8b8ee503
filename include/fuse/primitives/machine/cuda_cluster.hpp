// SPDX-License-Identifier: Apache-2.0
//
// Clusters of thread blocks, from compute capability 9.0 on (PTX ISA, "cluster" in special registers, mapa,
// barrier.cluster). Before that a kernel is compiled as if each block were alone, and must be launched so.
#pragma once

#if defined(__CUDACC__)

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define FUSE_HAS_CLUSTERS 1
inline constexpr bool has_clusters = true;
#else
inline constexpr bool has_clusters = false;
#endif

FUSE_HD unsigned cluster_blocks() {
    unsigned n = 1;
#if defined(FUSE_HAS_CLUSTERS)
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
#endif
    return n;
}

FUSE_HD unsigned cluster_rank() {
    unsigned rank = 0;
#if defined(FUSE_HAS_CLUSTERS)
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}

template <class T>
FUSE_HD T* cluster_peer(T* own, [[maybe_unused]] unsigned rank) {
#if defined(FUSE_HAS_CLUSTERS)
    T* there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(rank));
    return there;
#else
    return own;
#endif
}

/// A release.
FUSE_HD void cluster_arrive() {
#if defined(FUSE_HAS_CLUSTERS)
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}

/// An acquire.
FUSE_HD void cluster_wait() {
#if defined(FUSE_HAS_CLUSTERS)
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

#undef FUSE_HAS_CLUSTERS

}  // namespace detail

FUSE_END_NAMESPACE

#endif
