// SPDX-License-Identifier: Apache-2.0
//
// fuse::cuda: runs statements on the current CUDA device, one launch per eval, asynchronously. Nothing on this path
// synchronises or allocates, except stream-ordered scratch for the strategies whose blocks exchange partial results.
#pragma once

#if defined(__CUDACC__)

#include <new>

#include "fuse/exec/cuda_device.hpp"
#include "fuse/exec/cuda_occupancy.hpp"
#include "fuse/exec/executor.hpp"
#include "fuse/exec/fused_kernel.hpp"
#include "fuse/exec/launch_attributes.hpp"
#include "fuse/exec/pointer_check.hpp"
#include "fuse/exec/result_memory.hpp"
#include "fuse/exec/result_watch.hpp"
#include "fuse/exec/workspace.hpp"

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
    /// With a resource that each eval takes memory between blocks from and gives it back to, and that a device_tensor
    /// made with this executor lives in. The executor refers to it.
    template <MemoryResource R>
    CudaExecutor with(R& resource) const {
        CudaExecutor e = *this;
        e.memory_ = detail::MemorySource(resource);
        return e;
    }
    using Base::with;
    /// Whether an eval's kernel may be placed on the device while the kernel before it on the stream, anybody's, is ending,
    /// and then waits until all that one wrote is there (programmatic dependent launch; compute capability 9.0 and more).
    /// It may unless it is said here, and saves 0.5 to 2 us an eval; results are the same. A graph captured so has
    /// programmatic edges, which calls of the driver that ask for edges without their data refuse to tell.
    constexpr CudaExecutor programmatic_dependent_launch(bool allowed) const {
        CudaExecutor e = *this;
        e.dependent_ = allowed;
        return e;
    }
    constexpr cudaStream_t stream() const { return stream_; }
    const detail::MemorySource& memory() const { return memory_; }

    static constexpr bool checks_each_eval = FUSE_CHECK != 0;  // arrays may have been given back
    static void check_machine() {
        detail::check_cuda(cudaPeekAtLastError(), "fuse: an earlier CUDA call had failed before this eval");
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
        auto prepared = this->prepare(statements);
        if (prepared.empty) {
            return 0;
        }
        if constexpr (requires { prepared.step; }) {
            return bytes_of_steps(prepared);
        } else {
            Launch& l = prepared.launch;
            prepared.with_kernel([&]<class K>() { complete<K, Residents>(l); });
            return l.link == Link::none ? 0 : detail::WorkspaceLayout::bytes(l.partial_bytes);
        }
    }

    /// The values of scalar expressions: waits until they are there. Refused while the stream is capturing.
    template <class... E>
    std::tuple<value_t<E>...> values(const E&... expressions) const {
        using Results = std::tuple<value_t<E>...>;
        if (detail::is_capturing(stream_)) {
            throw argument_error(
                Text() << "value() waits for the stream, which is capturing a graph: use eval into a view");
        }
        auto* const results = new (detail::ResultMemory::of_this_thread(sizeof(Results))) Results{};
        const auto awaited = std::apply([](auto&... r) { return std::array{detail::await_result(r)...}; }, *results);
        try {
            detail::run_into(*this, *results, expressions...);
        } catch (...) {
            const detail::OutsideCaptures unrestricted;
            cudaStreamSynchronize(stream_);  // a launch that has been made writes to memory that is used again
            throw;
        }
        if (!detail::may_watch() || !detail::watch_results(awaited.data(), static_cast<int>(sizeof...(E)))) {
            const detail::OutsideCaptures unrestricted;
            detail::check_cuda(cudaStreamSynchronize(stream_), "fuse: waiting for the result of value()");
        }
        return *results;
    }

    /// In debug builds, asks the driver where the operand lies.
    FUSE_COLD static void check_operand(const char* name, std::uintptr_t address) {
        if (FUSE_CHECK != 0) {
            detail::check_readable(name, address);
        }
    }

    template <class K, class Preparation>
    FUSE_COLD void launch(Preparation& prepared) const {
        complete<K, Residents>(prepared.launch);
        // What finds memory between blocks is compiled only for kernels that may ask for it.
        if constexpr (K::link == Link::none) {
            submit_alone(kernel_of<K>(), &prepared.params, prepared.params, prepared.launch);
        } else {
            submit_linked(kernel_of<K>(), &prepared.params, prepared.params, prepared.launch);
        }
    }

    /// A launch whose statements are done in steps.
    template <class... S>
    FUSE_COLD void launch_steps(PreparedSteps<Device, S...>& prepared) const {
        StepsLaunch<S...> one(prepared, policy(), target());
        static_assert(sizeof(one.params) <= 32764, "fuse: this eval has more operands than kernel parameters can hold");
        one.with_kernel([&]<class K>(type_list<K> kernel) { launch_all(one, kernel); });
        prepared.launch = one.launch;
    }

private:
    template <class... S>
    FUSE_COLD std::size_t bytes_of_steps(const PreparedSteps<Device, S...>& prepared) const {
        StepsLaunch<S...> one(prepared, policy(), target());
        one.with_kernel([&one]<class K>(type_list<K>) { complete<K, Residents>(one.launch); });
        return detail::WorkspaceLayout::bytes(one.launch.partial_bytes);
    }
    template <class One, class K>
    FUSE_COLD void launch_all(One& one, type_list<K>) const {
        complete<K, Residents>(one.launch);
        const std::size_t all = detail::WorkspaceLayout::bytes(one.launch.partial_bytes);
        with_memory({all, detail::WorkspaceLayout::counter_area, false}, [&](void* memory, std::size_t) {
            one.params.counters = detail::WorkspaceLayout::barrier(memory);
            one.place(static_cast<unsigned char*>(detail::WorkspaceLayout::partials(memory)));
            this->submit(kernel_of<K>(), &one.params, one.launch);
        });
    }

    struct Residents {
        template <class K>
        static index_t of(const Launch& l, std::size_t shared) {
            return detail::resident_blocks<K>(detail::current_device(), l, shared);
        }
    };
    struct Kernel {
        const void* code;
        detail::WaitsByItself* waits;
    };
    template <class K>
    static Kernel kernel_of() {
        return {reinterpret_cast<const void*>(&detail::fused_kernel<K>), &detail::waits_by_itself<K>};
    }

    /// sharing is a part of the parameters.
    FUSE_COLD void submit_alone(Kernel kernel, void* params, BlockSharing& sharing, const Launch& l) const {
        sharing.share = l.share;
        sharing.group = static_cast<unsigned>(l.group);
        submit(kernel, params, l);
    }
    /// Gives the blocks memory through which they hand results on, and launches.
    FUSE_COLD void submit_linked(Kernel kernel, void* params, BlockSharing& sharing, const Launch& l) const {
        using Areas = detail::WorkspaceLayout;
        if (l.link == Link::none) {
            return submit_alone(kernel, params, sharing, l);
        }
        const bool looks_back = l.link == Link::lookback;
        const std::size_t all = looks_back ? l.partial_bytes : Areas::bytes(l.partial_bytes);
        with_memory({all, looks_back ? all : Areas::counter_area, looks_back}, [&](void* memory, std::size_t bytes) {
            sharing.partials = looks_back ? memory : Areas::partials(memory);
            sharing.state_words = static_cast<index_t>(bytes / sizeof(std::uint64_t));
            sharing.counters = l.link == Link::grid_sync ? Areas::barrier(memory) : Areas::counters(memory);
            this->submit_alone(kernel, params, sharing, l);
        });
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
            if (demand.lookback && demand.bytes <= detail::WorkspaceLayout::lookback_area) {
                return use(detail::WorkspaceLayout::messages(memory), detail::WorkspaceLayout::lookback_area);
            }
            if (demand.lookback) {  // reductions that use the same workspace leave their partial results there
                memory = detail::WorkspaceLayout::partials(memory);
                detail::check_cuda(cudaMemsetAsync(memory, 0, demand.bytes, stream_), "fuse: clearing a workspace");
            }
            use(memory, demand.bytes);
            return;
        }
        const bool capturing = detail::is_capturing(stream_);
        int device = 0;
        detail::check_cuda(cudaGetDevice(&device), "fuse: reading the current device");
        if (capturing || memory_.is_users() || device >= detail::remembered_devices) {
            const detail::MemorySource graphs;
            const detail::ScratchMemory scratch(capturing ? graphs : memory_, demand, stream_);
            use(scratch.data(), demand.bytes);
        } else {
            unsigned long long id = 0;
            detail::check_cuda(cudaStreamGetId(stream_, &id), "fuse: identifying the stream");
            const auto lease = detail::stream_workspaces()[device].take(stream_, id, demand);
            use(lease.data(), lease.bytes());
            lease.launched();
        }
    }

    FUSE_COLD void submit(Kernel kernel, void* params, const Launch& l) const {
        detail::allow(kernel.code, l.shared_bytes, l.cluster);
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>(l.grid));
        config.blockDim = dim3(l.dim_x, l.dim_y);
        config.dynamicSmemBytes = l.shared_bytes;
        config.stream = stream_;
        const bool dependent = dependent_ && target().bulk_copies && kernel.waits->of(kernel.code);
        detail::LaunchAttributes attributes(l, dependent);
        attributes.give(config);
        detail::check_launch(cudaLaunchKernelExC(&config, kernel.code, &params));
    }

    cudaStream_t stream_ = nullptr;
    workspace* workspace_ = nullptr;
    detail::MemorySource memory_;
    bool dependent_ = true;
};

inline constexpr CudaExecutor cuda{};

/// Bytes of a workspace for eval(executor, statements...).
template <StatementLike... S>
std::size_t workspace_bytes(const CudaExecutor& executor, const S&... statements) {
    return executor.workspace_bytes(std::tuple<S...>(statements...));
}

FUSE_END_NAMESPACE

#endif
