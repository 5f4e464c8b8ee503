// SPDX-License-Identifier: Apache-2.0
//
// Sort, its comparators and GetLastPow2 on emulated blocks and on the host.
#include "fuse/primitives/thread/last_pow2.hpp"
#include "primitives/sort_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

std::size_t barriers(Dim2 block, unsigned num) {
    std::vector<int> keys(num);
    return emulate({}, block, 0, [&keys, num](EmulatedBlock& b) { Sort(b, keys.data(), num); }).barriers;
}

}  // namespace

TEST_CASE("Sort orders any number of keys with any block, and is stable with indices") {
    unsigned seed = 0;
    for (Dim2 block : sort_shapes) {
        for (unsigned num : sort_nums) {
            const EmulatedRunner run{static_cast<Order>(seed % 3), seed};
            const Keys kind = all_keys[seed % 6];
            INFO("block " << block.x << " x " << block.y << ", num " << num << ", keys " << static_cast<int>(kind));
            CHECK(count_wrong_keys<float>(run, block, num, kind) == 0);
            CHECK(count_wrong_keys<float>(run, block, num, Keys::special) == 0);
            ++seed;
        }
    }
}

TEST_CASE("Sort needs neither a power of two nor a thread for every key") {
    for (unsigned num = 0; num <= 70; ++num) {
        for (Keys kind : all_keys) {
            INFO("num " << num << ", keys " << static_cast<int>(kind));
            CHECK(count_wrong_keys<float>(EmulatedRunner{}, Dim2{7, 3}, num, kind) == 0);
        }
    }
}

TEST_CASE("Sort of keys of any type") {
    for (Keys kind : all_keys) {
        INFO("keys " << static_cast<int>(kind));
        CHECK(count_wrong_key_types(EmulatedRunner{Order::shuffled, 4}, Dim2{33, 2}, 257, kind) == 0);
    }
}

TEST_CASE("Sort sorts every sequence of zeros and ones") {
    // By the zero-one principle a network that does so sorts all keys.
    unsigned wrong = 0;
    HostBlock block(0, 0, 1, 1, nullptr, 0);
    for (unsigned num = 0; num <= 13; ++num) {
        for (unsigned bits = 0; bits < 1u << num; ++bits) {
            std::vector<int> keys(num);
            for (unsigned i = 0; i < num; ++i) {
                keys[i] = static_cast<int>(bits >> i & 1);
            }
            Sort(block, keys.data(), num);
            wrong += !std::is_sorted(keys.begin(), keys.end());
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("Sort has a barrier before its L (L + 1) / 2 steps and one after each") {
    CHECK(barriers(Dim2{32, 1}, 0) == 1);
    CHECK(barriers(Dim2{32, 1}, 1) == 1);
    CHECK(barriers(Dim2{32, 1}, 2) == 2);
    CHECK(barriers(Dim2{32, 1}, 3) == 4);
    CHECK(barriers(Dim2{7, 3}, 1000) == 56);
    CHECK(barriers(Dim2{7, 3}, 1024) == 56);
    CHECK(barriers(Dim2{7, 3}, 1025) == 67);
}

TEST_CASE("Sort by an order of the caller") {
    HostBlock block(0, 0, 1, 1, nullptr, 0);
    int keys[] = {5, 2, 9, 4, 7, 6};
    const auto even_first = [](int a, int b) { return a % 2 != b % 2 ? a % 2 == 0 : a < b; };
    Sort(block, keys, 6, even_first);
    const int expected[] = {2, 4, 6, 5, 7, 9};
    CHECK(std::equal(keys, keys + 6, expected));
}

TEST_CASE("Comparator puts NaN last in both directions; ComparatorWithIndex breaks ties") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr Comparator<> up{};
    constexpr Comparator<Descending> down{};
    STATIC_REQUIRE((up(1, 2) && !up(2, 1) && !up(1, 1)));
    STATIC_REQUIRE((down(2, 1) && !down(1, 2) && !down(1, 1)));
    STATIC_REQUIRE((up(infinity, nan) && !up(nan, -infinity) && !up(nan, nan)));
    STATIC_REQUIRE((down(-infinity, nan) && !down(nan, infinity) && !down(nan, nan)));
    STATIC_REQUIRE((!up(-0.0, 0.0) && !up(0.0, -0.0)));
    CHECK((up(float16(1), float16(nan)) && !up(bfloat16(nan), bfloat16(1))));

    constexpr ComparatorWithIndex<> pairs{};
    STATIC_REQUIRE((pairs(1, 9, 2, 0) && !pairs(2, 0, 1, 9)));
    STATIC_REQUIRE((pairs(1, 0, 1, 1) && !pairs(1, 1, 1, 0) && !pairs(1, 1, 1, 1)));
    STATIC_REQUIRE((pairs(nan, 0, nan, 1) && !pairs(nan, 1, nan, 0)));

    int a = 1;
    int b = 2;
    Swap(a, b);
    CHECK((a == 2 && b == 1));
}

TEMPLATE_TEST_CASE("GetLastPow2 is exact over the whole range", "", std::uint8_t, std::int16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t) {
    CHECK(GetLastPow2(TestType(0)) == 0);
    constexpr int bits = std::numeric_limits<TestType>::digits;
    for (int k = 0; k < bits; ++k) {
        const auto power = static_cast<TestType>(TestType(1) << k);
        const auto next = static_cast<TestType>(power - 1 + power);
        CHECK(GetLastPow2(power) == power);
        CHECK(GetLastPow2(next) == power);
        CHECK(GetLastPow2(static_cast<TestType>(power - 1)) ==
              (k == 0 ? TestType(0) : static_cast<TestType>(power / 2)));
    }
    if constexpr (std::is_signed_v<TestType>) {
        CHECK(GetLastPow2(TestType(-5)) == 0);
    }
}
