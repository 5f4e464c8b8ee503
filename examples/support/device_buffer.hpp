// SPDX-License-Identifier: Apache-2.0
//
// Memory on the GPU that frees itself: just enough for the examples.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <vector>

namespace examples {

template <class T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(const std::vector<T>& values) : size_(values.size()) {
        check(cudaMalloc(reinterpret_cast<void**>(&data_), values.size() * sizeof(T)));
        check(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() { cudaFree(data_); }

    T* data() { return data_; }
    std::vector<T> copy() const {
        std::vector<T> values(size_);
        check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

private:
    static void check(cudaError_t code) {
        if (code != cudaSuccess) {
            throw std::runtime_error(cudaGetErrorString(code));
        }
    }

    T* data_ = nullptr;
    std::size_t size_;
};

}  // namespace examples
