// SPDX-License-Identifier: Apache-2.0
//
// The arrays of a case on the GPU, in several sets, filled with random data.
#pragma once

#include <cstring>
#include <map>

#include "../timing.cuh"
#include "entry.hpp"
#include "random.hpp"

namespace bench {

static __global__ void fill_kernel(char* data, index_t n, Filler filler) {
    for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n; i += index_t{gridDim.x} * blockDim.x) {
        filler.write(data, i);
    }
}

class DeviceArrays : public Setup {
public:
    DeviceArrays(const Problem& p, const Case& c, int sets, cudaStream_t stream)
        : case_(c), sets_(sets), stream_(stream) {
        std::uint64_t seed = 1;
        for (const Array& a : p.inputs(c)) {
            const Memory& m = allocate(a, false, false);
            const index_t n = static_cast<index_t>(m.set_bytes) / size_of(m.type) * sets;
            fill_kernel<<<2112, 256, 0, stream>>>(m.data, n, Filler(a, seed++));
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

private:
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

    Case case_;
    int sets_;
    cudaStream_t stream_;
    std::map<std::string, Memory> memory_;
};

}  // namespace bench
