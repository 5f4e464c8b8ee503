// SPDX-License-Identifier: Apache-2.0
//
// Maps of operands with fewer axes on the emulated device and on the host.
#include "lang/broadcast_map_cases.hpp"
#include "lang/cycle_map_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("maps of operands with fewer axes on the emulated device") {
    LaunchRecord record;
    check_broadcast_maps(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.saw("map"));
}

TEST_CASE("maps beside numbers of innermost channels on the emulated device") {
    LaunchRecord record;
    check_cycle_maps(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.saw("map"));
}

TEST_CASE("maps of operands with fewer axes on the host") {
    check_broadcast_maps(HostTarget{});
    check_cycle_maps(HostTarget{});
}
