// SPDX-License-Identifier: Apache-2.0
//
// A group of gradients against PyTorch on the host.
#include "nn/autograd_norm_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

TEST_CASE("gradients of channel_norms against PyTorch") {
    check_autograd_of_channel_norms(HostTarget{});
}
