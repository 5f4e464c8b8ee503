// SPDX-License-Identifier: Apache-2.0
//
// The reference: dense arrays of doubles with numpy's semantics, written as the plainest loops that can be right.
// Nothing here uses the library beyond its index type. Without an optimiser and under sanitizers, as most tests are built,
// a coordinate costs as much as dozens of elements, so that arrays of one shape are walked by position.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "fuse/config.hpp"

namespace fuse::testing {

using Extent = std::vector<index_t>;
using Coordinate = std::vector<index_t>;
using Numbers = std::vector<double>;

inline index_t size_of(const Extent& extent) {
    index_t n = 1;
    for (const index_t e : extent) {
        n *= e;
    }
    return n;
}

inline std::string to_text(const Extent& extent) {
    std::string text = "(";
    for (const index_t e : extent) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(e);
    }
    return text + ")";
}

/// Calls f(coordinate) for all coordinates, the last axis fastest.
template <class F>
void for_each_coordinate(const Extent& extent, F&& f) {
    Coordinate at(extent.size(), 0);
    index_t* const place = at.data();
    const index_t* const end = extent.data();
    const std::size_t rank = extent.size();
    for (index_t i = 0, n = size_of(extent); i < n; ++i) {
        f(static_cast<const Coordinate&>(at));
        for (std::size_t axis = rank; axis-- > 0 && ++place[axis] == end[axis];) {
            place[axis] = 0;
        }
    }
}

struct NdArray {
    Extent extent{};
    Numbers value{};

    NdArray() : value(1, 0.0) {}
    explicit NdArray(Extent e, double fill = 0) : extent(std::move(e)) {
        value.assign(static_cast<std::size_t>(size_of(extent)), fill);
    }
    index_t size() const { return size_of(extent); }

    /// The element that meets coordinate `at` of a broadcast result: axes aligned at the end, extent 1 stretches.
    std::size_t position(const Coordinate& at) const { return position(at.data(), at.size()); }
    std::size_t position(const index_t* at, std::size_t axes) const {
        index_t linear = 0;
        const std::size_t rank = extent.size();
        const index_t* const mine = extent.data();
        const index_t* const place = at + (axes - rank);
        for (std::size_t axis = 0; axis < rank; ++axis) {
            linear = linear * mine[axis] + (mine[axis] == 1 ? 0 : place[axis]);
        }
        return static_cast<std::size_t>(linear);
    }
    double operator()(const Coordinate& at) const { return value[position(at)]; }
    double& operator()(const Coordinate& at) { return value[position(at)]; }
    // x({row, column}), without a vector of its own.
    double operator()(std::initializer_list<index_t> at) const { return value[position(at.begin(), at.size())]; }
    double& operator()(std::initializer_list<index_t> at) { return value[position(at.begin(), at.size())]; }
};

inline Extent broadcast_extent(const Extent& a, const Extent& b) {
    Extent result = a.size() >= b.size() ? a : b;
    const Extent& small = a.size() >= b.size() ? b : a;
    for (std::size_t i = 0; i < small.size(); ++i) {
        index_t& mine = result[i + result.size() - small.size()];
        mine = mine == 1 ? small[i] : mine;
    }
    return result;
}

/// f applied elementwise to broadcast operands.
template <class F, class... A>
NdArray map_reference(F f, const NdArray& first, const A&... rest) {
    Extent extent = first.extent;
    ((extent = broadcast_extent(extent, rest.extent)), ...);
    NdArray result(extent);
    if (first.extent == extent && ((rest.extent == extent) && ...)) {
        for (std::size_t i = 0; i < result.value.size(); ++i) {
            result.value[i] = f(first.value[i], rest.value[i]...);
        }
    } else {
        std::size_t i = 0;
        for_each_coordinate(extent, [&](const Coordinate& at) { result.value[i++] = f(first(at), rest(at)...); });
    }
    return result;
}

inline bool is_reduced(std::uint32_t mask, std::size_t axis) {
    return ((mask >> axis) & 1U) != 0;
}

inline Extent reduced_extent(const Extent& extent, std::uint32_t mask, bool keep) {
    Extent result;
    for (std::size_t axis = 0; axis < extent.size(); ++axis) {
        if (!is_reduced(mask, axis) || keep) {
            result.push_back(is_reduced(mask, axis) ? 1 : extent[axis]);
        }
    }
    return result;
}

/// f(numbers) of the elements along the axes in mask, in row-major order.
template <class F>
NdArray reduce_reference(F f, const NdArray& x, std::uint32_t mask, bool keep = false) {
    const NdArray kept(reduced_extent(x.extent, mask, true));
    std::vector<Numbers> groups(kept.value.size());
    std::size_t position = 0;
    for_each_coordinate(x.extent,
                        [&](const Coordinate& at) { groups[kept.position(at)].push_back(x.value[position++]); });
    NdArray result(reduced_extent(x.extent, mask, keep));
    for (std::size_t i = 0; i < groups.size(); ++i) {
        result.value[i] = f(groups[i]);
    }
    return result;
}

inline double sum_reference(const Numbers& v) {
    double sum = 0;
    for (const double x : v) {
        sum += x;
    }
    return sum;
}
inline double mean_reference(const Numbers& v) {
    return sum_reference(v) / static_cast<double>(v.size());
}
inline double variance_reference(const Numbers& v) {
    const double mean = mean_reference(v);
    double sum = 0;
    for (const double x : v) {
        sum += (x - mean) * (x - mean);
    }
    return sum / static_cast<double>(v.size());
}
inline double max_reference(const Numbers& v) {
    double best = v.front();
    for (const double x : v) {
        best = std::isnan(best) || best >= x ? best : x;
    }
    return best;
}
inline double argmax_reference(const Numbers& v) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < v.size(); ++i) {
        best = !std::isnan(v[best]) && (std::isnan(v[i]) || v[i] > v[best]) ? i : best;
    }
    return static_cast<double>(best);
}

/// Whole numbers in [low, high]: sums of them are exact in any floating-point type that holds the result.
inline NdArray random_integers(const Extent& extent, int low, int high, unsigned seed) {
    NdArray a(extent);
    std::mt19937 engine(seed);
    std::uniform_int_distribution<int> draw(low, high);
    for (double& v : a.value) {
        v = draw(engine);
    }
    return a;
}
inline NdArray random_reals(const Extent& extent, double low, double high, unsigned seed) {
    NdArray a(extent);
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> draw(low, high);
    for (double& v : a.value) {
        v = draw(engine);
    }
    return a;
}

}  // namespace fuse::testing
