// SPDX-License-Identifier: Apache-2.0
//
// Host memory that kernels write to, for results that are waited for: no allocation and no copy for each, which would
// take longer than the kernel. Every thread of the program has its own, until it ends.
#pragma once

#if defined(__CUDACC__)

#include "fuse/exec/cuda_error.hpp"
#include "fuse/numeric.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

class ResultMemory {
public:
    static void* of_this_thread(std::size_t bytes) {
        static thread_local ResultMemory memory;
        if (memory.bytes_ < bytes) {
            memory.replace(largest(bytes, std::size_t{256}));
        }
        return memory.data_;
    }
    ResultMemory(const ResultMemory&) = delete;
    ResultMemory& operator=(const ResultMemory&) = delete;

private:
    ResultMemory() = default;
    ~ResultMemory() { static_cast<void>(set(0)); }  // an error where the runtime has ended before, and no harm

    void replace(std::size_t bytes) { check_cuda(set(bytes), "fuse: allocating the result of value()"); }

    /// Frees what there is, and allocates unless bytes is 0. In relaxed mode: either would end what another thread
    /// captures.
    cudaError_t set(std::size_t bytes) {
        cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
        cudaError_t code = cudaThreadExchangeStreamCaptureMode(&mode);
        if (code != cudaSuccess) {
            return code;
        }
        cudaFreeHost(data_);
        data_ = nullptr;
        bytes_ = 0;
        if (bytes > 0) {
            code = cudaHostAlloc(&data_, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
            bytes_ = code == cudaSuccess ? bytes : 0;
        }
        cudaThreadExchangeStreamCaptureMode(&mode);
        return code;
    }

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace detail

FUSE_END_NAMESPACE

#endif
