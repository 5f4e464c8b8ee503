// SPDX-License-Identifier: Apache-2.0
//
// Short rows on the emulated device, in three orders of threads.
#include "lang/short_row_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("short rows on the emulated device") {
    LaunchRecord record;
    check_short_rows(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.saw("rows short"));
    CHECK(record.saw("rows resident"));
}

TEST_CASE("rows under masks on the emulated device") {
    LaunchRecord record;
    check_rows_under_masks(EmulatedTarget{EmulatedExecutor(record)});
    CHECK(record.saw("rows short"));
    CHECK(record.saw("rows peeled"));
}

TEST_CASE("the order of threads does not change short rows") {
    for (const Order order : {Order::forward, Order::reverse}) {
        LaunchRecord record;
        const EmulatedTarget target{EmulatedExecutor(record, order)};
        check_softmax<0b100, float>(target, {{2, 75, 5}}, Placement::row_major, 2e-6);
        CHECK(record.all() == std::set<std::string>{"rows short 16"});
    }
}

TEST_CASE("rows of whole vectors are short rows where operands begin inside a word") {
    LaunchRecord record;
    check_misaligned_rows(EmulatedTarget{EmulatedExecutor(record)}, {{1, 1, 16}, {2, 75, 8}, {3, 129, 16}});
    CHECK(record.all() == std::set<std::string>{"rows short 16"});
}
