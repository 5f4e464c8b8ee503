// SPDX-License-Identifier: Apache-2.0
//
// The yardstick of the compile-time test: the mean squared error of two vectors as one call of
// thrust::transform_reduce, written as a Thrust user would write it.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

struct squared_difference {
    __host__ __device__ float operator()(const thrust::tuple<float, float>& pair) const {
        const float difference = thrust::get<0>(pair) - thrust::get<1>(pair);
        return difference * difference;
    }
};

float mean_squared_error(const thrust::device_vector<float>& a, const thrust::device_vector<float>& b) {
    const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    const float total = thrust::transform_reduce(first, first + static_cast<std::ptrdiff_t>(a.size()),
                                                 squared_difference{}, 0.0F, thrust::plus<float>{});
    return total / static_cast<float>(a.size());
}
