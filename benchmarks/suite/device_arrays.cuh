// SPDX-License-Identifier: Apache-2.0
//
// The arrays of a case on the GPU, in several sets, filled with random data.
#pragma once

#include <cstring>
#include <map>

#include "../timing.cuh"
#include "entry.hpp"

namespace bench {

__device__ inline double uniform(std::size_t i, unsigned long long seed) {
    unsigned long long z = (i + (seed << 40)) * 0x9e3779b97f4a7c15ull + seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// bf16 is rounded by hand, half to even: this file needs no library's type.
template <class T, class F>
__global__ void fill_kernel(T* data, std::size_t n, unsigned long long seed, F f) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        data[i] = f(uniform(i, seed), uniform(i, seed + 101));
    }
}

class DeviceArrays : public Setup {
public:
    DeviceArrays(const Problem& p, const Case& c, int sets, cudaStream_t stream)
        : case_(c), sets_(sets), stream_(stream) {
        unsigned long long seed = 1;
        for (const Array& a : p.inputs(c)) {
            fill(a, allocate(a, false, false), seed++);
        }
        for (const Array& a : p.outputs(c)) {
            allocate(a, true, p.wall);
        }
        check(cudaStreamSynchronize(stream), "filling the arrays");
    }
    ~DeviceArrays() override {
        for (auto& [name, m] : memory_) {
            m.on_host ? cudaFreeHost(m.data) : cudaFree(m.data);
        }
    }

    const Case& problem() const override { return case_; }
    cudaStream_t stream() const override { return stream_; }
    int sets() const { return sets_; }
    void* address(const char* array, int k) const override {
        const Memory& m = find(array);
        return m.data + static_cast<std::size_t>(k) * m.set_bytes + m.offset;
    }
    using Data::fetch;
    Values fetch(const std::string& array, index_t first, index_t count) const override {
        const Memory& m = find(array.c_str());
        Values values(m.type, count < 0 ? m.items - first : count);
        check(cudaStreamSynchronize(stream_), "the run before a check");
        check(cudaMemcpy(values.data(), static_cast<char*>(address(array.c_str(), 0)) + first * size_of(m.type),
                         static_cast<std::size_t>(values.size() * size_of(m.type)), cudaMemcpyDefault),
              "fetch");
        return values;
    }
    /// Makes every output of the first set wrong.
    void poison() {
        for (auto& [name, m] : memory_) {
            if (m.output && m.on_host) {
                std::memset(m.data, 0xff, m.set_bytes);
            } else if (m.output) {
                check(cudaMemset(m.data, 0xff, m.set_bytes), "poison");
            }
        }
    }

    // Public for nvcc, which refuses device lambdas in private members.
    struct Memory {
        Type type;
        index_t items;
        std::size_t set_bytes, offset;
        bool output, on_host;
        char* data;
    };

    Memory& allocate(const Array& a, bool output, bool on_host) {
        const index_t size = size_of(a.type), items = product(a.shape);
        const auto bytes = static_cast<std::size_t>(((items + a.offset) * size + 255) / 256 * 256);
        Memory m{a.type, items, bytes, static_cast<std::size_t>(a.offset * size), output, on_host, nullptr};
        const std::size_t all = bytes * static_cast<std::size_t>(sets_);
        check(on_host ? cudaMallocHost(&m.data, all) : cudaMalloc(&m.data, all), "cudaMalloc");
        return memory_[a.name] = m;
    }
    const Memory& find(const char* array) const {
        for (const auto& [name, m] : memory_) {
            if (name == array) {
                return m;
            }
        }
        throw std::logic_error("no array of that name: " + std::string(array));
    }
    template <class T, class F>
    void run_fill(Memory& m, unsigned long long seed, F f) {
        const std::size_t n = m.set_bytes / sizeof(T) * static_cast<std::size_t>(sets_);
        fill_kernel<<<2112, 256, 0, stream_>>>(reinterpret_cast<T*>(m.data), n, seed, f);
    }
    void fill(const Array& a, Memory& m, unsigned long long seed) {
        const double low = a.low, width = a.high - a.low, high = a.high;
        if (a.fill == Fill::mask) {
            run_fill<bool>(m, seed, [=] __device__(double u, double) { return u < high; });
        } else if (a.fill == Fill::targets) {
            run_fill<long long>(m, seed, [=] __device__(double u, double v) {
                return v < low ? -100LL : static_cast<long long>(u * high);
            });
        } else if (a.type == Type::bf16) {
            run_fill<unsigned short>(m, seed, [=] __device__(double u, double) {
                const unsigned bits = __float_as_uint(static_cast<float>(low + width * u));
                return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
            });
        } else if (a.type == Type::f64) {
            run_fill<double>(m, seed, [=] __device__(double u, double) { return low + width * u; });
        } else {
            run_fill<float>(m, seed, [=] __device__(double u, double) { return static_cast<float>(low + width * u); });
        }
    }

private:
    Case case_;
    int sets_;
    cudaStream_t stream_;
    std::map<std::string, Memory> memory_;
};

}  // namespace bench
