// SPDX-License-Identifier: Apache-2.0
//
// Lookback on emulated blocks: all alive at once, and one after the other in any order.
#include "emulated/runner.hpp"
#include "primitives/lookback_cases.hpp"
#include "support/catch.hpp"

using namespace fuse::testing;
using fuse::index_t;

TEST_CASE("blocks that run at the same time learn what came before them") {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (const unsigned seed : {1U, 2U, 3U}) {
            const EmulatedRunner run{order, seed};
            CHECK(count_wrong_lookbacks<Affine, ComposeAffine, AffineValue>(run, 8, 40, 1, true) == 0);
            CHECK(count_wrong_lookbacks<Matrix2, MultiplyMatrix, MatrixValue>(run, 4, 11, 3, true) == 0);
            CHECK(count_wrong_lookbacks<float, SumOf<float>, SmallValue>(run, 32, 40, 1, true) == 0);
        }
    }
}

TEST_CASE("many tiles in several groups, block after block") {
    for (const unsigned seed : {1U, 2U}) {
        const EmulatedRunner run{Order::shuffled, seed};
        for (const index_t tiles : {1, 2, 31, 32, 33, 64, 65, 200}) {
            INFO(tiles << " tiles");
            CHECK(count_wrong_lookbacks<Affine, ComposeAffine, AffineValue>(run, 32, tiles, 1, false) == 0);
            CHECK(count_wrong_lookbacks<Matrix2, MultiplyMatrix, MatrixValue>(run, 32, tiles, 3, false) == 0);
        }
        CHECK(count_wrong_lookbacks<float, SumOf<float>, SmallValue>(run, 33, 150, 2, false) == 0);
    }
}

TEST_CASE("the bits of a look-back do not depend on the order of blocks") {
    const auto run_with = [](Order order, unsigned seed, bool together) {
        LookbackState<EmulatedRunner> state(fuse::lookback_state_words(60, 1, 16, 1));
        return state.launch<float, SumOf<float>, FloatValue>(EmulatedRunner{order, seed}, 16, 60, 1, 5, together);
    };
    const std::vector<float> first = run_with(Order::forward, 1, false);
    for (const unsigned seed : {1U, 2U, 3U, 4U}) {
        CHECK(run_with(Order::shuffled, seed, true) == first);
        CHECK(run_with(Order::shuffled, seed, false) == first);
    }
    CHECK(run_with(Order::reverse, 1, true) == first);
}

TEST_CASE("a tag that comes back finds no message of its first use") {
    constexpr index_t words = fuse::lookback_state_words(3000, 1, 32, 1);
    LookbackState<EmulatedRunner> state(words);
    for (std::size_t i = fuse::lookback_header_words; i < static_cast<std::size_t>(words); ++i) {
        state[i] = std::uint64_t{77} << 32 | 1;  // left behind by a launch long ago
    }
    state[0] = std::uint64_t{0xfffffffe} << 32;
    const EmulatedRunner run{Order::shuffled, 1};
    const index_t small = 2;
    for (unsigned launch = 0; launch < 5; ++launch) {  // the tag runs over
        const auto out = state.launch<float, SumOf<float>, SmallValue>(run, 32, small, 1, launch, true);
        CHECK((count_wrong_prefixes<float, SumOf<float>, SmallValue>(out, small, launch)) == 0);
    }
    unsigned left = 0;
    for (auto i = static_cast<std::size_t>(fuse::lookback_state_words(small, 1, 32, 1)); i < words; ++i) {
        left += state[i] != 0;
    }
    CHECK(left == 0);
}
