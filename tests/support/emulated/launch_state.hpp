// SPDX-License-Identifier: Apache-2.0
//
// What the emulated blocks of one launch share: its shape, its first error, and whether it gets on.
#pragma once

#include <cstddef>
#include <exception>

#include "support/emulated/dim2.hpp"

namespace fuse::testing {

/// Collectives that a launch completed: of whole blocks, and of whole warps.
struct CollectiveCounts {
    std::size_t barriers = 0;
    std::size_t shuffles = 0;
};

/// Shared by all blocks of one launch.
struct LaunchState {
    Dim2 grid;
    Dim2 block;
    unsigned warp_size = 32;
    std::exception_ptr error;
    CollectiveCounts counts;
    bool unwinding = false;         // resumed fibers throw UnwindFiber, to run their destructors
    bool yield_at_atomics = false;  // lets the scheduler interleave blocks there
    std::size_t progress = 0;       // arrivals, exits and atomic updates: all that can end another thread's wait
};

struct UnwindFiber {};

}  // namespace fuse::testing
