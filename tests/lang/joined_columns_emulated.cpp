// SPDX-License-Identifier: Apache-2.0
//
// Columns whose rows are joined to lines, on the emulated device.
#include "lang/joined_column_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("columns of few elements a row on the emulated device") {
    LaunchRecord record;
    fuse::Policy policy = small_policy;
    policy.joined_column_items = 1;
    for (const unsigned clustered : {1U, 4U}) {
        fuse::Device device = small_device;
        device.cluster_blocks = clustered;
        const EmulatedTarget target{EmulatedExecutor(record).with(device).with(policy)};
        check_all_joined_columns(target, {{1, 17001, 1},
                                          {1, 16421, 3},
                                          {1, 4200, 30},
                                          {65, 12, 5},
                                          {1, 1009, 2},
                                          {1, 603, 3},
                                          {3, 560, 3},
                                          {2, 9, 4},
                                          {1, 1001, 5},
                                          {1, 16, 7},
                                          {1, 1, 3},
                                          {1, 240, 30},
                                          {4, 120, 67},
                                          {1, 105, 250}});
    }
    CHECK(record.saw("joined columns"));
    CHECK(record.saw("joined columns clustered"));
    CHECK(record.saw("joined columns shared"));
}
