// SPDX-License-Identifier: Apache-2.0
//
// Epilogue reductions on the host and on the emulated device.
#include "lang/loss_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("cross entropy, its mean and its gradient from one kernel", "", HostTarget, EmulatedTarget) {
    check_cross_entropy(TestType{}, {{1, 1}, {3, 10}, {33, 7}, {200, 64}, {5, 1000}, {1, 515}, {3, 8195}});
}

TEMPLATE_TEST_CASE("an epilogue over all elements", "", HostTarget, EmulatedTarget) {
    check_item_epilogue(TestType{}, {{1, 1}, {3, 10}, {77, 36}, {4, 1001}, {2, 8195}});
}
