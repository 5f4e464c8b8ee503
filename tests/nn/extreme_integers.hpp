// SPDX-License-Identifier: Apache-2.0
//
// Rows of integers at the ends of their type's range, and what loops in double make of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "fuse/config.hpp"

namespace fuse::testing {

using Row = std::vector<double>;

inline constexpr index_t integer_rows = 4;
inline constexpr index_t integer_columns = 5;

/// A matrix with the lowest and the highest value, neighbours of both, zeros, and numbers small enough for exp.
template <std::integral T>
std::vector<T> extreme_integers() {
    constexpr T low = std::numeric_limits<T>::lowest();
    constexpr T high = std::numeric_limits<T>::max();
    const auto n = [](int v) { return static_cast<T>(v); };
    return {low,
            high,
            n(0),
            n(1),
            n(2),  //
            n(3),
            n(1),
            n(4),
            n(1),
            n(5),  //
            high,
            static_cast<T>(high - n(1)),
            static_cast<T>(high - n(2)),
            high,
            high,  //
            low,
            low,
            static_cast<T>(low + n(1)),
            static_cast<T>(low + n(2)),
            low};
}

template <class T>
double as_double(T v) {
    return static_cast<double>(v);
}
/// Memory of the target.
template <class Target, class T>
auto array_of(const std::vector<T>& values) {
    typename Target::template Array<T> array(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        array[i] = values[i];
    }
    return array;
}
template <class Target, class T>
auto arrays(std::size_t count, std::size_t size) {
    std::vector<typename Target::template Array<T>> result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(array_of<Target>(std::vector<T>(size)));
    }
    return result;
}

template <class T>
Row row_of(const std::vector<T>& x, index_t r) {
    Row row;
    for (index_t c = 0; c < integer_columns; ++c) {
        row.push_back(as_double(x[static_cast<std::size_t>(r * integer_columns + c)]));
    }
    return row;
}

inline double highest(const Row& v) {
    double m = v[0];
    for (const double e : v) {
        m = std::max(m, e);
    }
    return m;
}
/// log(sum(exp(v - max))): without the maximum, so that nothing is lost beside a large one.
inline double log_total(const Row& v) {
    double s = 0;
    for (const double e : v) {
        s += std::exp(e - highest(v));
    }
    return std::log(s);
}
inline double power_sum(const Row& v, double p) {
    double s = 0;
    for (const double e : v) {
        s += std::pow(std::fabs(e), p);
    }
    return s;
}
inline double average(const Row& v) {
    double s = 0;
    for (const double e : v) {
        s += e / static_cast<double>(v.size());
    }
    return s;
}
inline double spread(const Row& v, double ddof) {
    double s = 0;
    for (const double e : v) {
        s += (e - average(v)) * (e - average(v));
    }
    return s / (static_cast<double>(v.size()) - ddof);
}

}  // namespace fuse::testing
