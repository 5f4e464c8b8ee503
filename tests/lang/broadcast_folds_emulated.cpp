// SPDX-License-Identifier: Apache-2.0
//
// Folds of everything of operands with fewer axes on the emulated device and on the host.
#include "lang/broadcast_fold_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("folds of operands with fewer axes on the emulated device") {
    LaunchRecord record;
    check_broadcast_folds(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.saw("split"));
    CHECK(record.saw("split in runs"));
}

TEST_CASE("folds of operands with fewer axes on the host") {
    check_broadcast_folds(HostTarget{});
}
