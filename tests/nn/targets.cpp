// SPDX-License-Identifier: Apache-2.0
//
// Every norm and loss by its own name on the host and on the emulated device.
#include "support/targets.hpp"

#include "nn/loss_cases.hpp"
#include "nn/norm_cases.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("softmax by name", "", HostTarget, EmulatedTarget) {
    check_softmax_by_name(TestType{});
}

TEMPLATE_TEST_CASE("norms by name", "", HostTarget, EmulatedTarget) {
    check_norms(TestType{});
    check_norms_of_columns(TestType{});
    check_stretched_cosines(TestType{});
}

TEMPLATE_TEST_CASE("losses by name", "", HostTarget, EmulatedTarget) {
    check_losses(TestType{});
    check_cross_entropy_by_name(TestType{});
}
