// SPDX-License-Identifier: Apache-2.0
//
// Scans on the emulated device: every kernel; long rows by blocks that look back over several groups of tiles, in three
// orders of threads.
#include "lang/scan_cases.hpp"
#include "lang/small_tiles.hpp"

using namespace fuse::testing;

namespace {

/// Elements of a group of 32 tiles of floats under small_tiles.
constexpr fuse::index_t group_items = 32 * 32 * 4 * fuse::lookback_vectors(4, 1, 16, 4, true);

}  // namespace

TEST_CASE("scans along rows, a middle axis and the first axis on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_scans<2, float>(target, scan_row_shapes(), Placement::row_major);
    check_scans<2, float>(target, {{5, 2, 100}, {10000, 1, 3}, {5, 1, 2050}}, Placement::padded);
    CHECK(record.saw("scan rows"));
    CHECK(record.saw("scan look-back"));
    CHECK(!record.saw("scan columns"));
    check_scans<1, float>(target, scan_column_shapes(), Placement::row_major);
    check_scans<0, float>(target, {{1, 1, 1}, {64, 3, 5}, {257, 2, 33}}, Placement::reversed);
    CHECK(record.saw("scan columns"));
}

TEST_CASE("scans of rows that begin between two vectors on the emulated device") {
    const EmulatedTarget target;
    check_odd_rows<float>(target, scan_odd_shapes());
    check_odd_rows<fuse::bfloat16>(target, scan_odd_shapes());
    LaunchRecord record;
    check_odd_rows<fuse::bfloat16>(small_tiles(record), {{3, 2055}, {40, 2057}, {2, 4001}});
    CHECK(record.saw("scan rows"));
}

TEST_CASE("a scan of any rank and stride on the emulated device") {
    const EmulatedTarget target;
    check_scan_of_rank<1, 0>(target, {{1}, {64}, {257}, {5000}});
    check_scan_of_rank<2, 1>(target, {{1, 1}, {2, 300}, {300, 3}, {65, 65}});
    check_scan_of_rank<4, 1>(target, {{2, 67, 1, 4}, {2, 5, 3, 7}});
    check_scan_of_rank<4, 3>(target, {{2, 1, 4, 67}, {3, 2, 5, 7}});
}

TEST_CASE("blocks look back over several groups of tiles") {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        INFO("order " << static_cast<int>(order));
        LaunchRecord record;
        const EmulatedTarget target = small_tiles(record, order);
        const std::vector<Extent> shapes{
            {1, 1, group_items}, {1, 1, group_items + 1}, {1, 1, 2 * group_items + 7001}, {3, 1, group_items + 2001}};
        check_scans<2, float>(target, shapes, Placement::row_major);
        CHECK(record.all().size() == 1);
        CHECK(record.saw("scan look-back"));
    }
}

TEST_CASE("scans keep the order of elements on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = small_tiles(record);
    check_scan_order<1>(target, {{1, 1}, {3, 65}, {100, 9}, {5, 2100}, {1, 2 * group_items + 1}});
    check_scan_order<0>(target, {{1, 1}, {65, 3}, {257, 40}, {9, 100}});
    CHECK(record.saw("scan rows"));
    CHECK(record.saw("scan look-back"));
    CHECK(record.saw("scan columns"));
}
