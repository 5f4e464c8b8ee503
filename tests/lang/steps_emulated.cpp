// SPDX-License-Identifier: Apache-2.0
//
// Statements that are done in several steps, on the emulated device: one launch, whose blocks meet between the levels.
#include "lang/step_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("several sets of axes in one launch on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    for (const Placement placement : {Placement::row_major, Placement::misaligned, Placement::transposed}) {
        check_steps_of_matrix<EmulatedTarget, float>(target, 37, 53, placement);
    }
    check_steps_of_matrix<EmulatedTarget, float>(target, 64, 64, Placement::row_major);
    check_steps_of_matrix<EmulatedTarget, float>(target, 3, 2000, Placement::row_major);
    check_steps_of_matrix<EmulatedTarget, float>(target, 1500, 2, Placement::row_major);
    check_steps_of_matrix<EmulatedTarget, float>(target, 1, 1, Placement::row_major);
    check_steps_after_rows(target, 130, 40);
    for (const Placement placement : {Placement::row_major, Placement::spaced}) {
        for (const Extent& extent : {Extent{1, 8}, Extent{2, 8}, Extent{3, 7}, Extent{32, 8}, Extent{33, 64}}) {
            check_steps_beside_rows(target, extent[0], extent[1], placement);
        }
    }
    check_steps_of_images(target, {3, 4, 5, 6});
    check_steps_of_other_ranks(target);
    check_columns_of_rows(target, 200, 32);
    CHECK(record.all() == std::set<std::string>{"steps 1"});
}
