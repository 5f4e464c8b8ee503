// SPDX-License-Identifier: Apache-2.0
//
// What surrounds scans, on the emulated device: maps, other outputs, special values, element types, aliasing. Tiles are
// small, so that every kernel takes part.
#include "lang/scan_map_cases.hpp"
#include "lang/small_tiles.hpp"

using namespace fuse::testing;

TEST_CASE("discounted sums on the emulated device") {
    LaunchRecord record;
    check_discounted<1, float>(small_tiles(record), {{1, 1}, {3, 64}, {2, 1000}, {1, 30000}}, 3e-6);
    check_discounted<0, float>(small_tiles(record), {{1, 1}, {64, 3}, {1000, 20}}, 3e-6);
}

TEST_CASE("maps around scans and outputs beside them on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = small_tiles(record);
    check_scans_with_maps(target, {{1, 1}, {3, 65}, {2, 1000}, {300, 7}, {1, 4097}});
    check_column_scans_with_maps(target, {{1, 1}, {65, 3}, {1000, 2}, {7, 300}, {9001, 37}, {40000, 1}});
    check_special_scans(target, {{4, 1}, {4, 64}, {4, 257}, {2, 5000}});
    check_scan_in_place<1>(target, {{3, 65}, {1, 5000}});
    check_scan_in_place<0>(target, {{65, 3}, {1000, 40}});
    check_empty_scans(target);
    CHECK(record.saw("scan rows"));
    CHECK(record.saw("scan look-back"));
    CHECK(record.saw("scan columns"));
    CHECK(record.saw("scan columns shared"));
}

TEMPLATE_TEST_CASE("scans of element types on the emulated device", "", std::int32_t, std::uint8_t, bool, fuse::float16,
                   fuse::bfloat16, double) {
    LaunchRecord record;
    const EmulatedTarget target = small_tiles(record);
    check_scans_of_type<TestType, 1>(target, {{1, 1}, {3, 67}, {80, 16}, {2, 7000}});
    check_scans_of_type<TestType, 0>(target, {{67, 3}, {130, 70}});
    CHECK(record.saw("scan look-back"));
}
