// SPDX-License-Identifier: Apache-2.0
//
// Arrays of more than 2^31 elements on a GPU: filled and compared there, by kernels that know nothing of fuse.
#pragma once

#include <cstdint>

#include "fuse/fuse.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

namespace fuse::testing {

/// Element i of every input: 0 to 15, without a pattern that a wrong offset would hit again.
__host__ __device__ inline unsigned datum(index_t i) {
    auto h = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U;
    h ^= h >> 29U;
    h *= 0xBF58476D1CE4E5B9U;
    return static_cast<unsigned>(h >> 60U);
}

template <class F>
__global__ void run_each(index_t n, F f) {
    for (index_t i = blockIdx.x * static_cast<index_t>(blockDim.x) + threadIdx.x; i < n;
         i += static_cast<index_t>(gridDim.x) * blockDim.x) {
        f(i);
    }
}

/// f(i) for all i < n, and waits.
template <class F>
void for_each_index(index_t n, F f) {
    run_each<<<2048, 256>>>(n, f);
    check_cuda(cudaGetLastError());
    check_cuda(cudaDeviceSynchronize());
}

template <class T, class F>
struct Assign {
    T* data;
    F f;
    __device__ void operator()(index_t i) const { data[i] = static_cast<T>(f(i)); }
};

/// n elements on the device.
template <class T>
class HugeBuffer : public DeviceBuffer<T> {
public:
    explicit HugeBuffer(index_t n) : DeviceBuffer<T>(static_cast<std::size_t>(n)), n_(n) { forget(); }

    /// Element i is f(i).
    template <class F>
    HugeBuffer(index_t n, F f) : HugeBuffer(n) {
        for_each_index(n, Assign<T, F>{this->get(), f});
    }

    /// Compares element i with f(i), and then forgets all of them.
    template <class F>
    void check(F f) const {
        static ManagedBuffer<unsigned long long> found(2);
        found[0] = 0;
        found[1] = ~0ULL;
        const T* const data = this->get();
        unsigned long long* const to = found.data();
        for_each_index(n_, [=] __device__(index_t i) {
            if (!f(i, data[i])) {
                atomicAdd(to, 1ULL);
                atomicMin(to + 1, static_cast<unsigned long long>(i));
            }
        });
        INFO("first at " << found[1]);
        CHECK(found[0] == 0);
        forget();
    }
    void forget() const { check_cuda(cudaMemset(this->get(), 0x5A, static_cast<std::size_t>(n_) * sizeof(T))); }

private:
    index_t n_;
};

/// Ends the program, as skipped, unless there is a GPU with this much memory free.
inline void skip_without_memory(double gib) {
    skip_without_gpu();
    std::size_t free = 0;
    std::size_t total = 0;
    check_cuda(cudaMemGetInfo(&free, &total));
    if (static_cast<double>(free) < gib * (1U << 30U)) {
        std::printf("SKIPPED: needs %.0f GiB of device memory\n", gib);
        std::fflush(stdout);
        std::_Exit(skipped_exit_code);
    }
}

}  // namespace fuse::testing
