// SPDX-License-Identifier: Apache-2.0
//
// cuda_error: a CUDA call that failed, with what fuse was doing.
#pragma once

#include <cuda_runtime_api.h>

#include "fuse/error.hpp"

FUSE_BEGIN_NAMESPACE

class cuda_error : public error {
  public:
    cuda_error(cudaError_t code, const std::string& doing)
        : error(doing + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")"), code_(code) {}
    cudaError_t code() const { return code_; }

  private:
    cudaError_t code_;
};

namespace detail {

/// Throws and clears the error, so that the next call starts clean.
inline void check_cuda(cudaError_t code, const char* doing) {
    if (code != cudaSuccess) {
        cudaGetLastError();
        throw cuda_error(code, doing);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
