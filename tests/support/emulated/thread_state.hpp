// SPDX-License-Identifier: Apache-2.0
//
// What is known of one emulated thread: what it waits for, where in the source, and what it has brought there.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "support/emulated/emulation_error.hpp"
#include "support/emulated/fiber.hpp"

namespace fuse::testing {

enum class ShuffleKind { index, exclusive_or, down, up };

struct ShuffleCall {
    ShuffleKind kind;
    int width;
    unsigned source_lane;  // in the warp
    const void* in;
    void* out;
    std::size_t bytes;
    Site site;
};

/// A copy to shared memory that the thread has started and not waited for.
struct PendingCopy {
    void* to;
    const void* from;
    std::size_t bytes;
};

struct ThreadState {
    enum class Wait { none, barrier, shuffle, cluster, exited };

    unsigned linear = 0;
    Wait wait = Wait::none;
    Site site{};
    std::optional<ShuffleCall> call{};
    unsigned scratch_calls = 0;
    unsigned warp_barriers = 0;
    bool in_cluster_barrier = false;  // has arrived and not yet waited
    unsigned cluster_generation = 0;  // at which barrier of the cluster
    std::vector<PendingCopy> copies{};
    Fiber* fiber = nullptr;
};

}  // namespace fuse::testing
