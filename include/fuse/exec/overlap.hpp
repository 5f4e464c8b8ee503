// SPDX-License-Identifier: Apache-2.0
//
// Whether an output touches memory of another operand at other element positions. Operands with equal strides are
// compared exactly (column slices of one matrix interleave without touching); others by their address ranges.
#pragma once

#include "fuse/plan/layout.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

struct AddressRange {
    std::intptr_t first = 0;
    std::intptr_t last = 0;  ///< one past the end
};

inline AddressRange address_range(const Shape& extent, const OperandLayout& o) {
    index_t low = 0;
    index_t high = 0;
    for (int axis = 0; axis < extent.rank; ++axis) {
        const index_t reach = (extent[axis] - 1) * o.stride[axis];
        (reach < 0 ? low : high) += reach;
    }
    const auto base = static_cast<std::intptr_t>(o.address);
    const auto size = static_cast<std::intptr_t>(o.item_size);
    return {base + low * size, base + (high + 1) * size};
}

/// Whether `distance` (in items) is a sum of k_i * stride_i with |k_i| < extent_i, over the dimensions from `next` on,
/// which are sorted by falling stride.
FUSE_COLD inline bool reaches(index_t distance, const std::vector<std::pair<index_t, index_t>>& dims, std::size_t next) {
    if (next == dims.size()) {
        return distance == 0;
    }
    const auto [stride, extent] = dims[next];
    index_t reach_inside = 0;
    for (std::size_t i = next + 1; i < dims.size(); ++i) {
        reach_inside += dims[i].first * (dims[i].second - 1);
    }
    // Only multiples that leave a rest within reach of the smaller strides can work.
    const index_t lowest = (distance - reach_inside) / stride - 1;
    const index_t highest = (distance + reach_inside) / stride + 1;
    for (index_t k = std::max(lowest, 1 - extent); k <= std::min(highest, extent - 1); ++k) {
        const index_t rest = distance - k * stride;
        if (rest <= reach_inside && rest >= -reach_inside && reaches(rest, dims, next + 1)) {
            return true;
        }
    }
    return false;
}

}  // namespace detail

/// True when elements of `output` and `other` share memory, but not element by element at equal positions.
FUSE_COLD inline bool partially_overlap(const Shape& extent, const OperandLayout& output, const OperandLayout& other) {
    if (extent.size() == 0 || other.address == 0) {
        return false;
    }
    const detail::AddressRange a = detail::address_range(extent, output);
    const detail::AddressRange b = detail::address_range(extent, other);
    if (a.last <= b.first || b.last <= a.first) {
        return false;
    }
    bool same_strides = output.item_size == other.item_size;
    std::vector<std::pair<index_t, index_t>> dims;
    for (int axis = 0; axis < extent.rank; ++axis) {
        if (extent[axis] > 1) {
            same_strides = same_strides && output.stride[axis] == other.stride[axis];
            if (output.stride[axis] != 0) {
                const index_t stride = output.stride[axis] < 0 ? -output.stride[axis] : output.stride[axis];
                auto place = dims.begin();
                while (place != dims.end() && place->first > stride) {
                    ++place;
                }
                dims.insert(place, {stride, extent[axis]});
            }
        }
    }
    if (!same_strides) {
        return true;
    }
    const auto bytes = static_cast<index_t>(other.address) - static_cast<index_t>(output.address);
    if (bytes == 0) {
        return false;
    }
    if (bytes % static_cast<index_t>(output.item_size) != 0) {
        return true;
    }
    return detail::reaches(bytes / static_cast<index_t>(output.item_size), dims, 0);
}

FUSE_END_NAMESPACE
