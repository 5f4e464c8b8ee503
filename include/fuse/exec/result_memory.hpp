// SPDX-License-Identifier: Apache-2.0
//
// Host memory that kernels write to, for results that are waited for: no allocation and no copy for each, which would
// take longer than the kernel. Every thread of the program has its own. A thread that ends leaves it to the next one:
// nothing is freed, as that would wait for the device and so end what another thread captures.
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
        if (memory.mine_ == nullptr || memory.mine_->bytes < bytes) {
            memory.replace(bytes);
        }
        return memory.mine_->data;
    }
    ResultMemory(const ResultMemory&) = delete;
    ResultMemory& operator=(const ResultMemory&) = delete;

private:
    struct Piece {
        void* data;
        std::size_t bytes;
        Piece* next;
    };
    /// What ended threads left, as a list: a container of the standard library costs every file that includes this a
    /// thousandth of its compile time.
    struct Left {
        SpinLock lock;
        Piece* first = nullptr;
    };

    ResultMemory() = default;
    ~ResultMemory() { leave(); }

    /// Kept until the program ends, later than any thread.
    static Left& left() {
        static Left& pieces = *new Left;
        return pieces;
    }

    void leave() {
        if (mine_ != nullptr) {
            const SpinLock::Guard guard(left().lock);
            mine_->next = left().first;
            left().first = mine_;
            mine_ = nullptr;
        }
    }

    FUSE_RARE void replace(std::size_t bytes) {
        leave();
        {
            const SpinLock::Guard guard(left().lock);
            for (Piece** at = &left().first; *at != nullptr; at = &(*at)->next) {
                if ((*at)->bytes >= bytes) {
                    mine_ = *at;
                    *at = mine_->next;
                    return;
                }
            }
        }
        const std::size_t all = largest(bytes, std::size_t{256});
        void* data = nullptr;
        cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
        check_cuda(cudaThreadExchangeStreamCaptureMode(&mode), "fuse: allocating the result of value()");
        const cudaError_t allocated = cudaHostAlloc(&data, all, cudaHostAllocPortable | cudaHostAllocMapped);
        cudaThreadExchangeStreamCaptureMode(&mode);
        check_cuda(allocated, "fuse: allocating the result of value()");
        mine_ = new Piece{data, all, nullptr};
    }

    Piece* mine_ = nullptr;
};

}  // namespace detail

FUSE_END_NAMESPACE

#endif
