// SPDX-License-Identifier: Apache-2.0
//
// Softmax over everything (blocks of a grid wait for each other) and over separated axes, on the emulated device.
#include "lang/early_output_cases.hpp"
#include "lang/phase_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("several phases over everything on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_softmax<0b111, float>(target, full_shapes(), Placement::row_major, 2e-6);
    check_softmax<0b111, float>(target, full_shapes(), Placement::padded, 2e-6);
    check_layer_norm<0b111, float>(target, full_shapes(), Placement::row_major, 2e-6);
    CHECK(record.saw("grid"));
}

TEST_CASE("several phases over separated axes on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_softmax<0b101, float>(target, full_shapes(), Placement::row_major, 2e-6);
    CHECK(!record.saw("grid"));
    check_softmax<0b101, float>(target, {{40, 3, 130}, {41, 2, 128}, {67, 3, 71}}, Placement::row_major, 2e-6);
    check_layer_norm<0b101, float>(target, {{40, 3, 130}, {67, 1, 71}, {67, 1, 971}}, Placement::padded, 2e-6);
    CHECK(record.saw("grid"));  // few long rows, which blocks share
}

TEST_CASE("outputs per element that a full reduction writes on its way, on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_early_outputs(target, {{1, 1}, {0, 5}, {1, 7}, {3, 64}, {33, 37}, {130, 129}});
    CHECK(record.saw("grid"));
}
