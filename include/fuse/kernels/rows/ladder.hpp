// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the rows family, as the choice and the kernels themselves both know them.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// On a device, in the order of RowsFamily::kernels: rows held item by item; held in 2, 4, 8 vectors per thread; swept.
enum class RowsKernels { items, two, four, eight, swept };

/// Row fragments: vectors per thread. Each is one instantiated kernel.
inline constexpr int resident_ladder[] = {2, 4, 8};
/// The same for rows whose length the vector width does not divide: they are held item by item.
inline constexpr int resident_items = 8;
/// Threads of a block of the row kernels: longer rows are held by more vectors per thread first.
inline constexpr index_t row_threads = 512;
/// The same for a kernel that holds `vectors` per thread (0: none).
constexpr int row_block_threads(int vectors) {
    return vectors == 2 || vectors == 4 ? 256 : 512;
}

FUSE_END_NAMESPACE
