// SPDX-License-Identifier: Apache-2.0
//
// Scans of short rows on the host and on the emulated device.
#include "lang/short_scan_cases.hpp"

#include "support/emulated_executor.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("scans of short rows on the host") {
    check_short_scans(HostTarget());
}

TEST_CASE("scans of short rows on the emulated device") {
    LaunchRecord record;
    check_short_scans(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.saw("scan short"));
    CHECK(record.saw("scan rows"));
}
