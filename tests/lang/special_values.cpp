// SPDX-License-Identifier: Apache-2.0
//
// NaN, infinities, ties and empty reductions on the host and on the emulated device.
#include "lang/special_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEMPLATE_TEST_CASE("NaN, infinities and ties in extrema", "", HostTarget, EmulatedTarget) {
    check_special_extrema(TestType{});
    check_ties(TestType{});
    check_ties_in_rows(TestType{});
}

TEMPLATE_TEST_CASE("NaN and infinities in sums, counts and norms", "", HostTarget, EmulatedTarget) {
    check_special_sums(TestType{});
}

TEMPLATE_TEST_CASE("reductions of no elements", "", HostTarget, EmulatedTarget) {
    check_empty(TestType{});
}
