// SPDX-License-Identifier: Apache-2.0
//
// CUB's segmented sums, transformations and scans.
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <cub/device/device_transform.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "cub_entry.cuh"

namespace bench {
namespace {

struct RowStart {
    index_t columns;
    __host__ __device__ index_t operator()(index_t row) const { return row * columns; }
};
template <class T>
cudaError_t row_sum(const Setup& s, int k, void* memory, std::size_t& bytes) {
    const auto starts = thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0), RowStart{s.extent(1)});
    const auto in = thrust::make_transform_iterator(static_cast<const T*>(s.at<T>("x", k)), ToFloat{});
    return cub::DeviceSegmentedReduce::Sum(memory, bytes, in, s.at<float>("y", k), s.extent(0), starts, starts + 1,
                                           s.stream());
}

struct Axpby {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return T(0.5F * static_cast<float>(a) + 2.0F * static_cast<float>(b));
    }
};
struct Gelu {
    template <class T>
    __device__ T operator()(T a, T b, T c) const {
        const float v = fmaf(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
        return T(0.5F * v * (1.0F + erff(v * 0.70710678F)));
    }
};
template <class T>
cudaError_t axpby(const Setup& s, int k, void* memory, std::size_t&) {
    const auto in =
        cuda::std::make_tuple(static_cast<const T*>(s.at<T>("a", k)), static_cast<const T*>(s.at<T>("b", k)));
    return memory == nullptr ? cudaSuccess
                             : cub::DeviceTransform::Transform(in, s.at<T>("y", k), s.extent(0), Axpby{}, s.stream());
}
template <class T>
cudaError_t gelu_chain(const Setup& s, int k, void* memory, std::size_t&) {
    const auto in =
        cuda::std::make_tuple(static_cast<const T*>(s.at<T>("a", k)), static_cast<const T*>(s.at<T>("b", k)),
                              static_cast<const T*>(s.at<T>("c", k)));
    return memory == nullptr ? cudaSuccess
                             : cub::DeviceTransform::Transform(in, s.at<T>("y", k), s.extent(0), Gelu{}, s.stream());
}

/// bf16 is added in float: InclusiveSum would round each partial sum.
template <class T>
cudaError_t cumsum(const Setup& s, int k, void* memory, std::size_t& bytes) {
    T* const x = s.at<T>("x", k);
    if constexpr (sizeof(T) == 2) {
        const auto in = thrust::make_transform_iterator(static_cast<const T*>(x), ToFloat{});
        return cub::DeviceScan::InclusiveSum(memory, bytes, in, s.at<T>("y", k), s.extent(0), s.stream());
    } else {
        return cub::DeviceScan::InclusiveSum(memory, bytes, x, s.at<T>("y", k), s.extent(0), s.stream());
    }
}

/// A run of elements as the affine map of what came before: before * decay + value.
struct Run {
    float decay, value;
};
struct MakeRun {
    __host__ __device__ Run operator()(float v) const { return {0.9F, v}; }
};
struct Join {
    __host__ __device__ Run operator()(const Run& a, const Run& b) const {
        return {a.decay * b.decay, a.value * b.decay + b.value};
    }
};
struct TakeValue {
    __host__ __device__ float operator()(const Run& run) const { return run.value; }
};
cudaError_t discounted(const Setup& s, int k, void* memory, std::size_t& bytes) {
    const auto in = thrust::make_transform_iterator(static_cast<const float*>(s.at<float>("x", k)), MakeRun{});
    const auto out = thrust::make_transform_output_iterator(s.at<float>("y", k), TakeValue{});
    return cub::DeviceScan::InclusiveScan(memory, bytes, in, out, Join{}, s.extent(0), s.stream());
}

struct Above {
    __host__ __device__ bool operator()(float v) const { return v > 0.25F; }
};
cudaError_t compact(const Setup& s, int k, void* memory, std::size_t& bytes) {
    static Buffer<std::int64_t> kept(1);
    return cub::DeviceSelect::If(memory, bytes, static_cast<const float*>(s.at<float>("x", k)), s.at<float>("y", k),
                                 kept.get(), s.extent(0), Above{}, s.stream());
}

template <class T>
struct Enter {
    AddEntry rows = enter_cub("row_sum", type_of<T>, row_sum<T>);
    AddEntry map = enter_cub("axpby", type_of<T>, axpby<T>);
    AddEntry chain = enter_cub("gelu_chain", type_of<T>, gelu_chain<T>);
    AddEntry scan = enter_cub("cumsum", type_of<T>, cumsum<T>);
};
const Enter<float> f32;
const Enter<__nv_bfloat16> bf16;
const AddEntry f64 = enter_cub("cumsum", Type::f64, cumsum<double>);
const AddEntry unaligned = enter_cub("cumsum_unaligned", Type::f32, cumsum<float>);
const AddEntry discounts = enter_cub("discounted_cumsum", Type::f32, discounted);
const AddEntry selects = enter_cub("compact", Type::f32, compact);

}  // namespace
}  // namespace bench
