// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the columns family, as the choice and the kernels themselves both know them.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// On a device, in the order of ColumnsFamily::kernels: columns held in 4 or 8 elements per thread; swept, by several blocks
/// if there are few; held by threads with one column each, which read neighbours though no vector is aligned; of rows that are
/// joined, if a program may have these.
enum class ColumnsKernels { four, eight, swept, single, joined };

/// Elements of a column per thread, where columns are held.
inline constexpr int column_ladder[] = {4, 8};
/// The same of a thread with one column.
inline constexpr int single_column_elements = 32;
/// Threads of a block that holds columns in registers.
inline constexpr unsigned resident_column_threads = 512;
/// Threads along the columns of a tile that a cluster shares, and bytes of what each brings, at the most.
inline constexpr unsigned clustered_column_threads = 32;
inline constexpr int clustered_column_bytes = 256;
/// What the threads of a column tile may bring to a collective: half of the 48 KB of shared memory that any launch may
/// have, less what a fold in two levels adds.
inline constexpr int column_fold_bytes = 21 * 1024;

/// Of joined rows (joined_columns.hpp): bytes of what a block of a cluster folds at a time, beside which there is room for what
/// each of the blocks has of all columns.
inline constexpr int joined_fold_bytes = 16 * 1024;
inline constexpr unsigned joined_cluster_bytes = 384;

FUSE_END_NAMESPACE
