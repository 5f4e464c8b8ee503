// SPDX-License-Identifier: Apache-2.0
//
// The roofs of a run: plain kernels that copy, or read and fold, one large array. Every result of the table is a
// percentage of these, measured in the same process.
#pragma once

#include "timing.cuh"

namespace bench {

template <int Unroll>
__global__ void __launch_bounds__(512) copy_kernel(const float4* in, float4* out, std::size_t n) {
    const std::size_t base = blockIdx.x * std::size_t{blockDim.x} * Unroll + threadIdx.x;
    float4 v[Unroll];
#pragma unroll
    for (int j = 0; j < Unroll; ++j) {
        if (base + j * blockDim.x < n) {
            v[j] = in[base + j * blockDim.x];
        }
    }
#pragma unroll
    for (int j = 0; j < Unroll; ++j) {
        if (base + j * blockDim.x < n) {
            out[base + j * blockDim.x] = v[j];
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

struct Roofs {
    double copy = 0;  ///< bytes read and written per microsecond (= MB/s)
    double read = 0;
};

/// Best of several launch shapes; `bytes` per array.
inline Roofs measure_roofs(std::size_t bytes) {
    Buffer<float4> in(bytes / 16);
    Buffer<float4> out(bytes / 16);
    fill_random<<<2048, 256>>>(reinterpret_cast<float*>(in.get()), bytes / 4, 7);
    const std::size_t n = bytes / 16;
    Roofs roofs;
    const auto best = [](double& roof, double moved, const Stats& s) { roof = std::max(roof, moved / s.median); };
    const double size = static_cast<double>(bytes);
    best(roofs.copy, 2 * size,
         flushed([&](int) { cudaMemcpyAsync(out.get(), in.get(), bytes, cudaMemcpyDeviceToDevice); }, 20));
    best(roofs.copy, 2 * size,
         flushed([&](int) { copy_kernel<4><<<unsigned((n + 1023) / 1024), 256>>>(in.get(), out.get(), n); }, 20));
    best(roofs.copy, 2 * size,
         flushed([&](int) { copy_kernel<2><<<unsigned((n + 1023) / 1024), 512>>>(in.get(), out.get(), n); }, 20));
    int sms = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    auto* sink = reinterpret_cast<float*>(out.get());
    best(roofs.read, size, flushed([&](int) { read_kernel<4><<<unsigned(sms) * 4, 512>>>(in.get(), sink, n); }, 20));
    best(roofs.read, size, flushed([&](int) { read_kernel<8><<<unsigned(sms) * 4, 512>>>(in.get(), sink, n); }, 20));
    best(roofs.read, size, flushed([&](int) { read_kernel<4><<<unsigned(sms) * 8, 256>>>(in.get(), sink, n); }, 20));
    return roofs;
}

/// Microseconds of the best bare kernel that moves `bytes` in all, in a loop that goes round `sets` sets of buffers:
/// what launching and filling the machine cost at this size, whoever does it.
inline double bare_rotating(std::size_t bytes, bool read_only, int sets) {
    const std::size_t n = bytes / 16 / (read_only ? 1 : 2);
    const auto all = n * static_cast<std::size_t>(sets);
    Buffer<float4> in(all);
    Buffer<float4> out(read_only ? 1 : all);
    fill_random<<<2048, 256>>>(reinterpret_cast<float*>(in.get()), all * 4, 7);
    int sms = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    auto* sink = reinterpret_cast<float*>(out.get());
    double best = 1e30;
    const auto time = [&](auto&& launch) {
        best = std::min(best, rotating([&](int k) { launch(n * static_cast<std::size_t>(k)); }, sets).median);
    };
    if (read_only) {
        time([&](std::size_t at) { read_kernel<4><<<unsigned(sms) * 4, 512>>>(in.get() + at, sink, n); });
        time([&](std::size_t at) { read_kernel<4><<<unsigned(sms) * 2, 512>>>(in.get() + at, sink, n); });
        time([&](std::size_t at) { read_kernel<2><<<unsigned(sms) * 8, 256>>>(in.get() + at, sink, n); });
    } else {
        time([&](std::size_t at) {
            copy_kernel<4><<<unsigned((n + 1023) / 1024), 256>>>(in.get() + at, out.get() + at, n);
        });
        time([&](std::size_t at) {
            copy_kernel<2><<<unsigned((n + 1023) / 1024), 512>>>(in.get() + at, out.get() + at, n);
        });
    }
    return best;
}

}  // namespace bench
