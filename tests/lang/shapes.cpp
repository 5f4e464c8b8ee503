// SPDX-License-Identifier: Apache-2.0
//
// Ranks 0 to 6, strides of every kind, broadcasting: on the host and on the emulated device.
#include "lang/shape_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("maps of any rank, shape and stride", "", HostTarget, EmulatedTarget) {
    const TestType target;
    check_maps_of_rank<TestType, 0>(target);
    check_maps_of_rank<TestType, 1>(target);
    check_maps_of_rank<TestType, 2>(target);
    check_maps_of_rank<TestType, 3>(target);
    check_maps_of_rank<TestType, 4>(target);
    check_maps_of_rank<TestType, 5>(target);
    check_maps_of_rank<TestType, 6>(target);
}
