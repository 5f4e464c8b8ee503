// SPDX-License-Identifier: Apache-2.0
//
// Memory for kernels whose blocks hand results to each other: counters, which are zero between launches (each launch
// leaves them so), and partial results. Launches that share a workspace must be ordered, as on one stream.
//
// A workspace owned by the caller (cuda.with(ws)) makes eval free of any memory call. Without one, each stream gets
// one of its own on first use, allocated in stream order and kept; work on one stream is ordered, so its launches may
// share it. During stream capture the memory becomes part of the graph instead, since a graph may run on any stream.
#pragma once

#if defined(__CUDACC__)

#include <utility>
#include <vector>

#include "fuse/exec/cuda_error.hpp"
#include "fuse/kernels/launch/launch.hpp"
#include "fuse/numeric.hpp"

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
/// same words zero; the two words of the grid barrier (whose generation is never reset) at the end of that area; then
/// the partials, which never need to be cleared.
struct WorkspaceLayout {
    static constexpr std::size_t counter_area = counter_bytes;
    static constexpr std::size_t max_groups = counter_area / sizeof(unsigned) - 2;

    static std::size_t bytes(std::size_t partial_bytes) { return counter_area + (partial_bytes + 255) / 256 * 256; }
    static unsigned* counters(void* memory) { return static_cast<unsigned*>(memory); }
    static unsigned* barrier(void* memory) { return counters(memory) + max_groups; }
    static void* partials(void* memory) { return static_cast<unsigned char*>(memory) + counter_area; }
};

/// Memory that a launch asks for: how much of it must be zero before its first use, and what it is used for. Look-backs
/// have memory of their own, in which the messages of one launch stay for the next one to recognise as old.
struct MemoryDemand {
    std::size_t bytes = 0;
    std::size_t cleared = 0;
    bool lookback = false;
};

/// Workspaces of the streams of this process, by device and the stream's id (unique for the life of the program,
/// unlike its handle). Kept until the program ends.
class StreamWorkspaces {
public:
    static StreamWorkspaces& instance() {
        static StreamWorkspaces all;
        return all;
    }

    /// Calls launch(memory, bytes) with at least the bytes demanded, cleared before their first use. The lock covers
    /// the launch: another thread on the same stream must not replace the memory in between.
    template <class Launch>
    void use(cudaStream_t stream, const MemoryDemand& demand, Launch&& launch) {
        unsigned long long id = 0;
        check_cuda(cudaStreamGetId(stream, &id), "fuse: identifying the stream");
        int device = 0;
        check_cuda(cudaGetDevice(&device), "fuse: reading the current device");
        const SpinLock::Guard guard(lock_);
        Entry& entry = find(device, id, demand.lookback);
        if (entry.bytes < demand.bytes) {
            void* fresh = allocate(stream, demand);
            if (entry.data != nullptr) {
                cudaFreeAsync(entry.data, stream);
            }
            entry.data = fresh;
            entry.bytes = demand.bytes;
        }
        launch(entry.data, entry.bytes);
    }

    /// Stream-ordered memory. Inside a capture it becomes a node of the graph.
    FUSE_COLD static void* allocate(cudaStream_t stream, const MemoryDemand& demand) {
        void* memory = nullptr;
        check_cuda(cudaMallocAsync(&memory, demand.bytes, stream), "fuse: allocating scratch memory");
        const cudaError_t cleared = cudaMemsetAsync(memory, 0, demand.cleared, stream);
        if (cleared != cudaSuccess) {
            cudaFreeAsync(memory, stream);
            check_cuda(cleared, "fuse: clearing scratch memory");
        }
        return memory;
    }

private:
    struct Entry {
        int device = 0;
        unsigned long long stream = 0;
        bool lookback = false;
        void* data = nullptr;
        std::size_t bytes = 0;
    };
    FUSE_COLD Entry& find(int device, unsigned long long stream, bool lookback) {
        for (Entry& entry : entries_) {
            if (entry.device == device && entry.stream == stream && entry.lookback == lookback) {
                return entry;
            }
        }
        entries_.push_back({device, stream, lookback, nullptr, 0});
        return entries_.back();
    }

    SpinLock lock_;
    std::vector<Entry> entries_;
};

}  // namespace detail

FUSE_END_NAMESPACE

#endif
