// SPDX-License-Identifier: Apache-2.0
//
// Where the axes of a part of a view lie in the whole view, as a number: a packed AxisMap, axis by axis of the part. What
// is known of a part by its type, a derivative can put back (gradient/placed_parts.hpp).
#pragma once

#include "fuse/lang/axis_map.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Of a part whose axes are none of the whole view's: reshaped.
inline constexpr std::uint64_t no_place = ~std::uint64_t{0};
/// Beside the axis: not all of its elements are in the part, or they are in another order.
inline constexpr int cut_axis = 8;

constexpr std::uint64_t place_without(std::uint64_t place, int axis) {
    if (place == no_place) {
        return place;
    }
    AxisMap m = AxisMap::unpack(place);
    --m.rank;
    for (int i = axis; i < m.rank; ++i) {
        m.axis[i] = m.axis[i + 1];
    }
    return m.pack();
}
/// Cut along the axes in `mask`.
constexpr std::uint64_t place_cut(std::uint64_t place, std::uint32_t mask) {
    if (place == no_place) {
        return place;
    }
    AxisMap m = AxisMap::unpack(place);
    for (int i = 0; i < m.rank; ++i) {
        m.axis[i] |= ((mask >> i) & 1U) != 0 ? cut_axis : 0;
    }
    return m.pack();
}
template <class Order>
constexpr std::uint64_t place_permuted(std::uint64_t place, const Order& order) {
    if (place == no_place) {
        return place;
    }
    const AxisMap m = AxisMap::unpack(place);
    AxisMap result = m;
    for (int i = 0; i < m.rank; ++i) {
        result.axis[i] = m.axis[static_cast<int>(order[i])];
    }
    return result.pack();
}

}  // namespace detail

FUSE_END_NAMESPACE
