// SPDX-License-Identifier: Apache-2.0
//
// Exponentials shifted by a maximum that is found in the same sweep: rows in registers, in shared memory and swept, on
// the emulated device.
#include "lang/online_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("maxima and the sums they shift on the emulated device") {
    LaunchRecord record;
    check_online_rows(EmulatedTarget{EmulatedExecutor(record)}, {1, 3, 33, 250, 1024, 4500, 8192});
    for (const char* kernel : {"rows resident", "rows peeled", "rows staged", "rows swept"}) {
        INFO(kernel);
        CHECK(record.saw(kernel));
    }
}

TEST_CASE("the order of threads does not change them") {
    for (const Order order : {Order::forward, Order::reverse}) {
        LaunchRecord record;
        check_online<float>(EmulatedTarget{EmulatedExecutor(record, order)}, 700, Placement::row_major, 5e-6);
    }
}
