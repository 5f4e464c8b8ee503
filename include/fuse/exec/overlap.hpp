// SPDX-License-Identifier: Apache-2.0
//
// Whether an output touches memory of another operand at other element positions. Operands with equal strides are
// compared exactly (column slices of one matrix interleave without touching); others by their address ranges.
#pragma once

#include "fuse/plan/layout.hpp"

FUSE_BEGIN_NAMESPACE

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody binds.
bool partially_overlap(const Shape& extent, const OperandLayout& output, const Shape& other_extent,
                       const OperandLayout& other, bool anywhere);

#else

namespace detail {

struct AddressRange {
    std::intptr_t first = 0;
    std::intptr_t last = 0;  ///< one past the end
};

FUSE_COLD inline AddressRange address_range(const Shape& extent, const OperandLayout& o) {
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

/// The dimensions along which an operand moves, by falling stride (as absolute values).
struct SortedDims {
    struct Dim {
        index_t stride;
        index_t extent;
    };
    Dim dim[max_rank];
    int count = 0;

    FUSE_RARE void insert(Dim d) {
        int place = count++;
        for (; place > 0 && dim[place - 1].stride <= d.stride; --place) {
            dim[place] = dim[place - 1];
        }
        dim[place] = d;
    }
};

/// Whether `distance` (in items) is a sum of k_i * stride_i with |k_i| < extent_i, over the dimensions from `next` on.
FUSE_RARE inline bool reaches(index_t distance, const SortedDims& dims, int next) {
    if (next == dims.count) {
        return distance == 0;
    }
    const auto [stride, extent] = dims.dim[next];
    index_t reach_inside = 0;
    for (int i = next + 1; i < dims.count; ++i) {
        reach_inside += dims.dim[i].stride * (dims.dim[i].extent - 1);
    }
    // Only multiples that leave a rest within reach of the smaller strides can work.
    const index_t lowest = (distance - reach_inside) / stride - 1;
    const index_t highest = (distance + reach_inside) / stride + 1;
    for (index_t k = lowest > 1 - extent ? lowest : 1 - extent; k <= highest && k <= extent - 1; ++k) {
        const index_t rest = distance - k * stride;
        if (rest <= reach_inside && rest >= -reach_inside && reaches(rest, dims, next + 1)) {
            return true;
        }
    }
    return false;
}

/// Whether two elements of one operand are the same memory, without axes of stride 0: some of its strides are then sums
/// of smaller ones.
FUSE_RARE inline bool meets_itself(const Shape& extent, const Shape& strides) {
    SortedDims dims;
    for (int axis = 0; axis < extent.rank; ++axis) {
        if (extent[axis] > 1 && strides[axis] != 0) {
            dims.insert({strides[axis] < 0 ? -strides[axis] : strides[axis], extent[axis]});
        }
    }
    index_t reach_inside = 0;
    for (int i = dims.count - 1; i >= 0; --i) {
        const auto [stride, count] = dims.dim[i];
        for (index_t k = 1; k < count && k * stride <= reach_inside; ++k) {
            if (reaches(k * stride, dims, i + 1)) {
                return true;
            }
        }
        reach_inside += stride * (count - 1);
    }
    return false;
}

}  // namespace detail

/// Whether the address ranges of two operands of their own extents meet.
FUSE_COLD inline bool ranges_overlap(const Shape& extent, const OperandLayout& operand, const Shape& other_extent,
                                     const OperandLayout& other) {
    if (extent.size() == 0 || other_extent.size() == 0) {
        return false;
    }
    const detail::AddressRange a = detail::address_range(extent, operand);
    const detail::AddressRange b = detail::address_range(other_extent, other);
    return a.last > b.first && b.last > a.first;
}

/// True when elements of `output` and `other` share memory, but not element by element at equal positions; anywhere: or
/// at those, too, of an operand that has its own extents and is read in any order.
FUSE_COLD inline bool partially_overlap(const Shape& extent, const OperandLayout& output, const Shape& other_extent,
                                        const OperandLayout& other, bool anywhere) {
    if (other.address == 0 || !ranges_overlap(extent, output, other_extent, other)) {
        return false;
    }
    bool same_strides = output.item_size == other.item_size && extent.rank == other_extent.rank;
    detail::SortedDims dims;
    for (int axis = 0; axis < extent.rank && same_strides; ++axis) {
        const index_t count = extent[axis] > other_extent[axis] ? extent[axis] : other_extent[axis];
        if (count > 1) {
            const index_t stride = output.stride[axis];
            same_strides = stride == other.stride[axis];
            if (stride != 0) {
                dims.insert({stride < 0 ? -stride : stride, count});
            }
        }
    }
    if (!same_strides) {
        return true;
    }
    const auto bytes = static_cast<index_t>(other.address) - static_cast<index_t>(output.address);
    const auto size = static_cast<index_t>(output.item_size);
    return (anywhere || bytes != 0) && (bytes % size != 0 || detail::reaches(bytes / size, dims, 0));
}

#endif

FUSE_END_NAMESPACE
