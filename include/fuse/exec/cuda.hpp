// SPDX-License-Identifier: Apache-2.0
//
// fuse::cuda: runs statements on the current CUDA device, one launch per eval, asynchronously. Nothing on this path
// synchronises or allocates, except stream-ordered scratch for the strategies whose blocks exchange partial results.
#pragma once

#if defined(__CUDACC__)

#include "fuse/exec/cuda_device.hpp"
#include "fuse/exec/executor.hpp"
#include "fuse/exec/result_memory.hpp"
#include "fuse/exec/workspace.hpp"
#include "fuse/primitives/machine/cuda_block.hpp"

/// 1 checks every pointer given to the GPU executor with the driver (about a microsecond each). On in debug builds.
#if !defined(FUSE_CHECK)
#if defined(NDEBUG)
#define FUSE_CHECK 0
#else
#define FUSE_CHECK 1
#endif
#endif

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Threads that a multiprocessor of the architecture being compiled can hold (CUDA C++ Programming Guide, compute
/// capabilities): launch bounds that ask for more do not assemble.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int threads_of_multiprocessor = 1024;
#elif defined(__CUDA_ARCH__) &&                                                                                        \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
inline constexpr int threads_of_multiprocessor = 1536;
#else
inline constexpr int threads_of_multiprocessor = 2048;
#endif
template <class K>
inline constexpr int min_blocks =
    K::min_blocks* K::max_threads <= threads_of_multiprocessor ? K::min_blocks
                                                               : threads_of_multiprocessor / K::max_threads;

/// Every kernel of the library. K is a kernel struct (kernels/), its body the same code that runs on the host.
template <class K>
__global__ void __launch_bounds__(K::max_threads, min_blocks<K>)
    fused_kernel(const __grid_constant__ Params<typename K::program> p) {
    if constexpr (K::own_bytes(1U, 1) > 0) {
        PlannedCudaBlock block(K::own_bytes(blockDim.x * blockDim.y, p.share));
        run_kernel<K>(block, p);
    } else {
        PlannedCudaBlock block;
        run_kernel<K>(block, p);
    }
}

/// Blocks of a cooperative launch that fit the device together.
template <class K>
index_t resident_blocks(const Device& device, unsigned threads, std::size_t shared) {
    int per_unit = 0;
    check_cuda(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, fused_kernel<K>, static_cast<int>(threads), shared),
        "fuse: asking for the occupancy of a kernel");
    return static_cast<index_t>(largest(1, per_unit)) * device.units;
}

inline bool is_capturing(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check_cuda(cudaStreamIsCapturing(stream, &status), "fuse: asking whether the stream is capturing");
    return status != cudaStreamCaptureStatusNone;
}

}  // namespace detail

/// The GPU executor: copyable, cheap; fuse::cuda is one on the default stream.
class CudaExecutor : public ExecutorBase<CudaExecutor, Device> {
    using Base = ExecutorBase<CudaExecutor, Device>;

public:
    constexpr CudaExecutor() = default;
    static constexpr const char* name = "cuda";
    Device target() const { return detail::current_device(); }

    /// The same executor on another stream.
    constexpr CudaExecutor on(cudaStream_t stream) const {
        CudaExecutor e = *this;
        e.stream_ = stream;
        return e;
    }
    /// With memory owned by the caller: eval then makes no memory call at all.
    CudaExecutor with(workspace& memory) const {
        CudaExecutor e = *this;
        e.workspace_ = &memory;
        return e;
    }
    using Base::with;
    constexpr cudaStream_t stream() const { return stream_; }

    template <class... S>
    FUSE_COLD void run(const std::tuple<S...>& statements) const {
        detail::check_cuda(cudaPeekAtLastError(), "fuse: an earlier CUDA call had failed before this eval");
        Base::run(statements);
    }

    /// Bytes per second between the device and its memory, from its clock and bus width.
    static double bandwidth() {
        int device = 0;
        detail::check_cuda(cudaGetDevice(&device), "fuse: reading the current device");
        return 2e3 * detail::attribute(cudaDevAttrMemoryClockRate, device) *
               (detail::attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8.0);
    }

    /// Bytes of workspace that eval of these statements needs; 0 for most.
    template <class... S>
    std::size_t workspace_bytes(const std::tuple<S...>& statements) const {
        auto prepared = prepare(statements);
        Launch& l = prepared.launch;
        if (!prepared.empty) {
            prepared.with_kernel([&]<class K>() { this->complete_here<K>(l); });
        }
        return l.link == Link::none ? 0 : detail::WorkspaceLayout::bytes(l.partial_bytes);
    }

    /// The value of a scalar expression: waits for the stream. Refused while the stream is capturing.
    template <class E>
    value_t<E> value(const E& expression) const {
        using T = value_t<E>;
        if (detail::is_capturing(stream_)) {
            throw argument_error(
                Text() << "value() waits for the stream, which is capturing a graph: use eval into a view");
        }
        auto* const result = static_cast<T*>(detail::ResultMemory::of_this_thread(sizeof(T)));
        const detail::value_view<T> output(result, Shape{}, Shape{});
        run(std::tuple(output = expression));
        detail::check_cuda(cudaStreamSynchronize(stream_), "fuse: waiting for the result of value()");
        return *result;
    }

    /// In debug builds, asks the driver where the operand lies.
    FUSE_COLD static void check_operand(const char* name, std::uintptr_t address) {
        if (FUSE_CHECK == 0) {
            return;
        }
        cudaPointerAttributes attributes{};
        detail::check_cuda(cudaPointerGetAttributes(&attributes, reinterpret_cast<const void*>(address)),
                           "fuse: asking where a pointer points");
        if (attributes.type == cudaMemoryTypeUnregistered) {
            throw argument_error(Text() << "view " << name << " points to host memory, which fuse::cuda cannot read");
        }
    }

    template <class K, class Preparation>
    FUSE_COLD void launch(Preparation& prepared) const {
        const Launch& l = prepared.launch;
        BlockSharing& sharing = prepared.params;
        complete_here<K>(prepared.launch);
        sharing.share = l.share;
        sharing.group = static_cast<unsigned>(l.group);
        const auto* const kernel = reinterpret_cast<const void*>(&detail::fused_kernel<K>);
        // What finds memory between blocks is compiled only for kernels that may ask for it.
        if constexpr (K::link == Link::none) {
            submit(kernel, &prepared.params, l);
        } else {
            submit_linked(kernel, &prepared.params, sharing, l);
        }
    }

private:
    template <class K>
    static void complete_here(Launch& l) {
        complete<K>(l, [&l](std::size_t shared) {
            return detail::resident_blocks<K>(detail::current_device(), l.threads(), shared);
        });
    }

    /// Gives the blocks memory through which they hand results on, and launches. sharing is a part of the parameters.
    FUSE_COLD void submit_linked(const void* kernel, void* params, BlockSharing& sharing, const Launch& l) const {
        if (l.link == Link::none) {
            submit(kernel, params, l);
        } else if (l.link == Link::lookback) {
            with_memory({l.partial_bytes, l.partial_bytes, true}, [&](void* memory, std::size_t bytes) {
                sharing.partials = memory;
                sharing.state_words = static_cast<index_t>(bytes / sizeof(std::uint64_t));
                this->submit(kernel, params, l);
            });
        } else {
            const std::size_t all = detail::WorkspaceLayout::bytes(l.partial_bytes);
            with_memory({all, detail::WorkspaceLayout::counter_area, false}, [&](void* memory, std::size_t) {
                sharing.counters = l.link == Link::grid_sync ? detail::WorkspaceLayout::barrier(memory)
                                                             : detail::WorkspaceLayout::counters(memory);
                sharing.partials = detail::WorkspaceLayout::partials(memory);
                this->submit(kernel, params, l);
            });
        }
    }

    template <class Use>
    FUSE_COLD void with_memory(const detail::MemoryDemand& demand, Use&& use) const {
        if (workspace_ != nullptr) {
            void* memory = workspace_->data();
            const std::size_t needed = demand.lookback ? detail::WorkspaceLayout::bytes(demand.bytes) : demand.bytes;
            if (workspace_->bytes() < needed) {
                throw argument_error(Text() << "the workspace has " << static_cast<index_t>(workspace_->bytes())
                                            << " bytes, this eval needs " << static_cast<index_t>(needed)
                                            << " (see workspace_bytes)");
            }
            if (demand.lookback) {  // reductions that use the same workspace leave their partial results there
                memory = detail::WorkspaceLayout::partials(memory);
                detail::check_cuda(cudaMemsetAsync(memory, 0, demand.bytes, stream_), "fuse: clearing a workspace");
            }
            use(memory, demand.bytes);
        } else if (detail::is_capturing(stream_)) {
            void* memory = detail::StreamWorkspaces::allocate(stream_, demand);
            use(memory, demand.bytes);
            detail::check_cuda(cudaFreeAsync(memory, stream_), "fuse: freeing scratch memory");
        } else {
            detail::StreamWorkspaces::instance().use(stream_, demand, use);
        }
    }

    FUSE_COLD void submit(const void* kernel, void* params, const Launch& l) const {
        constexpr std::size_t without_asking = 48 * 1024;
        if (l.shared_bytes > without_asking) {
            detail::check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                    static_cast<int>(l.shared_bytes)),
                               "fuse: asking for more shared memory");
        }
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>(l.grid));
        config.blockDim = dim3(l.dim_x, l.dim_y);
        config.dynamicSmemBytes = l.shared_bytes;
        config.stream = stream_;
        cudaLaunchAttribute attribute{};
        config.attrs = &attribute;
        if (l.link == Link::grid_sync) {
            config.numAttrs = 1;
            attribute.id = cudaLaunchAttributeCooperative;
            attribute.val.cooperative = 1;
        } else if (l.cluster > 1) {
            config.numAttrs = 1;
            attribute.id = cudaLaunchAttributeClusterDimension;
            attribute.val.clusterDim = {l.cluster, 1, 1};
            if (l.cluster > 8) {  // more than every device with clusters has
                detail::check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                                   "fuse: asking for a larger cluster");
            }
        }
        detail::check_launch(cudaLaunchKernelExC(&config, kernel, &params));
    }

    cudaStream_t stream_ = nullptr;
    workspace* workspace_ = nullptr;
};

inline constexpr CudaExecutor cuda{};

/// Bytes of a workspace for eval(executor, statements...).
template <StatementLike... S>
std::size_t workspace_bytes(const CudaExecutor& executor, const S&... statements) {
    return executor.workspace_bytes(std::tuple<S...>(statements...));
}

FUSE_END_NAMESPACE

#endif
