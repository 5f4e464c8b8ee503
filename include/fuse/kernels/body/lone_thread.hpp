// SPDX-License-Identifier: Apache-2.0
//
// A block of one thread, as the CPU has: nobody else works while it waits, it walks contiguous pieces of memory, and
// what other blocks keep in shared memory it keeps among the partial results.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

template <class B>
inline constexpr bool lone_thread = B::warp_size == 1;

FUSE_END_NAMESPACE
