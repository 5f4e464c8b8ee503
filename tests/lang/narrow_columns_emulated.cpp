// SPDX-License-Identifier: Apache-2.0
//
// Middle axes of which few columns lie side by side, on the emulated device.
#include "lang/narrow_column_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("reductions over a middle axis beside few columns on the emulated device") {
    check_all_narrow_columns(EmulatedTarget{});
}
