// SPDX-License-Identifier: Apache-2.0
//
// Coordinates compared with numbers on the emulated device.
#include "lang/position_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("coordinates compared with numbers on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_all_positions(target, {1, 5, 8, 24, 31, 64, 256, 1000, 1024, 1027, 20000, 24576});
    for (const char* kernel : {"rows resident", "rows peeled", "rows staged"}) {
        INFO(kernel);
        CHECK(record.saw(kernel));
    }
}
