// SPDX-License-Identifier: Apache-2.0
//
// What the entries of CUB share. Its temporary memory is sized and allocated once, outside of what is timed.
#pragma once

#include <cub/version.cuh>

#include <cuda_bf16.h>

#include "../../timing.cuh"
#include "../contest.hpp"

namespace bench {

template <class T>
inline constexpr Type type_of = sizeof(T) == 8   ? Type::f64
                                : sizeof(T) == 4 ? Type::f32
                                                 : Type::bf16;

inline void must(cudaError_t code) {
    if (code != cudaSuccess) {
        throw std::runtime_error(std::string("CUB: ") + cudaGetErrorString(code));
    }
}

/// call(setup, k, memory, bytes) as CUB wants it: without memory it says how much it needs.
template <class Call>
AddEntry enter_cub(const char* problem, Type type, Call call, const char* library = "CUB") {
    return AddEntry({problem, type, library, [call](const Setup& s) -> Launch {
                         std::size_t bytes = 0;
                         must(call(s, 0, nullptr, bytes));
                         const auto memory = std::make_shared<Buffer<unsigned char>>(bytes == 0 ? 1 : bytes);
                         return [&s, call, memory](int k) {
                             std::size_t size = memory->size();
                             must(call(s, k, memory->get(), size));
                         };
                     }});
}

struct ToFloat {
    template <class T>
    __host__ __device__ float operator()(const T& v) const {
        return static_cast<float>(v);
    }
};

}  // namespace bench
