// SPDX-License-Identifier: Apache-2.0
//
// Losses beside their gradients with respect to factors of fewer axes.
#include "lang/step_place_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("losses beside gradients of factors of fewer axes") {
    check_step_places(HostTarget());
}
TEST_CASE("losses beside gradients of factors of fewer axes on the emulated device") {
    // Along which axes an operand lies is known before there is an executor.
    check_step_places<false>(EmulatedTarget());
}
