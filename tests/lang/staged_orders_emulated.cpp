// SPDX-License-Identifier: Apache-2.0
//
// Rows in the shared memory of a cluster of emulated blocks, in other orders of threads.
#include "lang/staged_row_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("the order of threads does not change staged rows") {
    for (const Order order : {Order::forward, Order::reverse}) {
        LaunchRecord record;
        const EmulatedTarget target{EmulatedExecutor(record, order)};
        check_softmax_of_sum<float>(target, {1, 3, 5000}, Placement::row_major, 1e-5);
        CHECK(record.all() == std::set<std::string>{"rows staged 2 in clusters of 4"});
    }
}
