// SPDX-License-Identifier: Apache-2.0
//
// What fuse asks of a CUDA device: its size, once per device and process; and readable errors for a wrong one.
#pragma once

#include <array>
#include <atomic>
#include <mutex>

#include "fuse/exec/cuda_error.hpp"
#include "fuse/plan/policy.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

inline int attribute(cudaDeviceAttr which, int device) {
    int v = 0;
    check_cuda(cudaDeviceGetAttribute(&v, which, device), "fuse: reading a device attribute");
    return v;
}

/// The current device, as the strategy sees it.
inline const Device& current_device() {
    struct Slot {
        std::atomic<bool> known{false};
        Device device;
    };
    static std::array<Slot, 64> slots;
    int id = 0;
    check_cuda(cudaGetDevice(&id), "fuse: reading the current device");
    Slot& slot = slots[static_cast<std::size_t>(id) % slots.size()];
    if (!slot.known.load(std::memory_order_acquire)) {
        // Threads that come here together write the same values.
        static std::mutex mutex;
        const std::lock_guard lock(mutex);
        slot.device.units = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount, id));
        slot.device.threads_per_unit = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerMultiProcessor, id));
        slot.device.block_threads = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerBlock, id));
        slot.known.store(true, std::memory_order_release);
    }
    return slot.device;
}

/// "no kernel image" says what was built and what is there.
inline void check_launch(cudaError_t code) {
    if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorUnsupportedPtxVersion ||
        code == cudaErrorInvalidDeviceFunction) {
        int id = 0;
        cudaGetDevice(&id);
        int major = 0;
        int minor = 0;
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id);
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, id);
        std::string built;
#if defined(__CUDA_ARCH_LIST__)
        for (const int arch : {__CUDA_ARCH_LIST__}) {
            built += (built.empty() ? "sm_" : ", sm_") + std::to_string(arch / 10);
        }
#endif
        cudaGetLastError();
        throw cuda_error(code, "fuse: this program was built for " + built + " but the device is sm_" +
                                   std::to_string(major) + std::to_string(minor));
    }
    check_cuda(code, "fuse: launching a kernel");
}

}  // namespace detail

FUSE_END_NAMESPACE
