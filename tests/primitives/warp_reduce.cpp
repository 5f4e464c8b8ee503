// SPDX-License-Identifier: Apache-2.0
//
// Warp-level folds on emulated blocks.
#include "emulated/runner.hpp"
#include "primitives/warp_cases.hpp"
#include "support/catch.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("WarpReduce and WarpReduceDown fold segments of 1 to 32 lanes in order") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        CHECK(count_wrong_warp_folds(EmulatedRunner{order, 5}) == 0);
    }
}
