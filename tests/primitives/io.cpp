// SPDX-License-Identifier: Apache-2.0
//
// ReadData, WriteData, ReadDataBc, Init and Elementwise on emulated blocks and on the host.
#include <cstring>

#include "primitives/io_cases.hpp"
#include "primitives/path_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("ReadData and WriteData move every count of items, aligned or not, and touch no other") {
    CHECK(count_wrong_tiles(EmulatedRunner{}) == 0);
    CHECK(count_wrong_tiles(EmulatedRunner{Order::shuffled, 2}) == 0);
}

TEST_CASE("ReadDataBc reads broadcast operands of any strides") {
    CHECK(count_wrong_broadcasts(EmulatedRunner{}) == 0);
}

TEST_CASE("ReadData, WriteData and InitWithDataIndex follow a path, whatever its axes and strides") {
    CHECK(count_wrong_paths<float>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_paths<std::int16_t>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_paths<double>(EmulatedRunner{}) == 0);
}

TEST_CASE("ReadPieces reads what begins between aligned vectors, and at the most a vector on either side") {
    CHECK(count_wrong_pieces<float, 4>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_pieces<float, 8>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_pieces<double, 2>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_pieces<std::int16_t, 8>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_pieces<std::uint8_t, 8>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_pieces<std::uint8_t, 16>(EmulatedRunner{}) == 0);
}

TEST_CASE("WriteData with a stride stores what exists and nothing between") {
    CHECK(count_wrong_strides(EmulatedRunner{}) == 0);
}

TEST_CASE("packs of structs, booleans and many items") {
    struct Wide {
        double x, y, z;
    };
    STATIC_REQUIRE(sizeof(Pack<Wide, 3>) == 72);
    STATIC_REQUIRE(pack_alignment<Wide, 2> == 16);
    STATIC_REQUIRE(pack_alignment<float, 3> == 4);
    STATIC_REQUIRE(pack_alignment<float, 64> == 16);
    STATIC_REQUIRE(pack_alignment<bool, 8> == 8);

    const Wide source[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    Wide target[3] = {};
    Pack<Wide, 3> wide;
    load_pack(wide, source, false);
    store_pack(target, wide, false);
    CHECK(std::memcmp(source, target, sizeof(source)) == 0);

    bool flags[64];
    for (int i = 0; i < 64; ++i) {
        flags[i] = i % 3 == 0;
    }
    Pack<bool, 16> picked;
    load_strided(picked, flags, 4);
    bool back[64] = {};
    store_strided(back, picked, 4);
    bool same = true;
    for (int i = 0; i < 64; i += 4) {
        same = same && back[i] == flags[i];
    }
    CHECK(same);

    load_strided(picked, flags + 3, 0);
    store_guarded(back, picked, 1, 5);
    CHECK((back[0] && back[4] && !back[5]));
}

namespace {

/// Item k is 10 * k + the number of items asked for so far.
struct Asked {
    int* calls;

    int at(int k) const { return 10 * k + (*calls)++; }
};

}  // namespace

TEST_CASE("Init, InitWithDataIndex, ElementwiseAny and CycleBinary fill registers") {
    Pack<std::int64_t, 4> index;
    InitWithDataIndex(index, std::int64_t(1) << 40, 3);
    CHECK(index.item[3] == (std::int64_t(1) << 40) + 9);

    Pack<float, 4> scale;
    Init(scale, 0.5f);
    Pack<double, 4> product;
    ElementwiseAny(
        product, [](std::int64_t i, float s) { return static_cast<double>(i) * s; }, index, scale);
    CHECK(product.item[0] == 549755813888.0);

    int calls = 0;
    ElementwiseAny(3, product, [&calls] { return ++calls; });
    CHECK(calls == 3);
    CHECK(product.item[2] == 3.0);

    // An input that computes its items is asked for those that exist, once each and in order.
    const Asked asked{&calls};
    Pack<int, 4> twice{{0, 0, 0, -1}};
    calls = 0;
    ElementwiseAny(
        3, twice, [](int i, float s) { return static_cast<int>(static_cast<float>(i) / s); }, asked, scale);
    CHECK(calls == 3);
    CHECK((twice.item[0] == 0 && twice.item[1] == 22 && twice.item[2] == 44 && twice.item[3] == -1));
    ElementwiseAny(twice, Identity<>{}, asked);
    CHECK((calls == 7 && twice.item[3] == 36));
    ElementwiseAny(std::int64_t(-1) << 40, twice, Identity<>{}, asked);
    ElementwiseAny(TileCount<2, 2>{1, 1}, twice, Neg<>{}, asked);
    CHECK((calls == 8 && twice.item[0] == -7 && twice.item[1] == 14));

    const Pack<int, 2> row{{10, 20}};
    const Pack<int, 4> tile{{1, 2, 3, 4}};
    Pack<int, 4> sum;
    CycleBinary(
        sum, [](int a, int b) { return a + b; }, row, tile);
    CHECK((sum.item[0] == 11 && sum.item[1] == 22 && sum.item[2] == 13 && sum.item[3] == 24));
}
