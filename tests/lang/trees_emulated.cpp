// SPDX-License-Identifier: Apache-2.0
//
// Random expression trees on the emulated device. The seed of the data is printed when a tree fails.
#include <random>

#include "lang/tree_cases.hpp"
#include "support/targets.hpp"

using namespace fuse::testing;

TEST_CASE("random trees on the emulated device") {
    const std::vector<Extent> shapes{{1, 1}, {5, 7}, {3, 68}, {40, 9}, {66, 12}};
    tree::check_trees<4, 300>(EmulatedTarget{}, shapes, std::random_device{}(),
                              std::make_integer_sequence<unsigned, 9>{});
}
