// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic that the families' choices share. These are functions of ProgramFacts, but templates in the families that
// few programs take: others read a template, and do not compile it.
#pragma once

#include <bit>

#include "fuse/kernels/launch/launch.hpp"
#include "fuse/numeric.hpp"
#include "fuse/plan/layout.hpp"
#include "fuse/plan/policy.hpp"
#include "fuse/plan/program_facts.hpp"
#include "fuse/plan/target.hpp"

FUSE_BEGIN_NAMESPACE

/// One launch has at most this many blocks.
inline constexpr index_t max_grid = 0x7fffffff;
/// Vectors of a row, or elements of a column, that one thread of a block that shares it with others adds one after the
/// other: a bound of the rounding error, and more than large arrays have on a GPU filled once.
inline constexpr index_t longest_share = 256;
/// So many blocks, in numbers that fill the device, share rows or columns for that reason at the most: all of them
/// leave partial results.
inline constexpr index_t most_waves = 8;

/// Accumulators of more 32-bit words are not sent as messages.
inline constexpr int most_message_words = 4;

constexpr index_t ceil_div(index_t a, index_t b) {
    return (a + b - 1) / b;
}

namespace detail {

constexpr index_t round_up(index_t a, index_t multiple) {
    return ceil_div(a, multiple) * multiple;
}

/// More threads than any block has: limits counts of work before they become counts of threads.
inline constexpr index_t plenty = 1 << 16;

/// The power of two of threads that gives each `per_thread` vectors.
inline unsigned threads_for(index_t vectors, index_t per_thread) {
    return std::bit_ceil(static_cast<unsigned>(smallest(ceil_div(vectors, per_thread), plenty)));
}

/// dim_y, raised so that the block has no partial warp.
constexpr unsigned whole_warps(unsigned dim_x, unsigned dim_y) {
    const unsigned step = dim_x >= 32 ? 1 : 32 / dim_x;
    return (dim_y + step - 1) / step * step;
}

inline unsigned round_up_warp(index_t threads) {
    return static_cast<unsigned>(ceil_div(smallest(threads, plenty), 32) * 32);
}

/// Blocks that fill the device, of kernels that step through the work.
constexpr index_t resident_blocks(const Policy& policy, const Device& device) {
    return static_cast<index_t>(device.units) * policy.blocks_per_unit;
}

/// Rows spread over the blocks of a CPU, about policy.host_block_items elements each.
inline index_t host_row_blocks(const Layout& layout, const Policy& policy) {
    const index_t rows_per_block =
        largest<index_t>(1, policy.host_block_items / largest<index_t>(1, layout.walked_size));
    return limited(ceil_div(layout.kept_size, rows_per_block), 1, max_grid);
}

/// Whether one block has room in shared memory for what is read again of a row, so many bytes of each element (0: nothing is),
/// beside what collectives need.
constexpr bool fits_one_block(int staged_bytes, const Layout& layout, const Device& device) {
    constexpr index_t collectives = 2048;
    return staged_bytes > 0 &&
           layout.walked_size <= (static_cast<index_t>(device.shared_bytes) - collectives) / staged_bytes;
}
/// Whether the largest cluster of blocks surely does.
constexpr bool fits_cluster(int staged_bytes, const Layout& layout, const Device& device) {
    return staged_bytes > 0 &&
           layout.walked_size <= index_t{device.shared_bytes} / 4 * 3 / staged_bytes * device.cluster_blocks;
}

}  // namespace detail

FUSE_END_NAMESPACE
