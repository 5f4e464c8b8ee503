// SPDX-License-Identifier: Apache-2.0
//
// The __global__ function of all kernels of the library, and how many blocks of it a device holds.
#pragma once

#if defined(__CUDACC__)

#include "fuse/exec/cuda_device.hpp"
#include "fuse/exec/cuda_occupancy.hpp"
#include "fuse/kernels/body/run.hpp"
#include "fuse/kernels/launch/launch.hpp"
#include "fuse/primitives/machine/cuda_block.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Threads that a multiprocessor of the architecture being compiled can hold (CUDA C++ Programming Guide, compute
/// capabilities): launch bounds that ask for more do not assemble.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int threads_of_multiprocessor = 1024;
#elif defined(__CUDA_ARCH__) &&                                                                                        \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
inline constexpr int threads_of_multiprocessor = 1536;
#else
inline constexpr int threads_of_multiprocessor = 2048;
#endif
template <class K>
inline constexpr int min_blocks =
    K::min_blocks* K::max_threads <= threads_of_multiprocessor ? K::min_blocks
                                                               : threads_of_multiprocessor / K::max_threads;

/// Blocks that wait for what was launched before them, where they may have been launched before it ended (programmatic
/// dependent launch, CUDA C++ Programming Guide). The way of each block to memory leads through here. What comes next may
/// be launched when all blocks of a grid have ended or said so: a grid that leaves multiprocessors idle says so at once. In
/// one that does not, the blocks of the next would be placed unevenly: measured, a batch norm of 16 us takes 17.
__device__ __forceinline__ void wait_for_grid_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    constexpr unsigned small_grid = 128;
    cudaGridDependencySynchronize();
    if (gridDim.x <= small_grid) {
        cudaTriggerProgrammaticLaunchCompletion();
    }
#endif
}

/// Every kernel of the library. K is a kernel struct (kernels/), its body the same code that runs on the host.
template <class K>
__global__ void __launch_bounds__(K::max_threads, min_blocks<K>)
    fused_kernel(const __grid_constant__ Params<typename K::program> p) {
    wait_for_grid_before();
    if constexpr (K::own_bytes(1U, 1) > 0) {
        PlannedCudaBlock block(K::own_bytes(blockDim.x * blockDim.y, p.share));
        run_kernel<K>(block, p);
    } else {
        PlannedCudaBlock block;
        run_kernel<K>(block, p);
    }
}

/// Blocks of a launch that fit the device together. Clusters need blocks that are free side by side; to ask for them takes
/// long, so that the last answer is kept.
template <class K>
index_t resident_blocks(const Device& device, const Launch& l, std::size_t shared) {
    const auto* const kernel = reinterpret_cast<const void*>(&fused_kernel<K>);
    if (l.cluster == 1) {
        int most = 0;
        allow(kernel, shared, 1);
        check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, kernel, static_cast<int>(l.threads()), shared),
                   "fuse: asking for the occupancy of a kernel");
        return static_cast<index_t>(largest(1, most)) * device.units;
    }
    static ClusterOccupancy last;
    return last.of(kernel, l, shared);
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
