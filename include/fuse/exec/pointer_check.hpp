// SPDX-License-Identifier: Apache-2.0
//
// Whether the current device can read what a pointer points to: what debug builds ask the driver about every operand.
#pragma once

#if defined(__CUDACC__)

#include "fuse/exec/cuda_device.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The driver says by which address the current device reads the memory. That is this one for managed memory, for
/// pinned and for most registered memory of the host, and for memory of another device to which access is enabled
/// (cudaDeviceEnablePeerAccess, cudaMemPoolSetAccess); else it is another one, or none.
FUSE_RARE inline void check_readable(const char* name, std::uintptr_t address) {
    const auto* const pointer = reinterpret_cast<const void*>(address);
    cudaPointerAttributes at{};
    check_cuda(cudaPointerGetAttributes(&at, pointer), "fuse: asking where a pointer points");
    int device = 0;
    check_cuda(cudaGetDevice(&device), "fuse: reading the current device");
    if (at.devicePointer != pointer) {  // a thread that has not called CUDA before knows no address at all
        check_cuda(cudaSetDevice(device), "fuse: making the device current");
        check_cuda(cudaPointerGetAttributes(&at, pointer), "fuse: asking where a pointer points");
    }
    const bool same = at.devicePointer == pointer;
    const char* what = nullptr;
    if (at.type == cudaMemoryTypeUnregistered && attribute(cudaDevAttrPageableMemoryAccess, device) == 0) {
        what = "host memory, which fuse::cuda cannot read";
    } else if (at.type == cudaMemoryTypeDevice && !same && at.device != device) {
        what =
            "memory of another device, which the current one cannot read (cudaSetDevice, cudaDeviceEnablePeerAccess)";
    } else if (at.type == cudaMemoryTypeHost && !same) {
        what = "host memory that the device knows by another address (cudaHostGetDevicePointer), or not at all";
    }
    if (what != nullptr) {
        throw argument_error(Text() << "view " << name << " points to " << what);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
