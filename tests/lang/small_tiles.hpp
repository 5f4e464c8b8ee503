// SPDX-License-Identifier: Apache-2.0
//
// The emulated device with look-back tiles of 32 threads, so that a few thousand elements are scanned by several
// blocks, and some ten thousand by several groups of them.
#pragma once

#include "support/targets.hpp"

namespace fuse::testing {

inline EmulatedTarget small_tiles(LaunchRecord& record, Order order = Order::shuffled) {
    Policy p = small_policy;
    p.lookback_threads = 32;
    return {EmulatedExecutor(record, order).with(p)};
}

}  // namespace fuse::testing
