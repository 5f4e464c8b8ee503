// SPDX-License-Identifier: Apache-2.0
//
// Linear recurrences on the host and on the emulated device: rows, long rows, columns, from both ends.
#include "lang/recurrence_cases.hpp"
#include "lang/small_tiles.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

TEST_CASE("linear recurrences on the host") {
    const HostTarget target;
    check_recurrences_of_rows(target, {{1, 1}, {3, 65}, {2, 1000}, {1, 30000}});
    check_recurrences_of_rows_from_the_end(target, {{3, 65}, {2, 1000}});
    check_recurrences_of_columns(target, {{65, 3}, {1000, 2}, {20001, 1}});
    check_recurrences_of_columns_from_the_end(target, {{65, 3}, {1000, 40}});
}

TEST_CASE("linear recurrences on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = small_tiles(record);
    check_recurrences_of_rows(target, {{3, 65}, {2, 1000}, {1, 9000}});
    check_recurrences_of_rows_from_the_end(target, {{2, 1000}});
    check_recurrences_of_columns(target, {{65, 3}, {1000, 2}});
    check_recurrences_of_columns_from_the_end(target, {{257, 40}});
}
