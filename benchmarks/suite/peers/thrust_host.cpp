// SPDX-License-Identifier: Apache-2.0
//
// Thrust with OpenMP in place of CUDA.
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/version.h>

#include "host_entry.hpp"

namespace bench {
namespace {

const char* const library = "Thrust OMP";

// Added in double: one float sum of 2^25 squares is wrong in the third digit.
const AddEntry mse = enter("mse", library, [](const Setup& s) {
    const float *a = s.at<float>("a", 0), *b = s.at<float>("b", 0);
    const index_t n = s.extent(0);
    const double sum = thrust::inner_product(thrust::omp::par, a, a + n, b, 0.0, thrust::plus<double>{},
                                             [](float u, float v) { return static_cast<double>((u - v) * (u - v)); });
    *s.at<float>("out", 0) = static_cast<float>(sum / static_cast<double>(n));
});

const AddEntry sum = enter("sum", library, [](const Setup& s) {
    const float* x = s.at<float>("x", 0);
    *s.at<float>("out", 0) =
        static_cast<float>(thrust::reduce(thrust::omp::par, x, x + s.extent(0), 0.0, thrust::plus<double>{}));
});

const AddEntry cumsum = enter("cumsum", library, [](const Setup& s) {
    const float* x = s.at<float>("x", 0);
    thrust::inclusive_scan(thrust::omp::par, x, x + s.extent(0), s.at<float>("y", 0));
});

auto row_numbers(index_t columns) {
    return thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0),
                                           [columns](index_t i) { return i / columns; });
}

const AddEntry row_sum = enter("row_sum", library, [](const Setup& s) {
    const auto rows = row_numbers(s.extent(1));
    thrust::reduce_by_key(thrust::omp::par, rows, rows + s.extent(0) * s.extent(1), s.at<float>("x", 0),
                          thrust::make_discard_iterator(), s.at<float>("y", 0));
});

const AddEntry row_cumsum = enter("row_cumsum", library, [](const Setup& s) {
    const auto rows = row_numbers(s.extent(1));
    thrust::inclusive_scan_by_key(thrust::omp::par, rows, rows + s.extent(0) * s.extent(1), s.at<float>("x", 0),
                                  s.at<float>("y", 0));
});

const std::vector<AddEntry> functions =
    enter_functions(library, [](const float* first, const float* last, float* result, auto f) {
        thrust::transform(thrust::omp::par, first, last, result, f);
    });

struct Version {
    Version() {
        versions().emplace_back("thrust",
                                std::to_string(THRUST_MAJOR_VERSION) + '.' + std::to_string(THRUST_MINOR_VERSION));
    }
} const version;

}  // namespace
}  // namespace bench
