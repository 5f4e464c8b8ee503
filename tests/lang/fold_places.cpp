// SPDX-License-Identifier: Apache-2.0
//
// Reductions of matrices beside arrays of more axes.
#include "lang/fold_place_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("reductions of matrices beside products of them") {
    check_fold_places(HostTarget());
}
TEST_CASE("reductions of matrices beside products of them on the emulated device") {
    check_fold_places(EmulatedTarget());
}
