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
/// Behind the map a bit for each axis of the whole view: whether what is cut there has all elements all the same.
inline constexpr int turned_bits = 48;
inline constexpr std::uint64_t all_turned = std::uint64_t{0xff} << turned_bits;

constexpr std::uint64_t turned_bit(int whole_axis) {
    return std::uint64_t{1} << (turned_bits + whole_axis % cut_axis);
}
/// Whether axis i of what has this place has not all elements of an axis of its view.
constexpr bool is_cut(std::uint64_t place, int i) {
    const int axis = place == no_place ? 0 : AxisMap::unpack(place).axis[i];
    return axis >= cut_axis && (place & turned_bit(axis)) == 0;
}

constexpr std::uint64_t place_without(std::uint64_t place, int axis) {
    if (place == no_place) {
        return place;
    }
    AxisMap m = AxisMap::unpack(place);
    --m.rank;
    for (int i = axis; i < m.rank; ++i) {
        m.axis[i] = m.axis[i + 1];
    }
    return m.pack() | (place & all_turned);
}
/// Cut along the axes in `mask`.
constexpr std::uint64_t place_cut(std::uint64_t place, std::uint32_t mask) {
    if (place == no_place) {
        return place;
    }
    AxisMap m = AxisMap::unpack(place);
    std::uint64_t turned = place & all_turned;
    for (int i = 0; i < m.rank; ++i) {
        if (((mask >> i) & 1U) != 0) {
            turned &= ~turned_bit(m.axis[i]);
            m.axis[i] |= cut_axis;
        }
    }
    return m.pack() | turned;
}
/// In another order along the axes in `mask`.
constexpr std::uint64_t place_turned(std::uint64_t place, std::uint32_t mask) {
    if (place == no_place) {
        return place;
    }
    AxisMap m = AxisMap::unpack(place);
    std::uint64_t turned = place & all_turned;
    for (int i = 0; i < m.rank; ++i) {
        if (((mask >> i) & 1U) != 0 && m.axis[i] < cut_axis) {
            turned |= turned_bit(m.axis[i]);
            m.axis[i] |= cut_axis;
        }
    }
    return m.pack() | turned;
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
    return result.pack() | (place & all_turned);
}

}  // namespace detail

FUSE_END_NAMESPACE
