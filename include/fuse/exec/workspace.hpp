// SPDX-License-Identifier: Apache-2.0
//
// Memory for kernels whose blocks hand results to each other: counters, which are zero between launches (each launch
// leaves them so), and partial results. Launches that share a workspace must be ordered, as on one stream.
//
// A workspace owned by the caller (cuda.with(ws)) makes eval free of any memory call. Without one, each stream gets
// one of its own on first use, allocated in stream order and kept (stream_workspaces.hpp); with a resource of the
// user's (cuda.with(pool)) each eval takes what it needs there and gives it back. During stream capture the memory
// becomes part of the graph instead, since a graph may run on any stream.
#pragma once

#if defined(__CUDACC__)

#include <utility>

#include "fuse/exec/cuda_device.hpp"
#include "fuse/exec/memory_resource.hpp"
#include "fuse/exec/stream_workspaces.hpp"
#include "fuse/kernels/launch/launch.hpp"

FUSE_BEGIN_NAMESPACE

/// Device memory for the strategies that need some. Not copyable; the caller keeps it alive until the work is done.
class workspace {
public:
    workspace() = default;
    /// Allocates at once (synchronises, as cudaMalloc does). bytes: see workspace_bytes(executor, statements...).
    explicit workspace(std::size_t bytes) {
        if (bytes > 0) {
            detail::check_cuda(cudaMalloc(&data_, bytes), "fuse: allocating a workspace");
            bytes_ = bytes;
            detail::check_cuda(cudaMemset(data_, 0, bytes), "fuse: clearing a workspace");
        }
    }
    workspace(const workspace&) = delete;
    workspace& operator=(const workspace&) = delete;
    workspace(workspace&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    workspace& operator=(workspace&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~workspace() {
        if (data_ != nullptr) {
            cudaFree(data_);
        }
    }

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

namespace detail {

/// How a launch divides its workspace: counters first, at a fixed size, so that launches with other needs find the
/// same words zero; the two words of the grid barrier (whose generation is never reset) at their end; behind them the
/// messages of look-backs, if they are few enough to have memory of their own in the caller's workspace; then the partials,
/// which never need to be cleared.
struct WorkspaceLayout {
    static constexpr std::size_t lookback_area = std::size_t{64} << 10;
    static constexpr std::size_t counter_area = counter_bytes + lookback_area;
    static constexpr std::size_t max_groups = counter_bytes / sizeof(unsigned) - 2;

    static std::size_t bytes(std::size_t partial_bytes) { return counter_area + (partial_bytes + 255) / 256 * 256; }
    static unsigned* counters(void* memory) { return static_cast<unsigned*>(memory); }
    static unsigned* barrier(void* memory) { return counters(memory) + max_groups; }
    static void* messages(void* memory) { return static_cast<unsigned char*>(memory) + counter_bytes; }
    static void* partials(void* memory) { return static_cast<unsigned char*>(memory) + counter_area; }
};

/// What a thread calls in this scope does not concern what others capture.
class OutsideCaptures {
public:
    OutsideCaptures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    OutsideCaptures(const OutsideCaptures&) = delete;
    ~OutsideCaptures() { cudaThreadExchangeStreamCaptureMode(&mode_); }

private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Stream-ordered memory of which the beginning is zero. Inside a capture both become nodes of the graph.
FUSE_RARE inline void* allocate_cleared(const MemorySource& source, const MemoryDemand& demand, cudaStream_t stream) {
    void* const memory = source.allocate(demand.bytes, stream);
    const cudaError_t cleared = cudaMemsetAsync(memory, 0, demand.cleared, stream);
    if (cleared != cudaSuccess) {
        source.deallocate(memory, demand.bytes, stream);
        check_cuda(cleared, "fuse: clearing scratch memory");
    }
    return memory;
}

/// Memory for one launch, given back behind it.
class ScratchMemory {
public:
    ScratchMemory(const MemorySource& source, const MemoryDemand& demand, cudaStream_t stream)
        : source_(source), stream_(stream), bytes_(demand.bytes), data_(allocate_cleared(source, demand, stream)) {}
    ScratchMemory(const ScratchMemory&) = delete;
    ~ScratchMemory() { source_.deallocate(data_, bytes_, stream_); }
    void* data() const { return data_; }

private:
    const MemorySource& source_;
    cudaStream_t stream_;
    std::size_t bytes_;
    void* data_;
};

/// CUDA, as StreamWorkspaces asks for it.
struct CudaMemory {
    using Stream = cudaStream_t;
    using Event = cudaEvent_t;
    using Unrestricted = OutsideCaptures;

    static void* allocate(const MemoryDemand& demand, cudaStream_t stream) {
        return allocate_cleared(MemorySource(), demand, stream);
    }
    static void free_in_order(void* memory, cudaStream_t stream) { cudaFreeAsync(memory, stream); }
    static void free(void* memory) { cudaFree(memory); }

    FUSE_RARE static cudaEvent_t make_event() {
        cudaEvent_t event = nullptr;
        check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "fuse: creating an event");
        return event;
    }
    static void record(cudaEvent_t event, cudaStream_t stream) {
        check_cuda(cudaEventRecord(event, stream), "fuse: recording an event behind an eval");
    }
    FUSE_RARE static bool passed(cudaEvent_t event) {
        const bool done = cudaEventQuery(event) == cudaSuccess;
        if (!done) {
            cudaGetLastError();  // not yet: no error
        }
        return done;
    }
};

/// Work on `stream` from now on begins when what `other` holds has run.
FUSE_RARE inline void wait_for_stream(cudaStream_t stream, cudaStream_t other) {
    const cudaEvent_t event = CudaMemory::make_event();
    const cudaError_t recorded = cudaEventRecord(event, other);
    const cudaError_t waits = recorded == cudaSuccess ? cudaStreamWaitEvent(stream, event) : recorded;
    cudaEventDestroy(event);
    check_cuda(waits, "fuse: waiting for the stream of an array");
}

/// Of each remembered device. Never destroyed: at the end of the program there may be no driver to give it back to.
inline StreamWorkspaces<CudaMemory> (&stream_workspaces())[remembered_devices] {
    static StreamWorkspaces<CudaMemory> all[remembered_devices];
    return all;
}

}  // namespace detail

/// Bytes of device memory that fuse keeps for the next evals, of all devices: the workspaces of streams, not those that
/// the caller owns.
FUSE_RARE inline std::size_t workspace_bytes_held() {
    std::size_t bytes = 0;
    for (const auto& of_device : detail::stream_workspaces()) {
        bytes += of_device.bytes();
    }
    return bytes;
}

/// Gives back the workspaces of evals that are done; waits for nothing. The next eval that needs one allocates again.
FUSE_RARE inline void release_workspaces() {
    for (auto& of_device : detail::stream_workspaces()) {
        of_device.release();
    }
}

FUSE_END_NAMESPACE

#endif
