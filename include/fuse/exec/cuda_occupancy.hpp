// SPDX-License-Identifier: Apache-2.0
//
// What a kernel must be allowed before it is launched in a certain way, and how many blocks of it a device holds at a time.
#pragma once

#if defined(__CUDACC__)

#include "fuse/exec/cuda_error.hpp"
#include "fuse/kernels/launch/launch.hpp"
#include "fuse/numeric.hpp"
#include "fuse/plan/target.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Lets a kernel have more than every device has: shared memory of a block, blocks of a cluster.
FUSE_RARE inline void allow(const void* kernel, std::size_t shared_bytes, unsigned cluster) {
    constexpr std::size_t without_asking = 48 * 1024;
    constexpr unsigned portable_cluster = 8;
    if (shared_bytes > without_asking) {
        check_cuda(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
            "fuse: asking for more shared memory");
    }
    if (cluster > portable_cluster) {
        check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                   "fuse: asking for a larger cluster");
    }
}

/// Blocks of a kernel in clusters that a device holds at a time. The last answer is kept.
class ClusterOccupancy {
public:
    FUSE_RARE index_t of(const void* kernel, const Launch& l, std::size_t shared_bytes) {
        int device = 0;
        check_cuda(cudaGetDevice(&device), "fuse: reading the current device");
        const SpinLock::Guard guard(lock_);
        if (blocks_ == 0 || device != device_ || l.threads() != threads_ || l.cluster != cluster_ ||
            shared_bytes != shared_bytes_) {
            const index_t blocks = ask(kernel, l, shared_bytes);
            device_ = device;
            threads_ = l.threads();
            cluster_ = l.cluster;
            shared_bytes_ = shared_bytes;
            blocks_ = blocks;
        }
        return blocks_;
    }

private:
    FUSE_RARE static index_t ask(const void* kernel, const Launch& l, std::size_t shared_bytes) {
        allow(kernel, shared_bytes, l.cluster);
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(l.cluster);
        config.blockDim = dim3(l.threads());
        config.dynamicSmemBytes = shared_bytes;
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {l.cluster, 1, 1};
        config.attrs = &attribute;
        config.numAttrs = 1;
        int clusters = 0;
        check_cuda(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config),
                   "fuse: asking for the occupancy of a kernel");
        return static_cast<index_t>(largest(1, clusters)) * l.cluster;
    }

    SpinLock lock_{};
    int device_ = 0;
    unsigned threads_ = 0;
    unsigned cluster_ = 0;
    std::size_t shared_bytes_ = 0;
    index_t blocks_ = 0;
};

}  // namespace detail

FUSE_END_NAMESPACE

#endif
