// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the rows family, as the choice and the kernels themselves both know them.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// On a device, in the order of RowsFamily::kernels: rows held item by item; held in 2, 4, 8 vectors per thread; held in
/// shared memory; swept.
enum class RowsKernels { items, two, four, eight, staged, swept };

/// Row fragments: vectors per thread. Each is one instantiated kernel.
inline constexpr int resident_ladder[] = {2, 4, 8};
/// The same for rows whose length the vector width does not divide: they are held item by item.
inline constexpr int resident_items = 8;
/// Threads of a block that holds `vectors` per thread (0: none).
constexpr int row_block_threads(int vectors) {
    return vectors == resident_ladder[0] || vectors == resident_ladder[1] ? 256 : 512;
}
/// Threads of a block that holds a row, or a share of one, in shared memory.
inline constexpr int staged_threads = 256;
/// Smaller shares are not made to spread few rows over more blocks.
inline constexpr index_t least_staged_bytes = 16 * 1024;

FUSE_END_NAMESPACE
