// SPDX-License-Identifier: Apache-2.0
//
// Where a part lies in the view that it was taken from, found from their addresses and strides.
#pragma once

#include "fuse/lang/extents.hpp"
#include "fuse/lang/place.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// For each axis of a view, which positions a part of it has: first + step * j.
struct FoundPart {
    Shape first;
    Shape step;
    bool found = true;
};

/// The position, with axes from `next` on, of what lies `distance` items behind the first item.
FUSE_COLD inline bool find_position(index_t distance, const Shape& shape, const Shape& stride, int next, Shape& at) {
    if (next == shape.rank) {
        return distance == 0;
    }
    index_t low = 0;
    index_t high = 0;
    for (int axis = next + 1; axis < shape.rank; ++axis) {
        const index_t reach = (shape[axis] - 1) * stride[axis];
        (reach < 0 ? low : high) += reach;
    }
    const index_t step = stride[next];
    if (step == 0) {
        at[next] = 0;
        return find_position(distance, shape, stride, next + 1, at);
    }
    // distance - i * step lies between low and high.
    const index_t one = (distance - low) / step;
    const index_t other = (distance - high) / step;
    const index_t last = (one > other ? one : other) + 1;
    for (index_t i = (one < other ? one : other) - 1; i <= last; ++i) {
        const index_t rest = distance - i * step;
        at[next] = i;
        if (i >= 0 && i < shape[next] && rest >= low && rest <= high &&
            find_position(rest, shape, stride, next + 1, at)) {
            return true;
        }
    }
    return false;
}

/// Where a part whose axes have this place lies in a view.
FUSE_COLD inline FoundPart find_part(const Shape& shape, const Shape& stride, const Shape& part_shape,
                                     const Shape& part_stride, std::intptr_t bytes, std::size_t item_size,
                                     std::uint64_t place) {
    FoundPart result{Shape{shape.rank, {}}, Shape{shape.rank, {}}};
    result.step.extent.fill(1);
    if (part_shape.size() == 0) {
        return result;  // nothing of it
    }
    const auto size = static_cast<std::intptr_t>(item_size);
    result.found = bytes % size == 0 && find_position(bytes / size, shape, stride, 0, result.first);
    const AxisMap axes = AxisMap::unpack(place);
    for (int b = 0; b < axes.rank; ++b) {
        const int a = axes.axis[b] % cut_axis;
        if (part_shape[b] > 1) {
            const bool steps = stride[a] != 0 && part_stride[b] % stride[a] == 0;
            result.step[a] = steps ? part_stride[b] / stride[a] : 1;
            const index_t last = result.first[a] + result.step[a] * (part_shape[b] - 1);
            result.found = result.found && steps && last >= 0 && last < shape[a];
        }
    }
    return result;
}

}  // namespace detail

FUSE_END_NAMESPACE
