// SPDX-License-Identifier: Apache-2.0
//
// What the choice and the kernel of short rows both know.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

/// Elements of the longest row that one thread takes.
inline constexpr int longest_short_row = 16;
/// Threads of a block.
inline constexpr unsigned short_row_threads = 128;

FUSE_END_NAMESPACE
