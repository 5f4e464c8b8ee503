// SPDX-License-Identifier: Apache-2.0
//
// cub::DeviceReduce: elements one by one, and in vectors of 16 bytes, which a careful user writes by hand.
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include "cub_entry.cuh"

namespace bench {
namespace {

template <class T>
struct alignas(16) Vector {
    T items[16 / sizeof(T)];
};

struct SquareDifference {
    template <class Pair>
    __host__ __device__ float operator()(const Pair& pair) const {
        const float d = static_cast<float>(thrust::get<0>(pair)) - static_cast<float>(thrust::get<1>(pair));
        return d * d;
    }
};

template <class T>
struct SquareDifferences {
    template <class Pair>
    __device__ float operator()(const Pair& pair) const {
        const Vector<T> a = thrust::get<0>(pair), b = thrust::get<1>(pair);
        float sum = 0;
#pragma unroll
        for (int i = 0; i < int(16 / sizeof(T)); ++i) {
            const float d = static_cast<float>(a.items[i]) - static_cast<float>(b.items[i]);
            sum += d * d;
        }
        return sum;
    }
};

struct Scale {
    float factor;
    __host__ __device__ float operator()(float v) const { return v * factor; }
};
/// Makes a mean of the sum that is written.
auto mean_into(const Setup& s, int k) {
    return thrust::make_transform_output_iterator(s.at<float>("out", k), Scale{1 / static_cast<float>(s.extent(0))});
}

template <class T>
struct Of {
    static cudaError_t sum(const Setup& s, int k, void* memory, std::size_t& bytes) {
        const T* x = s.at<T>("x", k);
        if constexpr (sizeof(T) == 4) {
            return cub::DeviceReduce::Sum(memory, bytes, x, s.at<float>("out", k), s.extent(0), s.stream());
        } else {  // Sum would add in bf16
            return cub::DeviceReduce::TransformReduce(memory, bytes, x, s.at<float>("out", k), s.extent(0),
                                                      cuda::std::plus<float>{}, ToFloat{}, 0.0F, s.stream());
        }
    }
    static cudaError_t mse(const Setup& s, int k, void* memory, std::size_t& bytes) {
        const auto in =
            thrust::make_zip_iterator(static_cast<const T*>(s.at<T>("a", k)), static_cast<const T*>(s.at<T>("b", k)));
        return cub::DeviceReduce::TransformReduce(memory, bytes, in, mean_into(s, k), s.extent(0),
                                                  cuda::std::plus<float>{}, SquareDifference{}, 0.0F, s.stream());
    }
    static cudaError_t mse_of_vectors(const Setup& s, int k, void* memory, std::size_t& bytes) {
        const auto in = thrust::make_zip_iterator(static_cast<const Vector<T>*>(s.at<Vector<T>>("a", k)),
                                                  static_cast<const Vector<T>*>(s.at<Vector<T>>("b", k)));
        const index_t n = s.extent(0) * index_t{sizeof(T)} / 16;
        if (n * 16 != s.extent(0) * index_t{sizeof(T)}) {
            throw std::invalid_argument("no whole vectors");
        }
        return cub::DeviceReduce::TransformReduce(memory, bytes, in, mean_into(s, k), n, cuda::std::plus<float>{},
                                                  SquareDifferences<T>{}, 0.0F, s.stream());
    }
};

struct Statistics {
    float sum, squares, min, max, absmax;
};
struct MakeStatistics {
    template <class T>
    __host__ __device__ Statistics operator()(const T& v) const {
        const auto f = static_cast<float>(v);
        return {f, f * f, f, f, fabsf(f)};
    }
};
struct Merge {
    __host__ __device__ Statistics operator()(const Statistics& a, const Statistics& b) const {
        return {a.sum + b.sum, a.squares + b.squares, fminf(a.min, b.min), fmaxf(a.max, b.max),
                fmaxf(a.absmax, b.absmax)};
    }
};
/// Through an iterator: of plain pointers CUB 3.0 loads vectors that an accumulator of 20 bytes misaligns.
template <class T>
cudaError_t statistics(const Setup& s, int k, void* memory, std::size_t& bytes) {
    const Statistics none{0, 0, INFINITY, -INFINITY, 0};
    const auto in = thrust::make_transform_iterator(static_cast<const T*>(s.at<T>("x", k)), MakeStatistics{});
    return cub::DeviceReduce::Reduce(memory, bytes, in, s.at<Statistics>("out", k), s.extent(0), Merge{}, none,
                                     s.stream());
}

/// The largest value itself goes to memory that nobody reads.
cudaError_t argmax(const Setup& s, int k, void* memory, std::size_t& bytes) {
    static Buffer<float> value(1);
    return cub::DeviceReduce::ArgMax(memory, bytes, static_cast<const float*>(s.at<float>("x", k)), value.get(),
                                     s.at<std::int64_t>("out", k), s.extent(0), s.stream());
}

template <class T>
struct Enter {
    AddEntry sum = enter_cub("sum", type_of<T>, Of<T>::sum);
    AddEntry mse = enter_cub("mse", type_of<T>, Of<T>::mse);
    AddEntry mse_of_vectors = enter_cub("mse", type_of<T>, Of<T>::mse_of_vectors, "CUB, vectors");
    AddEntry statistics_ = enter_cub("statistics", type_of<T>, statistics<T>);
};
const Enter<float> f32;
const Enter<__nv_bfloat16> bf16;
const AddEntry unaligned = enter_cub("mse_unaligned", Type::f32, Of<float>::mse);
const AddEntry small = enter_cub("mse_small", Type::f32, Of<float>::mse);
const AddEntry place = enter_cub("argmax", Type::f32, argmax);
const AddVersion version("cub", std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
                                    std::to_string(CUB_SUBMINOR_VERSION));

}  // namespace
}  // namespace bench
