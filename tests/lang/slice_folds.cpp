// SPDX-License-Identifier: Apache-2.0
//
// Folds of slices beside the whole array.
#include "lang/slice_fold_cases.hpp"

using namespace fuse::testing;

TEST_CASE("folds of slices beside the array") {
    check_slice_folds(HostTarget());
}
TEST_CASE("gradients of folds of slices") {
    check_gradients_of_slice_folds(HostTarget());
}
TEST_CASE("folds of slices beside the array on the emulated device") {
    check_slice_folds(EmulatedTarget());
}
