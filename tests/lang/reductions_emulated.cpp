// SPDX-License-Identifier: Apache-2.0
//
// The reduction ops of the op table on the emulated device.
#include "lang/op_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("every reduction op over columns on the emulated device") {
    const EmulatedTarget target;
    for_each_reduction_record(ReductionOps<float, 0, EmulatedTarget>{target});
}
