// SPDX-License-Identifier: Apache-2.0
//
// Lookback on emulated blocks: all alive at once, and one after the other in any order.
#include "primitives/lookback_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"
#include "support/thread_sanitizer.hpp"

using namespace fuse::testing;
using fuse::index_t;

namespace {

using State = LookbackState<EmulatedRunner>;

constexpr std::uint64_t header(std::uint64_t launches) {
    return launches << 32;
}

/// Threads with a wrong prefix in one more launch.
unsigned count_wrong_in(State& state, unsigned threads, index_t tiles, std::uint64_t salt, bool together,
                        const EmulatedRunner& run = {Order::shuffled, 1}) {
    return count_wrong_prefixes<float, SumOf<float>, SmallValue>(
        state.launch<float, SumOf<float>, SmallValue>(run, threads, tiles, 1, salt, together), threads, tiles, salt);
}

}  // namespace

TEST_CASE("blocks that run at the same time learn what came before them") {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        if (under_thread_sanitizer && order != Order::shuffled) {
            continue;
        }
        for (unsigned seed = 1; seed <= (under_thread_sanitizer ? 1 : 3); ++seed) {
            const EmulatedRunner run{order, seed};
            INFO("order " << static_cast<int>(order) << ", seed " << seed);
            CHECK(count_wrong_lookbacks<Affine, ComposeAffine, AffineValue>(run, 8, 40, 1, true) == 0);
            CHECK(count_wrong_lookbacks<Matrix2, MultiplyMatrix, MatrixValue>(run, 4, 11, 3, true) == 0);
            CHECK(count_wrong_lookbacks<float, SumOf<float>, SmallValue>(run, 32, 40, 1, true) == 0);
            CHECK(count_wrong_lookbacks<Champion, FindChampion, ChampionValue>(run, 64, 20, 2, true) == 0);
        }
    }
}

TEST_CASE("messages of 4, 6, 8 and 24 bytes arrive whole") {
    for (const bool together : {false, true}) {
        for (const unsigned seed : {1U, 2U}) {
            const EmulatedRunner run{Order::shuffled, seed};
            INFO("together " << together << ", seed " << seed);
            CHECK(count_wrong_lookbacks<Line<std::uint16_t>, ComposeLine<std::uint16_t>, LineValue<std::uint16_t>>(
                      run, 7, 30, 1, together) == 0);
            CHECK(count_wrong_lookbacks<Triangle<std::uint16_t>, MultiplyTriangle<std::uint16_t>,
                                        TriangleValue<std::uint16_t>>(run, 6, 20, 2, together) == 0);
            CHECK(count_wrong_lookbacks<Line<std::uint32_t>, ComposeLine<std::uint32_t>, LineValue<std::uint32_t>>(
                      run, 32, 35, 1, together) == 0);
            CHECK(count_wrong_lookbacks<Triangle<std::uint64_t>, MultiplyTriangle<std::uint64_t>,
                                        TriangleValue<std::uint64_t>>(run, 8, 13, 3, together) == 0);
            CHECK(count_wrong_lookbacks<Triangle<std::uint64_t>, MultiplyTriangle<std::uint64_t>,
                                        TriangleValue<std::uint64_t>>(run, 1, 20, 2, together) == 0);
        }
    }
}

TEST_CASE("many tiles in several groups, block after block") {
    for (unsigned seed = 1; seed <= (under_thread_sanitizer ? 1 : 2); ++seed) {
        const EmulatedRunner run{Order::shuffled, seed};
        for (const index_t tiles : {1, 2, 31, 32, 33, 64, 65, 200}) {
            if (under_thread_sanitizer && tiles > 65) {
                continue;
            }
            INFO(tiles << " tiles");
            CHECK(count_wrong_lookbacks<Affine, ComposeAffine, AffineValue>(run, 32, tiles, 1, false) == 0);
            CHECK(count_wrong_lookbacks<Matrix2, MultiplyMatrix, MatrixValue>(run, 32, tiles, 3, false) == 0);
        }
        CHECK(count_wrong_lookbacks<float, SumOf<float>, SmallValue>(run, 33, 150, 2, false) == 0);
    }
}

TEST_CASE("columns look back each for itself") {
    for (const bool together : {false, true}) {
        const EmulatedRunner run{Order::shuffled, 4};
        CHECK(count_wrong_column_lookbacks<Affine, ComposeAffine, AffineValue>(run, Dim2{8, 4}, 10, 3, together) == 0);
        CHECK(count_wrong_column_lookbacks<Affine, ComposeAffine, AffineValue>(run, Dim2{1, 8}, 20, 2, together) == 0);
        CHECK(count_wrong_column_lookbacks<Matrix2, MultiplyMatrix, MatrixValue>(run, Dim2{32, 1}, 5, 1, together) ==
              0);
    }
}

TEST_CASE("take costs one barrier, publish and collect those of one fold") {
    // Of one fold, from those of a launch of `tiles` blocks: each takes once more than there are tiles for it.
    const auto barriers = [](unsigned threads) {
        constexpr index_t tiles = 5;
        std::vector<std::uint64_t> words(static_cast<std::size_t>(fuse::lookback_state_words(tiles, 1, threads, 1)));
        std::vector<float> out(tiles * threads);
        const LookbackKernel<float, SumOf<float>, SmallValue> kernel{
            words.data(), static_cast<index_t>(words.size()), tiles, 1, 1, out.data()};
        const std::size_t all =
            emulate(Dim2{tiles, 1}, Dim2{threads, 1}, 2 * fuse::Lookback<float>::scratch_bytes(threads, 1), kernel)
                .barriers;
        return (all - 2 * tiles) / tiles;
    };
    CHECK(barriers(1) == 0);
    CHECK(barriers(32) == 0);
    CHECK(barriers(64) == 2);
    CHECK(barriers(33) == 2);
}

TEST_CASE("the bits of a look-back do not depend on the order of blocks") {
    const auto run_with = [](Order order, unsigned seed, bool together) {
        State state(fuse::lookback_state_words(60, 1, 16, 1));
        return state.launch<float, SumOf<float>, FloatValue>(EmulatedRunner{order, seed}, 16, 60, 1, 5, together);
    };
    const std::vector<float> first = run_with(Order::forward, 1, false);
    for (const unsigned seed : {1U, 2U, 3U, 4U}) {
        CHECK(same_bits(run_with(Order::shuffled, seed, true), first));
        CHECK(same_bits(run_with(Order::shuffled, seed, false), first));
    }
    CHECK(same_bits(run_with(Order::reverse, 1, true), first));
}

TEST_CASE("words that a launch does not use are cleared, a part of them each time") {
    for (const std::uint64_t launched : {0ULL, 0xfffffffdULL}) {  // in the second, the tag runs over
        constexpr index_t words = fuse::lookback_state_words(3000, 1, 32, 1);
        constexpr auto used = static_cast<std::size_t>(fuse::lookback_state_words(2, 1, 32, 1));
        State state(words);
        for (std::size_t i = fuse::lookback_header_words; i < words; ++i) {
            state[i] = std::uint64_t{77} << 32 | 1;  // left behind by a launch long ago
        }
        state[0] = header(launched);
        const unsigned turn = words / 1024 + 1;  // one part may be passed over when the tag runs over
        for (unsigned launch = 0; launch < (launched == 0 ? turn : 2 * turn); ++launch) {
            CHECK(count_wrong_in(state, 32, 2, launch, true) == 0);
        }
        std::size_t left = 0;
        for (std::size_t i = used; i < words; ++i) {
            left += state[i] != 0;
        }
        CHECK(left == 0);
    }
}

TEST_CASE("a tag that comes back finds no message of its first use") {
    constexpr index_t tiles = 30;
    State state(fuse::lookback_state_words(tiles, 1, 8, 1));
    CHECK(count_wrong_in(state, 8, tiles, 1, true) == 0);  // tag 1
    state[0] = header(0xfffffffc);
    std::uint64_t salt = 2;
    while (state[0] != header(0)) {
        CHECK(count_wrong_in(state, 8, 1, salt++, true) == 0);
        REQUIRE(salt < 10);
    }
    CHECK(count_wrong_in(state, 8, tiles, salt, true) == 0);
    CHECK(state[0] == header(1));
}

TEST_CASE("a launch writes every word that it uses") {
    for (const index_t tiles : {1, 8, 16, 17, 30}) {
        INFO(tiles << " tiles");
        State state(fuse::lookback_state_words(tiles, 1, 8, 1));
        CHECK(count_wrong_in(state, 8, tiles, 1, true) == 0);
        for (std::size_t i = fuse::lookback_header_words; i < state.size(); ++i) {
            CHECK(state[i] >> 32 == 1);
        }
    }
}

TEST_CASE("words never written are not taken for messages when the tag runs over") {
    constexpr index_t tiles = 30;
    for (unsigned small = 0; small < 6; ++small) {
        INFO(small << " small launches before the large one");
        State state(fuse::lookback_state_words(tiles, 1, 8, 1));
        state[0] = header(0xfffffffc);
        for (unsigned launch = 0; launch < small; ++launch) {
            CHECK(count_wrong_in(state, 8, 1, launch, true) == 0);
        }
        CHECK(count_wrong_in(state, 8, tiles, small, true, EmulatedRunner{Order::reverse, 1}) == 0);
        CHECK(count_wrong_in(state, 8, tiles, small + 1, true) == 0);
    }
}
