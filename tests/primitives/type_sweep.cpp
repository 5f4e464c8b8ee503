// SPDX-License-Identifier: Apache-2.0
//
// 8-bit floating point as storage and complex numbers as accumulators, on emulated blocks.
#include <algorithm>

#include "primitives/complex_warp_cases.hpp"
#include "primitives/float8_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/sweep.hpp"

using namespace fuse::testing;

TEMPLATE_TEST_CASE("8-bit floating point is read, reduced in float and written in vectors of 1 to 16", "", Float8<4>,
                   Float8<5>) {
    const auto check = in_turn([](const EmulatedRunner& run, Dim2 block) {
        CHECK(count_wrong_float8_tiles<TestType, typename TestType::Format>(run, block) == 0);
    });
    std::ranges::for_each(float8_shapes, check);
}

TEMPLATE_TEST_CASE("2-D tiles of 8-bit floating point are converted and rounded once", "", Float8<4>, Float8<5>) {
    CHECK(count_wrong_float8_tiles2d<TestType, typename TestType::Format>(EmulatedRunner{}) == 0);
}

TEMPLATE_TEST_CASE("folds, scans and batched folds carry complex numbers in order, for any block shape", "",
                   CollectivesAlongX, CollectivesAlongY, CollectivesOfBlock) {
    const auto check =
        in_turn([](const EmulatedRunner& run, Dim2 block) { CHECK(count_wrong_complex<TestType>(run, block) == 0); });
    std::ranges::for_each(batched_shapes, check);
}

TEST_CASE("warps fold, scan and scatter complex numbers in segments of 1 to 32 lanes") {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        CHECK(count_wrong_complex_warps(EmulatedRunner{order, 5}) == 0);
    }
}
