// SPDX-License-Identifier: Apache-2.0
//
// 2-D ReadData, WriteData and InitWithDataIndex on emulated blocks and on the host's block of one thread.
#include "primitives/tile2d_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("2-D tiles of every NX, NY and size move with conversion and touch no other item") {
    CHECK(count_wrong_tiles2d(EmulatedRunner{}) == 0);
}

TEST_CASE("2-D tiles of other types") {
    CHECK(count_wrong_types2d(EmulatedRunner{Order::shuffled, 3}) == 0);
}

TEST_CASE("one item along x and several along y: the column is checked at the boundary") {
    CHECK(count_wrong_narrow_tile<2>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_narrow_tile<3>(EmulatedRunner{}) == 0);
    CHECK(count_wrong_narrow_tile<4>(EmulatedRunner{}) == 0);
}

TEST_CASE("sizes, indices and offsets of a tile are 64-bit") {
    CHECK(count_wrong_large_tiles(EmulatedRunner{}) == 0);
    const TileShape tile{index_t(1) << 33, 5, 3, index_t(1) << 40};
    CHECK(tile.offset(index_t(1) << 32, 4) == (index_t(3) << 32) + (index_t(4) << 40));
    const TileShape rest = tile.from(index_t(1) << 32, 7);
    CHECK((rest.size_x == index_t(1) << 32 && rest.size_y == -2));
    CHECK((rest.stride_x == 3 && rest.stride_y == index_t(1) << 40));
}

TEST_CASE("a host block owns the whole tile, and conversion rounds and saturates as a store does") {
    HostBlock block(0, 0, 1, 1, nullptr, 0);
    const double source[6] = {1.5, -2.75, 1e300, 1e-300, 2049, 70000};
    Pack<float16, 6> halves;
    ReadData<3, 2>(block, halves, source, TileShape{3, 2, 1, 3}, float16(0.f));
    CHECK(static_cast<float>(halves.item[0]) == 1.5f);
    CHECK(static_cast<float>(halves.item[1]) == -2.75f);
    CHECK(static_cast<float>(halves.item[4]) == 2048.f);  // between two halves: to even
    CHECK(static_cast<float>(halves.item[5]) > 65504.f);  // infinite

    Pack<std::int8_t, 6> bytes;
    ReadData<3, 2>(block, bytes, source, TileShape{3, 1, 1, 3}, std::int8_t(-1));
    CHECK((bytes.item[0] == 1 && bytes.item[1] == -2 && bytes.item[2] == 127 && bytes.item[3] == -1));
}
