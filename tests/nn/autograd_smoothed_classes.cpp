// SPDX-License-Identifier: Apache-2.0
//
// A group of gradients against PyTorch on the host and on the emulated device.
#include "nn/autograd_loss_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("gradients of smoothed_classes against PyTorch") {
    check_autograd_of_smoothed_classes(HostTarget{});
    check_autograd_of_smoothed_classes(EmulatedTarget{});
}
