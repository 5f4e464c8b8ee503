// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of scans, extrema and reductions by ops of the user on the emulated device.
#include "lang/gradient_fold_cases.hpp"
#include "lang/gradient_scan_cases.hpp"
#include "lang/small_tiles.hpp"

using namespace fuse::testing;

TEST_CASE("gradients of scans and folds on the emulated device") {
    LaunchRecord record;
    const EmulatedTarget target = small_tiles(record);
    check_gradients_of_scans(target, {3, 70});
    check_gradients_of_recurrences(target, {3, 70});
    check_gradients_of_extrema(target, {5, 33});
    check_gradients_of_user_folds(target, {5, 33});
}
