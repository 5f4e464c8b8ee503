// SPDX-License-Identifier: Apache-2.0
//
// Where device memory comes from: stream-ordered allocation, cudaMallocAsync's unless the executor was given a resource
// with RMM's interface. Memory between the blocks of an eval and device_tensor take it from here.
#pragma once

#if defined(__CUDACC__)

#include <concepts>

#include "fuse/exec/cuda_error.hpp"

FUSE_BEGIN_NAMESPACE

/// A pool as RMM's device_memory_resource: allocate_async(bytes, stream) and deallocate_async(pointer, bytes, stream),
/// ordered as the work on the stream is. The stream may be of a type that is made of a cudaStream_t.
template <class R>
concept MemoryResource = requires(R& r, void* p, std::size_t bytes, cudaStream_t stream) {
    { r.allocate_async(bytes, stream) } -> std::same_as<void*>;
    r.deallocate_async(p, bytes, stream);
};

namespace detail {

/// A resource without its type, which outlives what was allocated there; without one, CUDA's own.
class MemorySource {
public:
    constexpr MemorySource() = default;
    template <MemoryResource R>
    explicit MemorySource(R& resource)
        : resource_(&resource), allocate_(&allocate_from<R>), deallocate_(&deallocate_to<R>) {}

    bool is_users() const { return resource_ != nullptr; }
    void* allocate(std::size_t bytes, cudaStream_t stream) const { return allocate_(resource_, bytes, stream); }
    void deallocate(void* p, std::size_t bytes, cudaStream_t stream) const { deallocate_(resource_, p, bytes, stream); }

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
        check_cuda(cudaMallocAsync(&p, bytes, stream), "fuse: allocating device memory");
        return p;
    }
    static void deallocate_plainly(void*, void* p, std::size_t, cudaStream_t stream) { cudaFreeAsync(p, stream); }

    void* resource_ = nullptr;
    void* (*allocate_)(void*, std::size_t, cudaStream_t) = &allocate_plainly;
    void (*deallocate_)(void*, void*, std::size_t, cudaStream_t) = &deallocate_plainly;
};

}  // namespace detail

FUSE_END_NAMESPACE

#endif
