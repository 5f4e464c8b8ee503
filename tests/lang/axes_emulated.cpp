// SPDX-License-Identifier: Apache-2.0
//
// All subsets of axes of rank 3, and interleaved axes of higher ranks, on the emulated device.
#include "lang/axes_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

namespace {

const std::vector<Placement> some{Placement::row_major, Placement::padded, Placement::transposed, Placement::reversed};

}  // namespace

TEST_CASE("all subsets of axes of rank 3 on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_all_axes<EmulatedTarget, 3>(
        target, {{2, 3, 5}, {1, 9, 1}, {3, 2, 68}, {68, 3, 2}, {2, 80, 9}, {7, 5, 31}, {300, 3, 2}}, some);
    check_axes<EmulatedTarget, 3, 0b100>(target, {{6, 1, 12}, {3, 2, 256}, {2, 3, 900}, {2, 3, 8195}}, some);
    CHECK(record.saw("split"));
    CHECK(record.saw("column split"));
    CHECK(record.saw("columns swept"));
    CHECK(record.saw("rows short"));
    CHECK(record.saw("rows resident"));
    CHECK(record.saw("rows peeled"));
}

TEST_CASE("interleaved axes of rank 4 on the emulated device") {
    const EmulatedTarget target;
    check_axes<EmulatedTarget, 4, 0b1010>(target, {{2, 3, 5, 4}, {3, 2, 1, 36}}, some);
    check_axes<EmulatedTarget, 4, 0b0101>(target, {{2, 3, 5, 4}, {8, 2, 7, 9}}, some);
}

TEST_CASE("all subsets of axes of operands that have one axis less than their kernel, on the emulated device") {
    const EmulatedTarget target;
    check_axes_beside_more<EmulatedTarget, 2>(target, {5, 36});
}
