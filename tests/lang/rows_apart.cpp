// SPDX-License-Identifier: Apache-2.0
//
// Rows of matrices beside arrays of more axes and of other lengths.
#include "lang/rows_apart_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("rows of matrices beside arrays of other lengths") {
    check_rows_apart(HostTarget());
}
TEST_CASE("rows of matrices beside arrays of other lengths on the emulated device") {
    check_rows_apart(EmulatedTarget());
}
