// SPDX-License-Identifier: Apache-2.0
//
// What references of rows share: the softmax and the moments of one row, in double.
#pragma once

#include <cmath>

#include "../problem.hpp"

namespace bench {

struct Softmax {
    double largest = -INFINITY, sum = 0;

    explicit Softmax(const std::vector<double>& x) {
        for (const double v : x) {
            largest = std::max(largest, v);
        }
        for (const double v : x) {
            sum += std::exp(v - largest);
        }
    }
    double probability(double v) const { return std::exp(v - largest) / sum; }
    double logarithm(double v) const { return v - largest - std::log(sum); }
};

struct Moments {
    double mean = 0, variance = 0, square = 0;

    explicit Moments(const std::vector<double>& x) {
        const double n = static_cast<double>(x.size());
        for (const double v : x) {
            mean += v / n;
            square += v * v / n;
        }
        for (const double v : x) {
            variance += (v - mean) * (v - mean) / n;
        }
    }
};

inline std::vector<double> row_of(const Data& data, const char* array, index_t row, index_t length) {
    const Values values = data.fetch(array, row * length, length);
    std::vector<double> x;
    x.reserve(static_cast<std::size_t>(length));
    for (index_t j = 0; j < length; ++j) {
        x.push_back(values[j]);
    }
    return x;
}

/// Row i of values, all of which are at hand.
inline std::vector<double> row_of(const Values& values, index_t i, index_t length) {
    std::vector<double> x(static_cast<std::size_t>(length));
    for (index_t j = 0; j < length; ++j) {
        x[static_cast<std::size_t>(j)] = values[i * length + j];
    }
    return x;
}

}  // namespace bench
