// SPDX-License-Identifier: Apache-2.0
//
// DimConfig: the geometry of a launch that walks a 1-D or 2-D array in tiles. Elements are split into blocks of a fixed
// number of items; the items after the last whole block make one more, partial block per direction, the only one that
// has a boundary. Counts are 64-bit; what the hardware limits is checked here, before anything is launched.
#pragma once

#include "fuse/error.hpp"

FUSE_BEGIN_NAMESPACE

/// One direction: how many elements, how many items a block deals with, how many threads it has.
struct DimAxis {
    index_t num = 1;
    index_t deal_size = 1;
    unsigned threads = 1;
};

namespace detail {

[[noreturn]] FUSE_RARE inline void throw_dim_config(const char* what, char axis, index_t value, index_t limit) {
    const char name[] = {axis, '\0'};
    throw argument_error(Text() << "DimConfig: " << what << " along " << name << ": " << value << ", limit " << limit);
}

}  // namespace detail

/// Built on the host, carried to the kernel by value.
struct DimConfig {
    static constexpr index_t max_split_x = 0x7fffffff;  // of every GPU that CUDA supports
    static constexpr index_t max_split_y = 65535;
    static constexpr index_t max_threads = 1024;

    index_t split_num_x;  // blocks: the extent of the grid; 0 without elements, and then nothing may be launched
    index_t split_num_y;
    index_t deal_size_x;  // items per block
    index_t deal_size_y;
    index_t rem_x;  // items of the partial last block, 0 if all blocks are whole
    index_t rem_y;
    unsigned block_x;  // threads per block
    unsigned block_y;

    /// Throws argument_error for a negative number of elements, an empty block, and grids or blocks that no GPU
    /// launches.
    constexpr explicit DimConfig(DimAxis x, DimAxis y = {})
        : split_num_x(split(x, 'x', max_split_x)), split_num_y(split(y, 'y', max_split_y)), deal_size_x(x.deal_size),
          deal_size_y(y.deal_size), rem_x(x.num % x.deal_size), rem_y(y.num % y.deal_size), block_x(x.threads),
          block_y(y.threads) {
        if (static_cast<index_t>(block_x) * block_y > max_threads) {
            detail::throw_dim_config("too many threads, block_x * block_y", 'x',
                                     static_cast<index_t>(block_x) * block_y, max_threads);
        }
    }

    FUSE_HD constexpr bool empty() const { return split_num_x == 0 || split_num_y == 0; }

    /// Blocks that need no bounds check in this direction.
    FUSE_HD constexpr index_t whole_x() const { return split_num_x - (rem_x > 0 ? 1 : 0); }
    FUSE_HD constexpr index_t whole_y() const { return split_num_y - (rem_y > 0 ? 1 : 0); }

    /// Whether block (x, y) is partial in a direction: what the IsBoundary of its loads and stores must be.
    FUSE_HD constexpr bool is_boundary(index_t x, index_t y = 0) const { return x >= whole_x() || y >= whole_y(); }

    /// First element of a block.
    FUSE_HD constexpr index_t first_x(index_t block) const { return block * deal_size_x; }
    FUSE_HD constexpr index_t first_y(index_t block) const { return block * deal_size_y; }

    /// Elements from a block's first one to the end of the array: the size to give its TileShape.
    FUSE_HD constexpr index_t left_x(index_t block) const { return (whole_x() - block) * deal_size_x + rem_x; }
    FUSE_HD constexpr index_t left_y(index_t block) const { return (whole_y() - block) * deal_size_y + rem_y; }

    /// Items of the last block, 0 without elements.
    FUSE_HD constexpr index_t last_x() const { return rem_x > 0 || split_num_x == 0 ? rem_x : deal_size_x; }
    FUSE_HD constexpr index_t last_y() const { return rem_y > 0 || split_num_y == 0 ? rem_y : deal_size_y; }

private:
    static constexpr index_t split(const DimAxis& axis, char name, index_t limit) {
        if (axis.num < 0) {
            detail::throw_dim_config("negative number of elements", name, axis.num, 0);
        }
        if (axis.deal_size < 1) {
            detail::throw_dim_config("a block must deal with at least one item", name, axis.deal_size, 1);
        }
        if (axis.threads < 1 || axis.threads > max_threads) {
            detail::throw_dim_config("threads of a block", name, axis.threads, max_threads);
        }
        const index_t blocks = axis.num / axis.deal_size + (axis.num % axis.deal_size > 0 ? 1 : 0);
        if (blocks > limit) {
            detail::throw_dim_config("too many blocks", name, blocks, limit);
        }
        return blocks;
    }
};

FUSE_END_NAMESPACE
