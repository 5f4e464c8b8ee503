// SPDX-License-Identifier: Apache-2.0
//
// The launch of a sort: a block per row, which must fit the memory that the block has for it.
#pragma once

#include "fuse/error.hpp"
#include "fuse/kernels/launch/choice.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Bytes that the sorts of a row of n elements keep.
using SortBytes = std::size_t (*)(index_t n);

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
template <class Bytes>
Launch choose_sort(Bytes row_bytes, const Layout& layout, const Policy&, const Device& device);
template <class Bytes>
Launch choose_sort(Bytes row_bytes, const Layout& layout, const Policy&, const Cpu&);

#else

[[noreturn]] FUSE_RARE inline void throw_row_too_long(index_t n, index_t most) {
    throw shape_error(Text() << "a row of " << n << " elements is too long to sort: at most " << most
                             << " fit the shared memory of a block on this device");
}

/// The longest row that is kept in `memory` bytes.
FUSE_COLD inline index_t longest_sorted_row(std::size_t memory, SortBytes row_bytes) {
    index_t fits = 0;
    for (index_t step = index_t{1} << 30U; step > 0; step /= 2) {
        fits += row_bytes(fits + step) <= memory ? step : 0;
    }
    return fits;
}

template <class Bytes>
FUSE_COLD Launch choose_sort(Bytes row_bytes, const Layout& layout, const Policy&, const Device& device) {
    Launch l;
    l.name = "sort rows";
    l.row = layout.walked_size;
    // A block has two halves of shared memory for its collectives: a row lies in one of them.
    const std::size_t half = static_cast<std::size_t>(device.shared_bytes) / 2 / 16 * 16;
    if (row_bytes(l.row) > half) {
        throw_row_too_long(l.row, longest_sorted_row(half, row_bytes));
    }
    l.dim_x = largest(32U, smallest(512U, threads_for(l.row, 2)));
    l.grid = limited(layout.kept_size, 1, max_grid);
    l.why = "a block per row, sorted in its shared memory";
    return l;
}

template <class Bytes>
FUSE_COLD Launch choose_sort(Bytes, const Layout& layout, const Policy&, const Cpu&) {
    constexpr index_t most_blocks = 64;  // each has memory for a row
    constexpr index_t most = 0x7fffffff;
    Launch l;
    l.name = "sort rows";
    l.row = layout.walked_size;
    if (l.row > most) {
        throw_row_too_long(l.row, most);
    }
    l.grid = limited(layout.kept_size, 1, most_blocks);
    l.why = "rows spread over the cores";
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
