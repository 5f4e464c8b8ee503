// SPDX-License-Identifier: Apache-2.0
//
// A chain of Thrust iterators and the expression that replaces it: the mean squared error of two device
// vectors. Both run; ends with 1 if they, or a loop in double, disagree.
#include <fuse/fuse.hpp>
#include <fuse/interop/thrust.hpp>

#include <thrust/functional.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstdio>
#include <vector>

// [snippet:thrust]
struct SquaredDifference {
    __host__ __device__ float operator()(const thrust::tuple<float, float>& pair) const {
        const float d = thrust::get<0>(pair) - thrust::get<1>(pair);
        return d * d;
    }
};

float with_thrust(const thrust::device_vector<float>& a, const thrust::device_vector<float>& b) {
    const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    const auto last = thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end()));
    const float sum = thrust::transform_reduce(first, last, SquaredDifference{}, 0.0F, thrust::plus<float>{});
    return sum / static_cast<float>(a.size());
}
// [snippet:end]

// [snippet:fuse]
float with_fuse(const thrust::device_vector<float>& a, const thrust::device_vector<float>& b) {
    return fuse::value(fuse::cuda, mean(square(fuse::view<"a">(a) - fuse::view<"b">(b))));
}
// [snippet:end]

int main() {
    constexpr std::size_t n = 1 << 20;
    std::vector<float> a(n);
    std::vector<float> b(n);
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = std::sin(static_cast<float>(i));
        b[i] = std::cos(static_cast<float>(i));
        const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        expected += d * d / n;
    }
    const thrust::device_vector<float> on_device_a = a;
    const thrust::device_vector<float> on_device_b = b;
    const float thrust_result = with_thrust(on_device_a, on_device_b);
    const float fuse_result = with_fuse(on_device_a, on_device_b);
    std::printf("thrust %.6f, fuse %.6f, double loop %.6f\n", thrust_result, fuse_result, expected);
    return std::fabs(thrust_result - expected) < 1e-5 && std::fabs(fuse_result - expected) < 1e-5 ? 0 : 1;
}
