// SPDX-License-Identifier: Apache-2.0
//
// Folds over arrays of different extents in one launch of the emulated device.
#include "lang/several_spaces_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("scalars of arrays of different extents on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_sums_of_two<EmulatedTarget, float>(target, 3, 5000);
    check_sums_of_two<EmulatedTarget, float>(target, 700, 1);
    check_total_variation<EmulatedTarget, float>(target, 37, 50);
    check_norm_of_differences<EmulatedTarget, float>(target, 3000);
    check_training_of_two_models<EmulatedTarget, float>(target, {70, 32}, {300, 5});
    CHECK(record.all() == std::set<std::string>{"steps 1"});
}
