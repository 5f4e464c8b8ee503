// SPDX-License-Identifier: Apache-2.0
//
// DimConfig and VectorType: what a launch is made of, up to the limits of the hardware.
#include "fuse/primitives/thread/dim_config.hpp"

#include "fuse/ops/types/float16.hpp"
#include "fuse/primitives/thread/vector_type.hpp"
#include "support/catch.hpp"

using namespace fuse;

TEST_CASE("DimConfig splits elements into whole blocks and a rest") {
    unsigned wrong = 0;
    for (index_t num = 0; num <= 70; ++num) {
        for (index_t deal = 1; deal <= 20; ++deal) {
            const DimConfig dim(DimAxis{num, deal, 32});
            index_t covered = 0;
            index_t blocks = 0;
            for (; covered < num; ++blocks) {
                const index_t items = num - covered < deal ? num - covered : deal;
                wrong += dim.first_x(blocks) != covered || dim.left_x(blocks) != num - covered;
                wrong += dim.is_boundary(blocks) != (items < deal);
                wrong += covered + items == num && dim.last_x() != items;
                covered += items;
            }
            wrong += dim.split_num_x != blocks || dim.rem_x != num % deal || dim.whole_x() != num / deal;
            wrong += dim.deal_size_x != deal || dim.block_x != 32 || dim.block_y != 1;
            wrong += dim.split_num_y != 1 || dim.rem_y != 0 || dim.empty() != (num == 0);
        }
    }
    CHECK(wrong == 0);
    CHECK(DimConfig({0, 8}).last_x() == 0);
}

TEST_CASE("DimConfig in two directions is a constant expression") {
    constexpr DimConfig dim({1000, 128, 32}, {50, 25, 8});
    STATIC_REQUIRE((dim.split_num_x == 8 && dim.rem_x == 104 && dim.split_num_y == 2 && dim.rem_y == 0));
    STATIC_REQUIRE((dim.whole_y() == 2 && dim.last_y() == 25 && dim.first_y(1) == 25 && dim.left_y(1) == 25));
    STATIC_REQUIRE((!dim.is_boundary(6, 1) && dim.is_boundary(7, 0)));
    STATIC_REQUIRE((dim.block_x == 32 && dim.block_y == 8));
    STATIC_REQUIRE(DimConfig({8, 8}, {9, 8}).is_boundary(0, 1));
    STATIC_REQUIRE(DimConfig({8, 8}, {0, 8}).empty());
}

TEST_CASE("DimConfig counts in 64 bits and refuses what no GPU launches") {
    const index_t most_x = 0x7fffffff;
    const DimConfig large({most_x * 4096, 4096, 1024}, {65535, 1, 1});
    CHECK((large.split_num_x == most_x && large.split_num_y == 65535));
    CHECK(large.first_x(most_x - 1) == (most_x - 1) * 4096);
    CHECK_THROWS_AS(DimConfig({most_x * 4096 + 1, 4096}), argument_error);
    CHECK_THROWS_AS(DimConfig({1}, {65536}), argument_error);
    CHECK(DimConfig({INT64_MAX, index_t(1) << 40}).split_num_x == 1 << 23);
    CHECK_THROWS_AS(DimConfig({-1, 1}), argument_error);
    CHECK_THROWS_AS(DimConfig({1, 0}), argument_error);
    CHECK_THROWS_AS(DimConfig({1, 1, 0}), argument_error);
    CHECK_THROWS_AS(DimConfig({1, 1, 1025}), argument_error);
    CHECK_THROWS_AS(DimConfig({1, 1, 64}, {1, 1, 32}), argument_error);
    CHECK_THROWS_WITH(DimConfig({1}, {65536}), "DimConfig: too many blocks along y: 65536, limit 65535");
}

TEST_CASE("a vector is at most 16 bytes") {
    struct Wide {
        double x, y, z;
    };
    STATIC_REQUIRE((max_vector<std::int8_t> == 16 && max_vector<float16> == 8 && max_vector<float> == 4));
    STATIC_REQUIRE((max_vector<double> == 2 && max_vector<Pack<float, 3>> == 1 && max_vector<Wide> == 1));
    STATIC_REQUIRE(std::is_same_v<VectorType<float>, Pack<float, 4>>);
    STATIC_REQUIRE(std::is_same_v<VectorType<float, 2>, Pack<float, 2>>);
    STATIC_REQUIRE((sizeof(VectorType<std::int8_t>) == 16 && sizeof(VectorType<std::int8_t, 3>) == 3));
    STATIC_REQUIRE((sizeof(VectorType<double>) == 16 && alignof(VectorType<double>) == 16));
    STATIC_REQUIRE(std::is_same_v<VectorType<Wide>, Pack<Wide, 1>>);
}
