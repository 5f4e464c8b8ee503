// SPDX-License-Identifier: Apache-2.0
//
// Softmax and its kin: gradients against PyTorch, and of samples, on the host and on the emulated device.
#include "nn/autograd_norm_cases.hpp"
#include "nn/gumbel_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("gradients of softmaxes against PyTorch") {
    check_autograd_of_softmaxes(HostTarget{});
    check_autograd_of_softmaxes(EmulatedTarget{});
}

TEST_CASE("gumbel_softmax that is hard, and gradients of samples") {
    check_gumbel_gradients(HostTarget{});
    check_gumbel_gradients(EmulatedTarget{});
}
