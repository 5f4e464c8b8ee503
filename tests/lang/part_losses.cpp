// SPDX-License-Identifier: Apache-2.0
//
// Losses of parts of an array beside gradients with respect to the whole.
#include "lang/part_loss_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("losses of parts alone beside their gradients") {
    check_part_losses(HostTarget());
}
TEST_CASE("losses of parts alone beside their gradients on the emulated device") {
    check_part_losses(EmulatedTarget());
}
