// SPDX-License-Identifier: Apache-2.0
//
// Variances in one sweep on the emulated device.
#include "lang/deviation_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("variances in one sweep on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_all_deviations<float>(target, {1, 3, 70, 1000, 40001}, 1e-5);
    check_all_deviations<fuse::bfloat16>(target, {33, 5000}, 1e-5);
    for (const char* kernel : {"split", "column split", "columns swept"}) {
        INFO(kernel);
        CHECK(record.saw(kernel));
    }
}
