// SPDX-License-Identifier: Apache-2.0
//
// What fuse asks of a CUDA device: its size, once per device and process; and readable errors for a wrong one.
#pragma once

#if defined(__CUDACC__)

#include "fuse/exec/cuda_error.hpp"
#include "fuse/numeric.hpp"
#include "fuse/plan/target.hpp"
#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

inline int attribute(cudaDeviceAttr which, int device) {
    int v = 0;
    check_cuda(cudaDeviceGetAttribute(&v, which, device), "fuse: reading a device attribute");
    return v;
}

/// Whether the caller of value() may go on before its kernel has ended: where the host must not touch managed memory
/// while a kernel runs, it may not.
FUSE_RARE inline bool may_watch() {
    int device = 0;
    check_cuda(cudaGetDevice(&device), "fuse: reading the current device");
    return attribute(cudaDevAttrConcurrentManagedAccess, device) != 0;
}

/// The most blocks of a cluster (CUDA C++ Programming Guide, thread block clusters): 8 from compute capability 9.0 on, if
/// the kernels were compiled for it; 16 where there are so many multiprocessors side by side, which a slice of a device
/// need not have.
FUSE_RARE inline unsigned cluster_blocks(int capability, int units) {
    bool compiled = false;
#if defined(__CUDA_ARCH_LIST__)
    for (const int arch : {__CUDA_ARCH_LIST__}) {
        compiled = compiled || (arch >= 900 && arch <= capability);
    }
#endif
    constexpr int whole_device = 100;
    const bool data_centre = capability / 100 == 9 || capability / 100 == 10;
    return !compiled ? 1 : data_centre && units >= whole_device ? max_cluster_blocks : 8;
}

/// Devices whose size is remembered; those beyond are asked each time.
inline constexpr int remembered_devices = 64;

/// A device, as the choice of a launch sees it.
FUSE_RARE inline Device ask_device(int id) {
    Device device;
    device.units = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount, id));
    device.threads_per_unit = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerMultiProcessor, id));
    device.block_threads = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerBlock, id));
    device.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, id);
    device.cluster_blocks = cluster_blocks(100 * attribute(cudaDevAttrComputeCapabilityMajor, id) +
                                               10 * attribute(cudaDevAttrComputeCapabilityMinor, id),
                                           static_cast<int>(device.units));
    device.bulk_copies = device.cluster_blocks > 1;  // they came with clusters
    return device;
}

/// The current device. Threads that find it remembered take no lock.
FUSE_COLD inline Device current_device() {
    static SpinLock lock;
    static Device remembered[remembered_devices] = {};
    static bool known[remembered_devices] = {};
    int id = 0;
    check_cuda(cudaGetDevice(&id), "fuse: reading the current device");
    const bool has_place = id < remembered_devices;
    if (has_place && __atomic_load_n(&known[id], __ATOMIC_ACQUIRE)) {
        return remembered[id];
    }
    const Device device = ask_device(id);
    const SpinLock::Guard guard(lock);
    if (has_place && !known[id]) {
        remembered[id] = device;
        __atomic_store_n(&known[id], true, __ATOMIC_RELEASE);
    }
    return device;
}

/// "no kernel image" says what was built and what is there.
[[noreturn]] FUSE_RARE inline void throw_no_image(cudaError_t code) {
    int id = 0;
    cudaGetDevice(&id);
    int major = 0;
    int minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, id);
    Text built;
#if defined(__CUDA_ARCH_LIST__)
    for (const int arch : {__CUDA_ARCH_LIST__}) {
        built << (built.empty() ? "sm_" : ", sm_") << arch / 10;
    }
#endif
    cudaGetLastError();
    throw cuda_error(code, Text() << "fuse: this program was built for " << built << " but the device is sm_"
                                  << 10 * major + minor);
}

FUSE_RARE inline void check_launch(cudaError_t code) {
    if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorUnsupportedPtxVersion ||
        code == cudaErrorInvalidDeviceFunction) {
        throw_no_image(code);
    }
    check_cuda(code, "fuse: launching a kernel");
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
