// SPDX-License-Identifier: Apache-2.0
//
// Where a device_tensor has its memory from: stream-ordered allocation, cudaMallocAsync's unless a resource with RMM's
// interface is given.
#pragma once

#if defined(__CUDACC__)

#include <utility>

#include "fuse/exec/cuda.hpp"

FUSE_BEGIN_NAMESPACE

/// A pool as RMM's device_memory_resource: allocate_async(bytes, stream) and deallocate_async(pointer, bytes, stream),
/// ordered as the work on the stream is. The stream may be of a type that is made of a cudaStream_t.
template <class R>
concept MemoryResource = requires(R& r, void* p, std::size_t bytes, cudaStream_t stream) {
    { r.allocate_async(bytes, stream) } -> std::same_as<void*>;
    r.deallocate_async(p, bytes, stream);
};

/// A resource and a stream. It refers to the resource, which must outlive what was allocated there.
class device_memory {
public:
    /// cudaMallocAsync on the stream of the executor: device_tensor<float>(cuda.on(stream), rows, cols).
    device_memory(const CudaExecutor& executor = cuda) : stream_(executor.stream()) {}
    template <MemoryResource R>
    explicit device_memory(R& resource, const CudaExecutor& executor = cuda)
        : stream_(executor.stream()), resource_(&resource), allocate_(&allocate_from<R>),
          deallocate_(&deallocate_to<R>) {}

    cudaStream_t stream() const { return stream_; }
    void* allocate(std::size_t bytes) const { return allocate_(resource_, bytes, stream_); }
    void deallocate(void* p, std::size_t bytes) const { deallocate_(resource_, p, bytes, stream_); }

private:
    template <class R>
    static void* allocate_from(void* resource, std::size_t bytes, cudaStream_t stream) {
        return static_cast<R*>(resource)->allocate_async(bytes, stream);
    }
    template <class R>
    static void deallocate_to(void* resource, void* p, std::size_t bytes, cudaStream_t stream) {
        static_cast<R*>(resource)->deallocate_async(p, bytes, stream);
    }
    FUSE_COLD static void* allocate_plainly(void*, std::size_t bytes, cudaStream_t stream) {
        void* p = nullptr;
        detail::check_cuda(cudaMallocAsync(&p, bytes, stream), "fuse: allocating a device_tensor");
        return p;
    }
    static void deallocate_plainly(void*, void* p, std::size_t, cudaStream_t stream) { cudaFreeAsync(p, stream); }

    cudaStream_t stream_ = nullptr;
    void* resource_ = nullptr;
    void* (*allocate_)(void*, std::size_t, cudaStream_t) = &allocate_plainly;
    void (*deallocate_)(void*, void*, std::size_t, cudaStream_t) = &deallocate_plainly;
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
