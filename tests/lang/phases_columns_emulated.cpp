// SPDX-License-Identifier: Apache-2.0
//
// Softmax and layer norm along a middle axis on the emulated device.
#include "lang/phase_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("several phases over a middle axis on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_softmax<0b010, float>(target, middle_shapes(), Placement::row_major, 2e-6);
    check_softmax<0b010, float>(target, middle_shapes(), Placement::reversed, 2e-6);
    check_layer_norm<0b010, float>(target, middle_shapes(), Placement::row_major, 2e-6);
    for (const int vectors : fuse::column_ladder) {
        INFO(vectors);
        CHECK(record.saw("columns resident " + std::to_string(vectors)));
    }
    CHECK(record.saw("columns swept"));
}
