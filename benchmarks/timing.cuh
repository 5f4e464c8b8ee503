// SPDX-License-Identifier: Apache-2.0
//
// Timing on the GPU: the median of single runs with a flushed L2, and the time per run of a loop over rotating
// buffers. Both in microseconds.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {

inline void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
        std::exit(2);
    }
}

template <class T>
class Buffer {
public:
    explicit Buffer(std::size_t n) : n_(n) { check(cudaMalloc(&data_, n * sizeof(T)), "cudaMalloc"); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { cudaFree(data_); }
    T* get() const { return data_; }
    std::size_t size() const { return n_; }
    std::vector<T> download() const {
        std::vector<T> host(n_);
        check(cudaMemcpy(host.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost), "download");
        return host;
    }

private:
    T* data_ = nullptr;
    std::size_t n_;
};

/// Uniform values in [-1, 1) from a counter-based hash (splitmix64): the same data on every run, never zeros.
template <class T>
__global__ void fill_random(T* data, std::size_t n, unsigned long long seed) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        unsigned long long z = (i + seed) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        data[i] = T(static_cast<float>(static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0));
    }
}

struct Stats {
    double median = 0;
    double p10 = 0;
    double p90 = 0;
};

inline Stats statistics(std::vector<float> us) {
    std::sort(us.begin(), us.end());
    const auto at = [&us](double q) {
        return static_cast<double>(us[static_cast<std::size_t>(q * double(us.size() - 1))]);
    };
    return {at(0.5), at(0.1), at(0.9)};
}

/// Median over single runs; before each, a buffer of four times the L2 is overwritten.
template <class Run>
Stats flushed(Run&& run, int repetitions = 60) {
    static Buffer<unsigned char> flush(std::size_t{256} << 20);
    cudaEvent_t begin;
    cudaEvent_t end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < 3; ++i) {
        run(0);
    }
    std::vector<float> us;
    for (int i = 0; i < repetitions; ++i) {
        check(cudaMemsetAsync(flush.get(), i, flush.size()), "flush");
        cudaEventRecord(begin);
        run(0);
        cudaEventRecord(end);
        check(cudaEventSynchronize(end), "run");
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        us.push_back(ms * 1000.0f);
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return statistics(us);
}

/// Median time per run of batches that go round `sets` sets of buffers: run(k) uses set k.
template <class Run>
Stats rotating(Run&& run, int sets, int batches = 15) {
    cudaEvent_t begin;
    cudaEvent_t end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    const int per_batch = std::max(sets, 8);
    std::vector<float> us;
    for (int b = 0; b < batches + 2; ++b) {
        cudaEventRecord(begin);
        for (int i = 0; i < per_batch; ++i) {
            run(i % sets);
        }
        cudaEventRecord(end);
        check(cudaEventSynchronize(end), "run");
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        if (b >= 2) {
            us.push_back(ms * 1000.0f / static_cast<float>(per_batch));
        }
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return statistics(us);
}

}  // namespace bench
