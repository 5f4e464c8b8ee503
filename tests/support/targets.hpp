// SPDX-License-Identifier: Apache-2.0
//
// The targets of the shared test bodies that need no GPU: the host, and the emulated device.
#pragma once

#include "support/emulated_executor.hpp"
#include "support/host_target.hpp"

namespace fuse::testing {

using EmulatedTarget = CpuTarget<EmulatedExecutor>;

}  // namespace fuse::testing
