// SPDX-License-Identifier: Apache-2.0
//
// Reductions of three axes beside operands that are stretched along any of them.
#include "lang/stretched_fold_cases.hpp"

#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("reductions beside stretched operands") {
    check_stretched_folds(HostTarget());
}
TEST_CASE("reductions beside stretched operands on the emulated device") {
    check_stretched_folds(EmulatedTarget());
}
