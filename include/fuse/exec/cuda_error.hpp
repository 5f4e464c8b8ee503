// SPDX-License-Identifier: Apache-2.0
//
// cuda_error: a CUDA call that failed, with what fuse was doing.
#pragma once

#if defined(__CUDACC__)

#include <cuda_runtime_api.h>

#include "fuse/error.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// No driver, one that is too old, or no device: whatever was asked, nothing runs here.
inline bool means_no_gpu(cudaError_t code) {
    return code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver || code == cudaErrorStubLibrary ||
           code == cudaErrorSystemDriverMismatch || code == cudaErrorSystemNotReady ||
           code == cudaErrorDevicesUnavailable;
}

FUSE_RARE inline Text cuda_message(cudaError_t code, const Text& doing) {
    const bool no_gpu = means_no_gpu(code);
    return Text() << (no_gpu ? Text() << "fuse: no usable GPU" : doing) << ": " << cudaGetErrorString(code) << " ("
                  << cudaGetErrorName(code) << (no_gpu ? "), use fuse::host" : ")");
}

}  // namespace detail

class cuda_error : public error {
public:
    FUSE_RARE cuda_error(cudaError_t code, const Text& doing) : error(detail::cuda_message(code, doing)), code_(code) {}
    cudaError_t code() const { return code_; }

private:
    cudaError_t code_;
};

namespace detail {

/// Throws and clears the error, so that the next call starts clean.
[[noreturn]] FUSE_RARE inline void throw_cuda(cudaError_t code, const char* doing) {
    cudaGetLastError();
    throw cuda_error(code, Text() << doing);
}
inline void check_cuda(cudaError_t code, const char* doing) {
    if (code != cudaSuccess) {
        throw_cuda(code, doing);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
