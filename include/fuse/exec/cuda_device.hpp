// SPDX-License-Identifier: Apache-2.0
//
// What fuse asks of a CUDA device: its size, once per device and process; and readable errors for a wrong one.
#pragma once

#if defined(__CUDACC__)

#include "fuse/exec/cuda_error.hpp"
#include "fuse/numeric.hpp"
#include "fuse/plan/target.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

inline int attribute(cudaDeviceAttr which, int device) {
    int v = 0;
    check_cuda(cudaDeviceGetAttribute(&v, which, device), "fuse: reading a device attribute");
    return v;
}

/// Devices whose size is remembered; those beyond are asked each time.
inline constexpr int remembered_devices = 64;

/// The current device, as the choice of a launch sees it.
FUSE_COLD inline Device current_device() {
    static SpinLock lock;
    static Device remembered[remembered_devices] = {};
    int id = 0;
    check_cuda(cudaGetDevice(&id), "fuse: reading the current device");
    const SpinLock::Guard guard(lock);
    Device device = id < remembered_devices ? remembered[id] : Device{};
    if (device.block_threads <= 1) {  // as it is before it was asked
        device.units = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount, id));
        device.threads_per_unit = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerMultiProcessor, id));
        device.block_threads = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerBlock, id));
        device.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, id);
        if (id < remembered_devices) {
            remembered[id] = device;
        }
    }
    return device;
}

/// "no kernel image" says what was built and what is there.
FUSE_COLD inline void check_launch(cudaError_t code) {
    if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorUnsupportedPtxVersion ||
        code == cudaErrorInvalidDeviceFunction) {
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
    check_cuda(code, "fuse: launching a kernel");
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
