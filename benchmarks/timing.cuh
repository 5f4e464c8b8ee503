// SPDX-License-Identifier: Apache-2.0
//
// Timing on the GPU: the median of single runs with a flushed L2, and the time per run of a loop over rotating
// buffers. Both in microseconds. Whoever times several programs in turn has the parts: Stopwatch, overwrite_l2.
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

/// Microseconds of one call, by events.
class Stopwatch {
public:
    explicit Stopwatch(cudaStream_t stream = nullptr) : stream_(stream) {
        check(cudaEventCreate(&begin_), "event");
        check(cudaEventCreate(&end_), "event");
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    template <class Run>
    float operator()(Run&& run) {
        cudaEventRecord(begin_, stream_);
        run();
        cudaEventRecord(end_, stream_);
        check(cudaEventSynchronize(end_), "run");
        float ms = 0;
        cudaEventElapsedTime(&ms, begin_, end_);
        return ms * 1000.0f;
    }

private:
    cudaStream_t stream_;
    cudaEvent_t begin_{}, end_{};
};

/// A buffer of four times the L2 is written.
inline void overwrite_l2(int value, cudaStream_t stream = nullptr) {
    static Buffer<unsigned char> flush(std::size_t{256} << 20);
    check(cudaMemsetAsync(flush.get(), value & 0xff, flush.size(), stream), "flush");
}

/// Sets of buffers whose sizes add up to four times the L2.
inline int sets_for(double bytes) {
    return std::max(1, std::min(64, static_cast<int>(240e6 / bytes) + 1));
}

/// Median over single runs; before each, the L2 is overwritten.
template <class Run>
Stats flushed(Run&& run, int repetitions = 60) {
    Stopwatch time;
    for (int i = 0; i < 3; ++i) {
        run(0);
    }
    std::vector<float> us;
    for (int i = 0; i < repetitions; ++i) {
        overwrite_l2(i);
        us.push_back(time([&] { run(0); }));
    }
    return statistics(us);
}

/// Median time per run of batches that go round `sets` sets of buffers: run(k) uses set k.
template <class Run>
Stats rotating(Run&& run, int sets, int batches = 15) {
    Stopwatch time;
    const int per_batch = std::max(sets, 8);
    std::vector<float> us;
    for (int b = -2; b < batches; ++b) {
        const float taken = time([&] {
            for (int i = 0; i < per_batch; ++i) {
                run(i % sets);
            }
        });
        if (b >= 0) {
            us.push_back(taken / static_cast<float>(per_batch));
        }
    }
    return statistics(us);
}

}  // namespace bench
