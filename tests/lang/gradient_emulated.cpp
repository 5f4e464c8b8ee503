// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of norms and broadcasts on the emulated device.
#include "lang/gradient_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("gradients on the emulated device") {
    const EmulatedTarget target;
    check_gradients_of_norms(target, {5, 7});
    check_gradients_of_broadcasts(target, {9, 33});
}
