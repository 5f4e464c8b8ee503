// SPDX-License-Identifier: Apache-2.0
//
// The launch hook on the host and on emulated blocks.
#include "lang/launch_hook_cases.hpp"
#include "support/targets.hpp"

TEMPLATE_TEST_CASE("a hook is told of every launch", "", fuse::HostExecutor, fuse::testing::EmulatedExecutor) {
    fuse::testing::check_launch_hook(TestType{});
}
