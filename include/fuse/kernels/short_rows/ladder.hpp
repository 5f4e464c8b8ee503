// SPDX-License-Identifier: Apache-2.0
//
// What the choice and the kernel of short rows both know.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Elements of a row that one thread takes, at the most, and threads that share a row.
inline constexpr int short_row_elements = 16;
inline constexpr unsigned short_row_lanes = 8;
/// So many of them at a time.
inline constexpr int short_row_group = 4;
inline constexpr unsigned longest_short_row = short_row_elements * short_row_lanes;
/// Rows of so many vectors more than short_row_elements are as fast in registers.
inline constexpr index_t more_short_vectors = 5;
/// Elements that a thread takes of several rows, one after the other, where there are enough rows.
inline constexpr index_t short_rows_elements = 32;
/// Threads of a block.
inline constexpr unsigned short_row_threads = 128;

FUSE_END_NAMESPACE
