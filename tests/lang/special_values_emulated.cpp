// SPDX-License-Identifier: Apache-2.0
//
// NaN, infinities and ties on the emulated device; reductions of no elements, also on the host.
#include "lang/special_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("NaN, infinities and ties in extrema on the emulated device") {
    check_special_extrema(EmulatedTarget());
    check_ties(EmulatedTarget());
    check_ties_in_rows(EmulatedTarget());
}

TEST_CASE("NaN and infinities in sums, counts and norms on the emulated device") {
    check_special_sums(EmulatedTarget());
}

TEMPLATE_TEST_CASE("reductions of no elements", "", HostTarget, EmulatedTarget) {
    check_empty(TestType{});
}
