// SPDX-License-Identifier: Apache-2.0
//
// What a view is without strides, to compare with: an array of positions in memory, found by plain loops.
#pragma once

#include <algorithm>
#include <vector>

#include "fuse/lang/strided.hpp"
#include "support/ndarray.hpp"

namespace fuse::testing {

/// An array of positions in memory, row-major: what a view is, without strides.
struct Positions {
    Extent extent;
    std::vector<index_t> at;

    index_t operator()(const Coordinate& c) const {
        index_t linear = 0;
        for (std::size_t axis = 0; axis < extent.size(); ++axis) {
            linear = linear * extent[axis] + c[axis];
        }
        return at[static_cast<std::size_t>(linear)];
    }
};

inline Extent to_extent(const Shape& s) {
    return Extent(s.extent.begin(), s.extent.begin() + s.rank);
}
inline Shape to_shape(const Extent& e) {
    Shape s{static_cast<int>(e.size()), {}};
    std::copy(e.begin(), e.end(), s.extent.begin());
    return s;
}

inline Positions positions_of(const detail::Strided& s) {
    Positions p{to_extent(s.shape), {}};
    for_each_coordinate(p.extent, [&](const Coordinate& c) {
        index_t at = s.offset;
        for (int axis = 0; axis < s.shape.rank; ++axis) {
            at += c[static_cast<std::size_t>(axis)] * s.stride[axis];
        }
        p.at.push_back(at);
    });
    return p;
}

}  // namespace fuse::testing
