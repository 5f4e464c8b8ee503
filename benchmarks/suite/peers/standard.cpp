// SPDX-License-Identifier: Apache-2.0
//
// The C++ standard library on one core, and plain loops spread over the cores by OpenMP, as one writes them without a
// library.
#include <cmath>
#include <numeric>

#include "host_entry.hpp"

namespace bench {
namespace {

// Added in double: one float sum of 2^25 squares is wrong in the third digit.
const AddEntry mse = enter("mse", "std::transform_reduce", [](const Setup& s) {
    const float *a = s.at<float>("a", 0), *b = s.at<float>("b", 0);
    const index_t n = s.extent(0);
    const double sum =
        std::transform_reduce(a, a + n, b, 0.0, std::plus<>{}, [](float u, float v) { return (u - v) * (u - v); });
    *s.at<float>("out", 0) = static_cast<float>(sum / static_cast<double>(n));
});

const AddEntry sum = enter("sum", "std::reduce", [](const Setup& s) {
    const float* x = s.at<float>("x", 0);
    *s.at<float>("out", 0) = static_cast<float>(std::reduce(x, x + s.extent(0), 0.0));
});

#if defined(_OPENMP)
const AddEntry mse_loop = enter("mse", "OpenMP loop", [](const Setup& s) {
    const float *a = s.at<float>("a", 0), *b = s.at<float>("b", 0);
    const index_t n = s.extent(0);
    double total = 0;
#pragma omp parallel for reduction(+ : total) if (n > 1 << 18)
    for (index_t first = 0; first < n; first += 8192) {
        const index_t last = std::min(n, first + 8192);
        float part = 0;
#pragma omp simd reduction(+ : part)
        for (index_t i = first; i < last; ++i) {
            part += (a[i] - b[i]) * (a[i] - b[i]);
        }
        total += static_cast<double>(part);
    }
    *s.at<float>("out", 0) = static_cast<float>(total / static_cast<double>(n));
});

const AddEntry softmax = enter("softmax", "OpenMP loop", [](const Setup& s) {
    const index_t rows = s.extent(0), n = s.extent(1);
#pragma omp parallel for if (rows * n > 1 << 18)
    for (index_t i = 0; i < rows; ++i) {
        const float* x = s.at<float>("x", 0) + i * n;
        float* y = s.at<float>("y", 0) + i * n;
        float largest = -INFINITY, total = 0;
#pragma omp simd reduction(max : largest)
        for (index_t j = 0; j < n; ++j) {
            largest = x[j] > largest ? x[j] : largest;
        }
        for (index_t j = 0; j < n; ++j) {
            y[j] = std::exp(x[j] - largest);
        }
#pragma omp simd reduction(+ : total)
        for (index_t j = 0; j < n; ++j) {
            total += y[j];
        }
        for (index_t j = 0; j < n; ++j) {
            y[j] /= total;
        }
    }
});
#endif

}  // namespace
}  // namespace bench
