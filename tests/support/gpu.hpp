// SPDX-License-Identifier: Apache-2.0
//
// GPU tests: skip visibly where there is no device, and launch the functors that emulate() runs, so that one
// test body serves both.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuse/primitives/machine/cuda_block.hpp"
#include "support/emulated/dim2.hpp"

namespace fuse::testing {

/// Exit code that ctest (SKIP_RETURN_CODE) reports as skipped, never as passed.
inline constexpr int skipped_exit_code = 77;

inline void skip_without_gpu() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("SKIPPED: no CUDA device");
        std::fflush(stdout);
        std::_Exit(skipped_exit_code);
    }
}

inline void check_cuda(cudaError_t status) {
    if (status != cudaSuccess) {
        throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
    }
}

/// A fixed number of items that host and device both see.
template <class T>
class ManagedBuffer {
public:
    explicit ManagedBuffer(std::size_t count, T value = T()) : count_(count) {
        T* memory = nullptr;
        check_cuda(cudaMallocManaged(&memory, (count == 0 ? 1 : count) * sizeof(T)));
        items_.reset(memory);
        for (std::size_t i = 0; i < count; ++i) {
            memory[i] = value;
        }
    }

    T* data() { return items_.get(); }
    std::size_t size() const { return count_; }
    T& operator[](std::size_t i) { return items_.get()[i]; }
    const T& operator[](std::size_t i) const { return items_.get()[i]; }

private:
    struct Free {
        void operator()(T* memory) const { cudaFree(memory); }
    };

    std::unique_ptr<T, Free> items_{};
    std::size_t count_;
};

/// Memory of the device alone, for n items.
template <class T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t n) : n_(n) { check_cuda(cudaMalloc(&data_, n * sizeof(T))); }
    explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.size()) { upload(host.data()); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() { cudaFree(data_); }

    T* get() const { return data_; }
    std::size_t size() const { return n_; }
    /// All n items.
    void upload(const T* host) const { check_cuda(cudaMemcpy(data_, host, n_ * sizeof(T), cudaMemcpyHostToDevice)); }
    void download(T* host) const { check_cuda(cudaMemcpy(host, data_, n_ * sizeof(T), cudaMemcpyDeviceToHost)); }
    std::vector<T> download() const {
        std::vector<T> host(n_);
        download(host.data());
        return host;
    }
    /// Also of bool, of which a vector holds bits.
    std::unique_ptr<T[]> on_host() const {
        std::unique_ptr<T[]> host(new T[n_]);
        download(host.get());
        return host;
    }
    T first() const {
        T value;
        check_cuda(cudaMemcpy(&value, data_, sizeof value, cudaMemcpyDeviceToHost));
        return value;
    }

private:
    T* data_ = nullptr;
    std::size_t n_;
};

/// A stream that does not wait for the default one.
class Stream {
public:
    Stream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream_); }
    cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

template <class Kernel>
__global__ void run_kernel(const __grid_constant__ Kernel kernel) {
    CudaBlock block;
    kernel(block);
}

/// Runs test kernels on the GPU and waits for them.
struct GpuRunner {
    template <class T>
    using Buffer = ManagedBuffer<T>;

    template <class Kernel>
    void operator()(Dim2 grid, Dim2 block, std::size_t shared_bytes, const Kernel& kernel,
                    bool cooperative = false) const {
        const dim3 grid_dim(grid.x, grid.y);
        const dim3 block_dim(block.x, block.y);
        void* arguments[] = {const_cast<Kernel*>(&kernel)};
        const auto entry = reinterpret_cast<const void*>(&run_kernel<Kernel>);
        check_cuda(
            cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
        check_cuda(cooperative ? cudaLaunchCooperativeKernel(entry, grid_dim, block_dim, arguments, shared_bytes)
                               : cudaLaunchKernel(entry, grid_dim, block_dim, arguments, shared_bytes));
        check_cuda(cudaDeviceSynchronize());
    }
};

template <class Kernel>
__global__ void __launch_bounds__(1024) run_bounded_kernel(const __grid_constant__ Kernel kernel) {
    CudaBlock block;
    kernel(block);
}

/// As GpuRunner, for kernels that hold so many values in registers that a block of 1024 threads would not start.
struct BoundedRunner {
    template <class T>
    using Buffer = ManagedBuffer<T>;

    template <class Kernel>
    void operator()(Dim2 grid, Dim2 block, std::size_t shared_bytes, const Kernel& kernel) const {
        check_cuda(cudaFuncSetAttribute(run_bounded_kernel<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes)));
        run_bounded_kernel<<<dim3(grid.x, grid.y), dim3(block.x, block.y), shared_bytes>>>(kernel);
        check_cuda(cudaGetLastError());
        check_cuda(cudaDeviceSynchronize());
    }
};

}  // namespace fuse::testing
