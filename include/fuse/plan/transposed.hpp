// SPDX-License-Identifier: Apache-2.0
//
// Maps whose operands are not contiguous along the last axis. A map may go through its domain in any order of the axes,
// so it goes as its outputs lie in memory: x is the axis along which they are contiguous. Inputs that are contiguous
// along another axis are transposed; that axis, y, becomes the one before x, and x and y span the tiles in which a
// kernel turns them round (kernels/transpose/).
#pragma once

#include <utility>

#include "fuse/numeric.hpp"
#include "fuse/plan/layout.hpp"

FUSE_BEGIN_NAMESPACE

/// Extents along x and y from which on maps are turned; from 2 on where lines follow each other in memory.
inline constexpr index_t least_turned_extent = 16;

/// Of so few elements a tile is not worth its trouble: what is read between them stays in the cache.
inline constexpr index_t least_transposed = 1024;

/// Whether a plane of so many elements along x and y is taken in tiles.
constexpr bool worth_turning(index_t x, index_t y) {
    return detail::smallest(x, least_transposed) * detail::smallest(y, least_transposed) >= least_transposed;
}

/// Whether an operand of these strides is transposed: closer together along y than along x, and constant along neither.
FUSE_HD constexpr bool is_transposed(index_t y_stride, index_t x_stride) {
    const index_t y = y_stride < 0 ? -y_stride : y_stride;
    const index_t x = x_stride < 0 ? -x_stride : x_stride;
    return y != 0 && y < x;
}

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody binds.
void turn_map(const DomainLayout& domain, Layout& layout, int leaves, std::uint64_t moving);

#else

namespace detail {

/// The axes by falling stride of an operand, in absolute value.
FUSE_RARE inline AxisOrder order_in_memory(const Shape& stride) {
    AxisOrder order;
    const auto distance = [&](int axis) { return stride[axis] < 0 ? -stride[axis] : stride[axis]; };
    for (int axis = 1; axis < stride.rank; ++axis) {
        int place = axis;
        for (; place > 0 && distance(order.axis[place - 1]) < distance(axis); --place) {
            order.axis[place] = order.axis[place - 1];
        }
        order.axis[place] = axis;
    }
    return order;
}

/// The dimension along which an operand's elements are closest together; the last of several, and where there is none.
FUSE_RARE inline int closest_dim(const DomainLayout& domain, const MergedDims& dims, int operand) {
    int closest = dims.count - 1;
    for (int d = dims.count - 1; d >= 0; --d) {
        const index_t stride = domain.stride(operand, dims.axis[d]);
        const index_t least = domain.stride(operand, dims.axis[closest]);
        closest = stride != 0 && (least == 0 || is_transposed(stride, least)) ? d : closest;
    }
    return closest;
}

/// Makes dimension d the one before the last.
FUSE_RARE inline void move_before_last(MergedDims& dims, int d) {
    const index_t extent = dims.extent[d];
    const int axis = dims.axis[d];
    for (; d < dims.count - 2; ++d) {
        dims.extent[d] = dims.extent[d + 1];
        dims.axis[d] = dims.axis[d + 1];
    }
    dims.extent[d] = extent;
    dims.axis[d] = axis;
}

/// The bits of all places, in items, where lines of an operand along the last dimension or the one before begin; of short
/// lines that follow each other, where the first of them does. 0 of other short lines, which nobody reads in vectors.
FUSE_RARE inline std::uintptr_t line_places(const DomainLayout& domain, const MergedDims& dims, int operand) {
    int along = dims.count - 1;
    int across = along - 1;
    if (domain.stride(operand, dims.axis[along]) != 1) {
        std::swap(along, across);
    }
    const bool is_short = dims.extent[along] < least_turned_extent;
    const index_t next = domain.stride(operand, dims.axis[across]);
    if (domain.stride(operand, dims.axis[along]) != 1 || (is_short && next != dims.extent[along])) {
        return 0;
    }
    const OperandLayout& o = domain.operands[operand];
    std::uintptr_t places = o.address / o.item_size | (is_short ? 0 : static_cast<std::uintptr_t>(next));
    for (int d = 0; d < dims.count - 2; ++d) {
        places |= static_cast<std::uintptr_t>(domain.stride(operand, dims.axis[d]));
    }
    return places;
}

}  // namespace detail

/// Turns the layout of a map, whose operands are `leaves` inputs and then its outputs; those in `moving` have elements of
/// their own along its axes. Left as it is where outputs disagree about x, or have few elements along it that do not follow
/// each other in memory.
FUSE_RARE inline void turn_map(const DomainLayout& domain, Layout& layout, int leaves, std::uint64_t moving) {
    const auto moves = [&](int operand) { return ((moving >> operand) & 1U) != 0; };
    int first = leaves;
    while (first < domain.operand_count && !moves(first)) {
        ++first;
    }
    if (first == domain.operand_count) {
        return;
    }
    const OperandLayout& output = domain.operands[first];
    MergedDims dims = merge(domain, domain.walked, detail::order_in_memory(output.stride));
    const int last = dims.count - 1;
    for (int o = first; o < domain.operand_count; ++o) {
        if (moves(o) && detail::closest_dim(domain, dims, o) != last) {
            return;
        }
    }
    index_t bytes[max_rank] = {};  // of an item of all inputs that are transposed with this dimension as y
    int y = last;
    for (int i = 0; i < leaves; ++i) {
        const int closest = detail::closest_dim(domain, dims, i);
        if (moves(i) && domain.stride(i, dims.axis[last]) != 0) {
            bytes[closest] += domain.operands[i].item_size;
            y = closest != last && (y == last || bytes[closest] > bytes[y]) ? closest : y;
        }
    }
    const int x_axis = dims.axis[last];
    const int y_axis = dims.axis[y];
    const bool flat_x =
        y != last && domain.stride(first, x_axis) == 1 && domain.stride(first, y_axis) == dims.extent[last];
    if (dims.extent[last] < least_turned_extent && !flat_x) {
        return;
    }
    std::uint64_t transposed = 0;
    bool flat_y = true;
    for (int i = 0; i < leaves && y != last; ++i) {
        if (moves(i) && is_transposed(domain.stride(i, y_axis), domain.stride(i, x_axis))) {
            transposed |= std::uint64_t{1} << i;
            flat_y = flat_y && domain.stride(i, y_axis) == 1 && domain.stride(i, x_axis) == dims.extent[y];
        }
    }
    if (transposed != 0 && (dims.extent[y] >= least_turned_extent || flat_y)) {
        detail::move_before_last(dims, y);
        layout.transposed = transposed;
        layout.flat_x = flat_x;
        layout.flat_y = flat_y;
        layout.places = output.address / output.item_size;
        for (int d = 0; d < last; ++d) {
            layout.places |= static_cast<std::uintptr_t>(domain.stride(first, dims.axis[d]));
        }
        for (int o = 0; o < domain.operand_count; ++o) {
            layout.all_places |= moves(o) ? detail::line_places(domain, dims, o) : 0;
        }
    }
    layout.walked = dims;
    layout.x_axis = x_axis;
}

#endif

FUSE_END_NAMESPACE
