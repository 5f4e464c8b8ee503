// SPDX-License-Identifier: Apache-2.0
//
// Softmax and layer norm along rows on the emulated device: every kernel of the ladder.
#include "lang/phase_cases.hpp"
#include "lang/plane_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("several phases over rows on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_softmax<0b100, float>(target, row_shapes(), Placement::row_major, 2e-6);
    check_softmax<0b100, float>(target, row_shapes(), Placement::padded, 2e-6);
    check_layer_norm<0b100, float>(target, row_shapes(), Placement::transposed, 2e-6);
    for (const int vectors : fuse::resident_ladder) {
        INFO(vectors);
        CHECK(record.saw("rows resident " + std::to_string(vectors)));
    }
    CHECK(record.saw("rows peeled"));
    CHECK(record.saw("rows short"));
}

TEST_CASE("the order of threads does not change results") {
    for (const Order order : {Order::forward, Order::reverse}) {
        LaunchRecord record;
        const EmulatedTarget target{EmulatedExecutor(record, order)};
        check_softmax<0b100, float>(target, row_shapes(), Placement::row_major, 2e-6);
    }
}

TEST_CASE("planes beside what is the same along each of them, on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_planes<float>(target, {3, 8, 4, 16}, Placement::row_major);
    CHECK(record.saw("rows resident"));
    check_all_planes(target);
}
