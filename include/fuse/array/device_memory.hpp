// SPDX-License-Identifier: Apache-2.0
//
// Where a device_tensor has its memory from: a resource (exec/memory_resource.hpp) and the stream that orders its use.
#pragma once

#if defined(__CUDACC__)

#include <utility>

#include "fuse/exec/cuda.hpp"

FUSE_BEGIN_NAMESPACE

/// A resource and a stream. It refers to the resource, which must outlive what was allocated there.
class device_memory {
public:
    /// On the stream of the executor, where that takes its memory from, else by cudaMallocAsync:
    /// device_tensor<float>(cuda.on(stream), rows, cols).
    device_memory(const CudaExecutor& executor = cuda) : stream_(executor.stream()), source_(executor.memory()) {}
    template <MemoryResource R>
    explicit device_memory(R& resource, const CudaExecutor& executor = cuda)
        : stream_(executor.stream()), source_(resource) {}

    cudaStream_t stream() const { return stream_; }
    void* allocate(std::size_t bytes) const { return source_.allocate(bytes, stream_); }
    void deallocate(void* p, std::size_t bytes) const { source_.deallocate(p, bytes, stream_); }

private:
    cudaStream_t stream_ = nullptr;
    detail::MemorySource source_;
};

namespace detail {

/// Bytes of device memory, given back in stream order. Not initialised.
class DeviceBytes {
public:
    DeviceBytes() = default;
    DeviceBytes(const device_memory& memory, std::size_t bytes)
        : memory_(memory), data_(bytes > 0 ? memory.allocate(bytes) : nullptr), bytes_(bytes) {}
    DeviceBytes(DeviceBytes&& other) noexcept
        : memory_(other.memory_), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    DeviceBytes& operator=(DeviceBytes&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~DeviceBytes() {
        if (data_ != nullptr) {
            memory_.deallocate(data_, bytes_);
        }
    }

    void* data() const { return data_; }
    const device_memory& memory() const { return memory_; }

private:
    device_memory memory_;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace detail

FUSE_END_NAMESPACE

#endif
