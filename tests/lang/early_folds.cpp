// SPDX-License-Identifier: Apache-2.0
//
// Outputs per element that are written where columns and rows are folded, on the host and on the emulated device.
#include "lang/early_fold_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("outputs that folds along some axes write on their way, on the host") {
    check_early_folds(HostTarget{}, {{1, 1, 1}, {2, 0, 3}, {2, 5, 16}, {3, 70, 65}, {1, 301, 4}, {40, 3, 130}});
}

TEST_CASE("outputs that folds along some axes write on their way, on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_early_folds(target, {{1, 1, 1}, {2, 0, 3}, {2, 5, 16}, {3, 70, 33}, {1, 301, 4}});
    check_early_folds_along<0b010>(target, {{1, 6001, 5}, {1, 9000, 12}});
    check_early_folds_along<0b101>(target, {{67, 1, 971}});
    for (const Placement placement : {Placement::row_major, Placement::misaligned}) {
        LaunchRecord long_rows;
        const EmulatedTarget of_long_rows{EmulatedExecutor(long_rows)};
        check_gradient_beside_bias<0b100, float>(of_long_rows, {1, 2, 60001}, placement);
        check_early_of_two_phases<0b100>(of_long_rows, {1, 3, 40003}, placement);
        check_exchange_beside_folds<0b100, fuse::bfloat16>(of_long_rows, {1, 2, 90001}, placement);
        CHECK(long_rows.saw("rows swept"));
    }
    for (const char* name : {"columns swept", "columns shared", "columns resident 4", "rows swept", "grid"}) {
        INFO(name);
        CHECK(record.saw(name));
    }
}

TEST_CASE("outputs that lines of several rows write on their way, on the emulated device") {
    LaunchRecord record;
    fuse::Policy policy = small_policy;
    policy.joined_column_items = 1;
    const EmulatedTarget target{EmulatedExecutor(record).with(policy)};
    check_early_folds_along<0b010>(target, {{1, 4201, 30}, {65, 13, 5}, {1, 4003, 3}, {1, 1001, 5}, {1, 105, 250}});
    CHECK(record.saw("joined columns"));
    CHECK(record.saw("joined columns shared"));
}
