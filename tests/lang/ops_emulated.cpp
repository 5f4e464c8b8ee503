// SPDX-License-Identifier: Apache-2.0
//
// The functors of the op table on the emulated device.
#include "lang/op_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("every functor of double on the emulated device") {
    check_functors<double>(EmulatedTarget{});
}
