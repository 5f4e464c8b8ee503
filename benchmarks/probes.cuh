// SPDX-License-Identifier: Apache-2.0
//
// The roofs of a run: plain kernels that copy, or read and fold, one large array. Every result of the table is a
// percentage of these, measured in the same process.
#pragma once

#include <functional>

#include "timing.cuh"

namespace bench {

/// Reads from `Reads` arrays of n vectors, one behind the other, and writes one: a copy for one.
template <int Reads, int Unroll>
__global__ void __launch_bounds__(512) copy_kernel(const float4* in, float4* out, std::size_t n) {
    const std::size_t base = blockIdx.x * std::size_t{blockDim.x} * Unroll + threadIdx.x;
    float4 v[Reads][Unroll];
#pragma unroll
    for (int r = 0; r < Reads; ++r) {
#pragma unroll
        for (int j = 0; j < Unroll; ++j) {
            if (base + j * blockDim.x < n) {
                v[r][j] = in[r * n + base + j * blockDim.x];
            }
        }
    }
#pragma unroll
    for (int j = 0; j < Unroll; ++j) {
        if (base + j * blockDim.x < n) {
            float4 sum = v[0][j];
#pragma unroll
            for (int r = 1; r < Reads; ++r) {
                sum = {sum.x + v[r][j].x, sum.y + v[r][j].y, sum.z + v[r][j].z, sum.w + v[r][j].w};
            }
            out[base + j * blockDim.x] = sum;
        }
    }
}

template <int Unroll>
__global__ void __launch_bounds__(512) read_kernel(const float4* in, float* out, std::size_t n) {
    float sum = 0;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
    for (; i + (Unroll - 1) * step < n; i += Unroll * step) {
        float4 v[Unroll];
#pragma unroll
        for (int j = 0; j < Unroll; ++j) {
            v[j] = in[i + j * step];
        }
#pragma unroll
        for (int j = 0; j < Unroll; ++j) {
            sum += v[j].x + v[j].y + v[j].z + v[j].w;
        }
    }
    for (; i < n; i += step) {
        sum += in[i].x + in[i].y + in[i].z + in[i].w;
    }
    if (sum == 12345.678f) {  // never, but the compiler cannot know: the loads stay
        *out = sum;
    }
}

/// A bare kernel over n vectors of 16 bytes of each array, which writes nothing if it reads only.
using BareLaunch = std::function<void(const float4* in, float4* out, std::size_t n, cudaStream_t stream)>;

template <int Reads, int Unroll>
BareLaunch bare_copy(unsigned threads) {
    return [threads](const float4* in, float4* out, std::size_t n, cudaStream_t stream) {
        const std::size_t per_block = std::size_t{threads} * Unroll;
        copy_kernel<Reads, Unroll><<<unsigned((n + per_block - 1) / per_block), threads, 0, stream>>>(in, out, n);
    };
}

template <int Unroll>
BareLaunch bare_read(unsigned threads, unsigned blocks_per_multiprocessor) {
    int sms = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    const std::size_t most = std::size_t{unsigned(sms)} * blocks_per_multiprocessor;
    return [threads, most](const float4* in, float4* out, std::size_t n, cudaStream_t stream) {
        const std::size_t blocks = std::min(most, (n + threads - 1) / threads);
        read_kernel<Unroll><<<unsigned(blocks), threads, 0, stream>>>(in, reinterpret_cast<float*>(out), n);
    };
}

template <int Reads>
std::vector<BareLaunch> bare_copies() {
    return {bare_copy<Reads, 1>(128), bare_copy<Reads, 1>(256), bare_copy<Reads, 2>(256), bare_copy<Reads, 2>(512),
            bare_copy<Reads, 4>(256)};
}

/// The launch shapes whose fastest is the roof of kernels that read `reads` bytes for each that they write; 0: they
/// write nothing. One vector per thread of small blocks copies 5 % faster than four do.
inline std::vector<BareLaunch> bare_launches(int reads) {
    if (reads == 0) {
        return {bare_read<4>(512, 4), bare_read<8>(512, 4), bare_read<4>(512, 2), bare_read<4>(256, 8),
                bare_read<2>(256, 8)};
    }
    return reads == 1 ? bare_copies<1>() : reads == 2 ? bare_copies<2>() : bare_copies<3>();
}

struct Roofs {
    double copy = 0;  ///< bytes read and written per microsecond (= MB/s)
    double read = 0;
};

/// Best of several launch shapes; `bytes` per array.
inline Roofs measure_roofs(std::size_t bytes) {
    const std::size_t n = bytes / 16;
    Buffer<float4> in(n);
    Buffer<float4> out(n);
    fill_random<<<2048, 256>>>(reinterpret_cast<float*>(in.get()), bytes / 4, 7);
    const auto best = [&](int reads) {
        double rate = 0;
        for (const BareLaunch& launch : bare_launches(reads)) {
            const double us = flushed([&](int) { launch(in.get(), out.get(), n, nullptr); }, 20).median;
            rate = std::max(rate, (reads == 0 ? 1 : 2) * static_cast<double>(bytes) / us);
        }
        return rate;
    };
    return {best(1), best(0)};
}

/// Microseconds of the best bare kernel that moves `bytes` in all, in a loop that goes round `sets` sets of buffers:
/// what launching and filling the machine cost at this size, whoever does it. time(run, sets) measures run(k).
template <class Time>
double bare(double bytes, int reads, int sets, Time&& time) {
    const bool writes = reads > 0;
    const auto n = std::max(std::size_t{1}, static_cast<std::size_t>(bytes) / 16 / unsigned(writes ? reads + 1 : 1));
    const std::size_t in_set = n * unsigned(writes ? reads : 1), out_set = writes ? n : 0;
    Buffer<float4> in(in_set * unsigned(sets));
    Buffer<float4> out(std::max(std::size_t{1}, out_set * unsigned(sets)));
    fill_random<<<2048, 256>>>(reinterpret_cast<float*>(in.get()), in.size() * 4, 7);
    check(cudaDeviceSynchronize(), "filling what is copied");
    double best = 1e30;
    for (const BareLaunch& launch : bare_launches(reads)) {
        const auto run = [&](int k, cudaStream_t stream = nullptr) {
            launch(in.get() + in_set * unsigned(k), out.get() + out_set * unsigned(k), n, stream);
        };
        best = std::min(best, double(time(run, sets)));
    }
    return best;
}

inline double bare_rotating(std::size_t bytes, bool read_only, int sets) {
    return bare(static_cast<double>(bytes), read_only ? 0 : 1, sets,
                [](const auto& run, int over) { return rotating([&](int k) { run(k); }, over).median; });
}

}  // namespace bench
