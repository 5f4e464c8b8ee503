// SPDX-License-Identifier: Apache-2.0
//
// cuda_error: a CUDA call that failed, with what fuse was doing.
#pragma once

#if defined(__CUDACC__)

#include <cuda_runtime_api.h>

#include "fuse/error.hpp"

FUSE_BEGIN_NAMESPACE

class cuda_error : public error {
public:
    FUSE_COLD cuda_error(cudaError_t code, const Text& doing)
        : error(Text() << doing << ": " << cudaGetErrorString(code) << " (" << cudaGetErrorName(code) << ")"),
          code_(code) {}
    cudaError_t code() const { return code_; }

private:
    cudaError_t code_;
};

namespace detail {

/// Throws and clears the error, so that the next call starts clean.
[[noreturn]] FUSE_COLD inline void throw_cuda(cudaError_t code, const char* doing) {
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
