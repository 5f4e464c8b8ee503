// SPDX-License-Identifier: Apache-2.0
//
// 2-D ReadDataBc and ReadDataReduce on emulated blocks; BroadcastConfig from extents.
#include "primitives/broadcast_tile_cases.hpp"
#include "primitives/gather_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("ReadDataBc reads tiles whose rows and columns are broadcast") {
    CHECK(count_wrong_broadcast_tiles(EmulatedRunner{}) == 0);
}

TEST_CASE("ReadDataReduce gathers any NX, NY, and calls its functor on items only") {
    CHECK(count_wrong_gathers(EmulatedRunner{}) == 0);
    CHECK(count_wrong_broadcast_gather(EmulatedRunner{}) == 0);
}

TEST_CASE("BroadcastConfig places indices above 2^32 by any strides") {
    const index_t extents[] = {70000, 1, 65537, 1000};
    const index_t strides[] = {index_t(1) << 35, 0, -3, 1};
    const BroadcastConfig config(extents, strides);
    unsigned wrong = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const auto index = static_cast<index_t>(hash(i, 1) % 4587590000000u);
        const auto place = config(index);
        wrong += place.offset != plain_offset(index, extents, strides);
        wrong += place.inner_left != 1000 - index % 1000;
    }
    CHECK(wrong == 0);
    CHECK(config(4587590000000 - 1).offset == plain_offset(4587590000000 - 1, extents, strides));
}

TEST_CASE("BroadcastConfig from operand extents follows numpy") {
    const auto strides_of = [](const auto& config) {
        return std::vector<index_t>(std::begin(config.strides), std::end(config.strides));
    };
    using Strides = std::vector<index_t>;
    CHECK(strides_of(BroadcastConfig<3>::of_operand({2, 3, 4}, {2, 3, 4})) == Strides{12, 4, 1});
    CHECK(strides_of(BroadcastConfig<3>::of_operand({2, 3, 4}, {2, 1, 4})) == Strides{4, 0, 1});
    CHECK(strides_of(BroadcastConfig<3>::of_operand({2, 3, 4}, {3, 1})) == Strides{0, 1, 0});
    CHECK(strides_of(BroadcastConfig<3>::of_operand({2, 3, 4}, {1})) == Strides{0, 0, 0});
    CHECK(strides_of(BroadcastConfig<1>::of_operand({1}, {1})) == Strides{0});
    CHECK(strides_of(BroadcastConfig<2>::of_operand({0, 4}, {0, 4})) == Strides{4, 1});
}

TEST_CASE("BroadcastConfig refuses what does not broadcast or does not fit") {
    using Config = BroadcastConfig<2>;
    CHECK_THROWS_AS(Config::of_operand({2, 3}, {2, 2}), shape_error);
    CHECK_THROWS_AS(Config::of_operand({1, 3}, {2, 3}), shape_error);  // the operand does not widen the output
    CHECK_THROWS_AS(Config::of_operand({2, 3}, {0}), shape_error);
    CHECK_THROWS_AS(Config({-1, 3}, {0, 1}), shape_error);
    const index_t large = index_t(1) << 32;
    CHECK_THROWS_AS(Config({large, large}, {0, 0}), shape_error);
    CHECK_THROWS_AS(Config({large, 2}, {large, 1}), shape_error);
    CHECK_THROWS_AS(Config({large, 2}, {large / 2, INT64_MIN / 2 - 1}), shape_error);
    CHECK_NOTHROW(Config({large, 2}, {large / 2 - 1, 1}));
    CHECK_NOTHROW(Config({3, 1}, {INT64_MAX / 2, 0}));  // the last offset counts, not the one after it
    CHECK_NOTHROW(Config({large, 0}, {large, large}));
    CHECK_THROWS_WITH(Config::of_operand({2, 3}, {2, 2}),
                      "BroadcastConfig: extent 2 of the operand's axis 1 does not broadcast to extent 3 of the output");
}
