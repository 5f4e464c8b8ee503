// SPDX-License-Identifier: Apache-2.0
//
// What the choice and the kernel of short rows both know.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Elements of a row that one thread takes, at the most, and threads that share a row.
inline constexpr int short_row_elements = 16;
inline constexpr unsigned short_row_lanes = 8;
/// Longer rows than so many vectors are faster in registers, those of more than short_row_elements.
inline constexpr index_t longest_short_vectors = 6;
/// Threads of a block.
inline constexpr unsigned short_row_threads = 128;

FUSE_END_NAMESPACE
