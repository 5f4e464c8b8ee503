// SPDX-License-Identifier: Apache-2.0
//
// Float64 references for the table, one plain loop per output, independent of the library. Every case is compared
// with them before it is timed.
#pragma once

#include <cmath>

#include "timing.cuh"

namespace bench {

template <class T>
double as_double(T v) {
    return static_cast<double>(static_cast<float>(v));
}

/// Largest error over a sample of rows, relative to the scale of the row's values.
struct Check {
    double worst = 0;
    void compare(double got, double expected, double scale) {
        const double e = std::abs(got - expected) / scale;
        worst = std::isnan(e) ? INFINITY : std::max(worst, e);
    }
};

inline std::vector<std::size_t> sample_rows(std::size_t rows) {
    std::vector<std::size_t> sample;
    for (std::size_t i = 0; i < std::min<std::size_t>(rows, 40); ++i) {
        sample.push_back((i * 0x9e3779b97f4a7c15ull) % rows);
    }
    sample.push_back(rows - 1);
    return sample;
}

template <class T>
void reference_softmax(const T* x, std::size_t n, std::vector<double>& y) {
    y.resize(n);
    double m = -INFINITY;
    for (std::size_t i = 0; i < n; ++i) {
        m = std::max(m, as_double(x[i]));
    }
    double s = 0;
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = std::exp(as_double(x[i]) - m);
        s += y[i];
    }
    for (double& v : y) {
        v /= s;
    }
}

template <class T>
void reference_layer_norm(const T* x, const T* g, const T* b, std::size_t n, double eps, std::vector<double>& y) {
    y.resize(n);
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
        mean += as_double(x[i]);
    }
    mean /= static_cast<double>(n);
    double var = 0;
    for (std::size_t i = 0; i < n; ++i) {
        var += (as_double(x[i]) - mean) * (as_double(x[i]) - mean);
    }
    const double r = 1 / std::sqrt(var / static_cast<double>(n) + eps);
    for (std::size_t i = 0; i < n; ++i) {
        y[i] = (as_double(x[i]) - mean) * r * as_double(g[i]) + as_double(b[i]);
    }
}

}  // namespace bench
