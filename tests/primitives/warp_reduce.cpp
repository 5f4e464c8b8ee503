// SPDX-License-Identifier: Apache-2.0
//
// Warp-level folds on emulated blocks.
#include "primitives/warp_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("WarpReduce and WarpReduceDown fold segments of 1 to 32 lanes in order") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        CHECK(count_wrong_warp_folds(EmulatedRunner{order, 5}) == 0);
    }
}

TEST_CASE("WarpReduce and WarpReduceDown of integers, for every operation that hardware knows") {
    for (Order order : {Order::forward, Order::shuffled}) {
        CHECK(count_wrong_warp_integers(EmulatedRunner{order, 6}) == 0);
    }
}

TEST_CASE("the one-instruction fold is for 32-bit integers of the reduction's own kind") {
    STATIC_REQUIRE(detail::is_word_fold<SumReduction<std::int32_t, std::int32_t>, std::int32_t>);
    STATIC_REQUIRE(detail::is_word_fold<MaxReduction<std::uint32_t>, std::uint32_t>);
    STATIC_REQUIRE(detail::is_word_fold<AnyReduction<double>, std::uint32_t>);
    STATIC_REQUIRE(!detail::is_word_fold<MaxReduction<std::uint32_t>, std::int32_t>);
    STATIC_REQUIRE(!detail::is_word_fold<SumReduction<std::int32_t>, std::int64_t>);
    STATIC_REQUIRE(!detail::is_word_fold<MaxReduction<float>, float>);
    STATIC_REQUIRE(!detail::is_word_fold<MinReduction<std::int16_t>, std::int16_t>);
    STATIC_REQUIRE(!detail::is_word_fold<ProdReduction<std::int32_t, std::int32_t>, std::int32_t>);
    STATIC_REQUIRE(!detail::is_word_fold<SumOf<std::int32_t>, std::int32_t>);
}
