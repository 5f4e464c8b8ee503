// SPDX-License-Identifier: Apache-2.0
//
// Steps of training in place, on the emulated device: one launch, in which parameters are written behind a barrier.
#include "lang/training_cases.hpp"
#include "support/targets.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("all parameters of one loss are trained in one launch on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target{EmulatedExecutor(record)};
    check_training_of_regression<EmulatedTarget, float>(target, 300, 8, true);
    check_training_of_regression<EmulatedTarget, float>(target, 20, 64, false);
    check_training_of_everything<EmulatedTarget, float>(target, 70, 64);
    check_training_of_everything<EmulatedTarget, float>(target, 500, 3);
    check_training_of_layer_norm<EmulatedTarget, float>(target, 70, 32);
    CHECK(record.all() == std::set<std::string>{"steps 1"});
}
