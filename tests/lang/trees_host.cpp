// SPDX-License-Identifier: Apache-2.0
//
// 16 random expression trees of depth 3 on the host. The seed of the data is printed when a tree fails.
#include <random>

#include "lang/tree_cases.hpp"
#include "support/host_target.hpp"

using namespace fuse::testing;

namespace {

const std::vector<Extent> shapes{{1, 1}, {5, 7}, {3, 70}, {40, 9}};

}  // namespace

TEST_CASE("random trees of depth 3 on the host") {
    tree::check_trees<3, 100>(HostTarget{}, shapes, std::random_device{}(), std::make_integer_sequence<unsigned, 16>{});
}
