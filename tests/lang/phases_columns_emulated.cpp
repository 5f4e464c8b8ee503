// SPDX-License-Identifier: Apache-2.0
//
// Reductions along columns, and softmax and layer norm along a middle axis, on the emulated device.
#include "lang/column_cases.hpp"
#include "lang/phase_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("several phases over a middle axis on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_softmax<0b010, float>(target, middle_shapes(), Placement::row_major, 2e-6);
    check_softmax<0b010, float>(target, middle_shapes(), Placement::reversed, 2e-6);
    check_layer_norm<0b010, float>(target, middle_shapes(), Placement::row_major, 2e-6);
    for (const int vectors : {fuse::column_ladder[0], fuse::column_ladder[1], fuse::single_column_elements}) {
        INFO(vectors);
        CHECK(record.saw("columns resident " + std::to_string(vectors)));
    }
    check_long_columns(target, 6000, 5);
    CHECK(record.saw("columns swept"));
    CHECK(record.saw("columns shared"));
}

TEST_CASE("softmax of 16-bit numbers along a middle axis on the emulated device") {
    check_softmax<0b010, fuse::bfloat16>(EmulatedTarget{}, {{2, 5, 16}, {1, 1030, 49}, {2, 70, 65}, {1, 5000, 20}},
                                         Placement::row_major, 4e-3);
}

TEST_CASE("reductions along columns on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_columns<float>(target, column_shapes());
    check_columns<fuse::bfloat16>(target, column_shapes());
    CHECK(record.saw("column split"));
    CHECK(record.saw("columns swept"));
}
