// SPDX-License-Identifier: Apache-2.0
//
// BlockXReduce, BlockYReduce and BlockReduce on emulated blocks, over all shapes and three thread orders.
#include <set>

#include "primitives/fold_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/sweep.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class Group>
void sweep() {
    const auto check = in_turn([](const EmulatedRunner& run, Dim2 block) {
        CHECK(count_wrong_folds<Group, AllThreads>(run, block) == 0);
        CHECK(count_wrong_folds<Group, OneThread>(run, block) == 0);
    });
    for_each_shape(check);
}

template <class Group>
void sweep_types() {
    for (Dim2 block : {Dim2{48, 2}, Dim2{64, 3}, Dim2{16, 5}, Dim2{7, 40}, Dim2{1, 33}, Dim2{100, 2}}) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_types<Group>(EmulatedRunner{}, block) == 0);
    }
}

}  // namespace

TEST_CASE("BlockXReduce folds every row in order, for any block shape") {
    sweep<AlongX>();
}

TEST_CASE("BlockYReduce folds every column in order, for any block shape") {
    sweep<AlongY>();
}

TEST_CASE(
    "BlockYReduce of a planned block folds every column in order: one value per warp and column meets in scratch") {
    using Runner = EmulatedRunnerOf<PlannedEmulatedBlock>;
    for (Dim2 block :
         {Dim2{1, 32}, Dim2{1, 64}, Dim2{1, 1024}, Dim2{2, 16}, Dim2{2, 256}, Dim2{4, 8}, Dim2{4, 128}, Dim2{8, 4},
          Dim2{8, 64}, Dim2{16, 2}, Dim2{16, 64}, Dim2{32, 1}, Dim2{32, 3}, Dim2{32, 32}, Dim2{64, 16}, Dim2{96, 5}}) {
        INFO("block " << block.x << " x " << block.y);
        for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
            CHECK(count_wrong_folds<AlongY, AllThreads>(Runner{order, 1}, block) == 0);
            CHECK(count_wrong_folds<AlongY, OneThread>(Runner{order, 1}, block) == 0);
        }
    }
    STATIC_REQUIRE(y_reduce_scratch_bytes(8, 64, 32, planned_block) == 16 * 8 * 32);
    STATIC_REQUIRE(y_reduce_scratch_bytes(8, 4, 32, planned_block) == 0);
}

TEST_CASE("BlockReduce folds the block in order, for any block shape") {
    sweep<WholeBlock>();
}

TEST_CASE("block folds carry any accumulator type") {
    sweep_types<AlongX>();
    sweep_types<AlongY>();
}

TEST_CASE("every thread order gives the same folds") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (unsigned seed = 1; seed <= (under_thread_sanitizer ? 1 : 3); ++seed) {
            for (Dim2 block : {Dim2{100, 3}, Dim2{96, 2}, Dim2{8, 9}, Dim2{5, 33}}) {
                const EmulatedRunner run{order, seed};
                CHECK(count_wrong_folds<AlongX, AllThreads>(run, block) == 0);
                CHECK(count_wrong_folds<AlongY, AllThreads>(run, block) == 0);
                CHECK(count_wrong_folds<WholeBlock, AllThreads>(run, block) == 0);
            }
        }
    }
}

TEST_CASE("block folds cost at most two barriers, one for one thread's result, and none within a warp") {
    const auto barriers = [](Dim2 d, auto group, auto mode) {
        using Group = decltype(group);
        const std::size_t shared = 2 * Group::scratch_bytes(d, sizeof(int));
        return emulate({}, d, shared, [mode](EmulatedBlock& block) { Group::fold(block, 1, SumOf<int>{}, mode); })
            .barriers;
    };
    const auto all = [&](Dim2 d, auto group) { return barriers(d, group, AllThreads{}); };
    const auto one = [&](Dim2 d, auto group) { return barriers(d, group, OneThread{}); };
    CHECK(all(Dim2{1, 7}, AlongX{}) == 0);
    CHECK(all(Dim2{16, 3}, AlongX{}) == 0);
    CHECK(all(Dim2{32, 4}, AlongX{}) == 0);
    CHECK(all(Dim2{256, 1}, AlongX{}) == 2);
    CHECK(one(Dim2{256, 1}, AlongX{}) == 1);
    CHECK(one(Dim2{96, 2}, AlongX{}) == 1);
    CHECK(all(Dim2{24, 2}, AlongX{}) == 1);
    CHECK(all(Dim2{100, 2}, AlongX{}) == 2);
    CHECK(one(Dim2{100, 1}, AlongX{}) == 1);
    CHECK(all(Dim2{32, 1}, AlongY{}) == 0);
    CHECK(all(Dim2{1, 32}, AlongY{}) == 0);
    CHECK(all(Dim2{32, 4}, AlongY{}) == 1);
    CHECK(all(Dim2{32, 32}, AlongY{}) == 2);
    CHECK(one(Dim2{32, 32}, AlongY{}) == 1);
    CHECK(all(Dim2{10, 65}, AlongY{}) == 2);
    CHECK(all(Dim2{8, 128}, AlongY{}) == 2);
    CHECK(one(Dim2{8, 128}, AlongY{}) == 1);
    CHECK(all(Dim2{32, 8}, WholeBlock{}) == 2);
    CHECK(one(Dim2{32, 8}, WholeBlock{}) == 1);
    CHECK(one(Dim2{7, 9}, WholeBlock{}) == 1);
}

TEST_CASE("the shuffles of a rake do not grow with the number of warps") {
    const auto shuffles = [](Dim2 d) {
        return emulate({}, d, 2 * block_reduce_scratch_bytes(d.x, d.y, sizeof(int)),
                       [](EmulatedBlock& block) { BlockReduce(block, 1, SumOf<int>{}); })
            .shuffles;
    };
    CHECK(shuffles(Dim2{64, 1}) == 3);
    CHECK(shuffles(Dim2{256, 1}) == 5);
    CHECK(shuffles(Dim2{512, 1}) == 5);
    CHECK(shuffles(Dim2{1024, 1}) == 5);
    CHECK(shuffles(Dim2{1000, 1}) == 5);
}

TEST_CASE("scratch sizes: rows within a warp need no memory, halves stay 16-byte aligned") {
    STATIC_REQUIRE(x_reduce_scratch_bytes(32, 8, 8) == 0);
    STATIC_REQUIRE(x_reduce_scratch_bytes(256, 1, 4) == 8 * (128 + 16));
    STATIC_REQUIRE(x_reduce_scratch_bytes(256, 1, 24) == 8 * 24);
    STATIC_REQUIRE(y_reduce_scratch_bytes(32, 1, 8) == 0);
    STATIC_REQUIRE(y_reduce_scratch_bytes(32, 8, 4) == 32 * 8 * 4);
    STATIC_REQUIRE(y_reduce_scratch_bytes(8, 32, 4) == 4 * 9 * 8 * 4);
    STATIC_REQUIRE(block_reduce_scratch_bytes(32, 8, 8) == 16 * (128 + 16));
    for_each_shape([](Dim2 d) {
        CHECK(x_reduce_scratch_bytes(d.x, d.y, 12) % 16 == 0);
        CHECK(y_reduce_scratch_bytes(d.x, d.y, 12) % 16 == 0);
    });
}

// Shared memory has 32 banks of 4 bytes. It serves accesses of more than 4 bytes for parts of a warp: 8 lanes at a time
// where they are of 16 bytes.
TEST_CASE("a rake meets no bank twice, neither in its stores nor in its 16-byte loads") {
    for (const std::size_t bytes : {4u, 8u, 16u}) {
        for (unsigned length : {64u, 128u, 256u, 512u, 1024u}) {
            INFO(length << " values of " << bytes << " bytes");
            const detail::Rake rake(length, bytes, cuda_warp_size);
            const auto conflicts = [&](unsigned lanes, unsigned step, std::size_t width) {
                unsigned count = 0;
                for (unsigned first = 0; first + lanes * step <= length; first += lanes * step) {
                    std::set<std::size_t> places;
                    for (unsigned lane = 0; lane < lanes; ++lane) {
                        places.insert(rake.slot(first + lane * step) * bytes % 128 / width);
                    }
                    count += lanes - static_cast<unsigned>(places.size());
                }
                return count;
            };
            CHECK(conflicts(static_cast<unsigned>(128 / bytes), 1, bytes) == 0);
            CHECK(conflicts(length / rake.run < 8 ? length / rake.run : 8, rake.run, 16) == 0);
            CHECK(rake.run * 32 >= length);
        }
    }
    const detail::ColumnRake narrow(8, 32, cuda_warp_size);
    std::set<unsigned> banks;
    for (unsigned lane = 0; lane < 32; ++lane) {
        banks.insert(narrow.slot(lane / 8 * narrow.run, lane % 8) % 32);
    }
    CHECK(banks.size() == 32);
}

TEST_CASE("on the one thread of a host block a fold is the value itself") {
    HostBlock block(0, 0, 1, 1, nullptr, 0);
    CHECK(BlockXReduce(block, 3, SumOf<int>{}) == 3);
    CHECK(BlockYReduce(block, 4, SumOf<int>{}) == 4);
    CHECK(BlockReduce(block, 5, SumOf<int>{}, OneThread{}) == 5);
}
