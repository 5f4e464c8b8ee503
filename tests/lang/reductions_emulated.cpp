// SPDX-License-Identifier: Apache-2.0
//
// The reduction ops of the op table on the emulated device.
#include "lang/op_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("every reduction op over columns on the emulated device") {
    check_all_reductions<0, float>(EmulatedTarget{});
}
