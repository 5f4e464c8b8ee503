// SPDX-License-Identifier: Apache-2.0
//
// Every norm and loss by its own name on the host and on the emulated device.
#include "support/targets.hpp"

#include "nn/target_cases.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("norms by name", "", HostTarget, EmulatedTarget) {
    check_norms(TestType{});
}

TEMPLATE_TEST_CASE("losses by name", "", HostTarget, EmulatedTarget) {
    check_losses(TestType{});
}
