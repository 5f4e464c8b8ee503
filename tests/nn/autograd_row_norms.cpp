// SPDX-License-Identifier: Apache-2.0
//
// A group of gradients against PyTorch on the host and on the emulated device.
#include "nn/autograd_norm_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("gradients of row_norms against PyTorch") {
    check_autograd_of_row_norms(HostTarget{});
    check_autograd_of_row_norms(EmulatedTarget{});
}
