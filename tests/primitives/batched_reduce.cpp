// SPDX-License-Identifier: Apache-2.0
//
// Batched folds of warps and blocks on emulated blocks: results, and what they cost.
#include <algorithm>

#include "primitives/batched_cases.hpp"
#include "primitives/batched_warp_cases.hpp"
#include "primitives/block_sum_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/sweep.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class Group>
void sweep() {
    const auto check = in_turn([](const EmulatedRunner& run, Dim2 block) {
        CHECK(count_wrong_batches<Group, AllThreads>(run, block, BatchSizes{}) == 0);
        CHECK(count_wrong_batches<Group, OneThread>(run, block, BatchSizes{}) == 0);
    });
    std::ranges::for_each(batched_shapes, check);
}

template <class Group, int K>
CollectiveCounts cost(Dim2 d) {
    const std::size_t shared = 2 * Group::template batched_scratch_bytes<K>(d, sizeof(int));
    return emulate({}, d, shared, [](EmulatedBlock& block) {
        int values[K] = {};
        Group::batched_fold(block, values, SumOf<int>{}, AllThreads{});
    });
}

template <int K>
std::size_t scatter_shuffles(int width) {
    const auto kernel = [width](EmulatedBlock& block) {
        int values[K] = {};
        WarpReduceScatter(block, values, SumOf<int>{}, width);
    };
    return emulate({}, Dim2{32, 1}, 0, kernel).shuffles;
}

}  // namespace

TEST_CASE("BatchedBlockReduce folds K values over the block in order, for any block shape") {
    sweep<BatchedWholeBlock>();
}

TEST_CASE("BatchedBlockXReduce folds K values over every row in order, for any block shape") {
    sweep<BatchedAlongX>();
}

TEST_CASE("BatchedBlockYReduce folds K values over every column in order, for any block shape") {
    sweep<BatchedAlongY>();
}

TEST_CASE("batched folds carry any accumulator type") {
    for (Dim2 block : {Dim2{48, 2}, Dim2{64, 3}, Dim2{16, 5}, Dim2{7, 3}, Dim2{1, 33}, Dim2{100, 2}}) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_batch_types<BatchedWholeBlock>(EmulatedRunner{}, block) == 0);
        CHECK(count_wrong_batch_types<BatchedAlongX>(EmulatedRunner{}, block) == 0);
        CHECK(count_wrong_batch_types<BatchedAlongY>(EmulatedRunner{}, block) == 0);
    }
}

TEST_CASE("every thread order gives the same batched folds") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (Dim2 block : {Dim2{100, 3}, Dim2{96, 2}, Dim2{8, 9}, Dim2{5, 33}}) {
            const EmulatedRunner run{order, 3};
            CHECK(count_wrong_batches<BatchedWholeBlock, AllThreads, 5>(run, block) == 0);
            CHECK(count_wrong_batches<BatchedAlongX, AllThreads, 5>(run, block) == 0);
            CHECK(count_wrong_batches<BatchedAlongY, AllThreads, 5>(run, block) == 0);
        }
    }
}

TEST_CASE("BatchedWarpReduce and WarpReduceScatter fold segments of 1 to 32 lanes in order") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        CHECK(count_wrong_warp_batches(EmulatedRunner{order, 5}, BatchSizes{}) == 0);
    }
}

TEST_CASE("a warp folds K values with little more than K shuffles") {
    CHECK(scatter_shuffles<32>(32) == 31);
    CHECK(scatter_shuffles<16>(32) == 16);
    CHECK(scatter_shuffles<8>(32) == 9);
    CHECK(scatter_shuffles<8>(8) == 7);
    CHECK(scatter_shuffles<5>(32) == 8);
    CHECK(scatter_shuffles<1>(32) == 5);
    // All lanes get all values: one shuffle more for each.
    CHECK(cost<BatchedWholeBlock, 32>(Dim2{32, 1}).shuffles == 31 + 32);
    CHECK(cost<BatchedWholeBlock, 8>(Dim2{32, 1}).shuffles == 9 + 8);
    CHECK(cost<BatchedWholeBlock, 1>(Dim2{32, 1}).shuffles == 5);
}

TEST_CASE("a batched fold costs the barriers of one fold") {
    CHECK(cost<BatchedWholeBlock, 32>(Dim2{7, 3}).barriers == 0);
    CHECK(cost<BatchedWholeBlock, 32>(Dim2{32, 1}).barriers == 0);
    CHECK(cost<BatchedWholeBlock, 32>(Dim2{256, 1}).barriers == 2);
    CHECK(cost<BatchedWholeBlock, 32>(Dim2{32, 32}).barriers == 2);
    CHECK(cost<BatchedWholeBlock, 32>(Dim2{100, 3}).barriers == 2);
    CHECK(cost<BatchedWholeBlock, 32>(Dim2{33, 1}).barriers == 2);
    CHECK(cost<BatchedAlongX, 32>(Dim2{16, 5}).barriers == 0);
    CHECK(cost<BatchedAlongX, 32>(Dim2{96, 2}).barriers == 2);
    CHECK(cost<BatchedAlongX, 32>(Dim2{24, 2}).barriers == 1);
    CHECK(cost<BatchedAlongX, 32>(Dim2{100, 2}).barriers == 2);
    CHECK(cost<BatchedAlongY, 32>(Dim2{32, 4}).barriers == 1);
    CHECK(cost<BatchedAlongY, 32>(Dim2{32, 32}).barriers == 2);
    CHECK(cost<BatchedAlongY, 32>(Dim2{10, 65}).barriers == 2);

    // Seven in each warp, two that fold the warps' results; the eight totals go round through scratch.
    CHECK(cost<BatchedWholeBlock, 8>(Dim2{256, 1}).shuffles == 8 * 7 + 2);
    CHECK(cost<BatchedWholeBlock, 8>(Dim2{1024, 1}).shuffles == 32 * 7 + 2);
    CHECK(cost<BatchedWholeBlock, 32>(Dim2{256, 1}).shuffles == 8 * 31);
    const auto eight_folds = emulate({}, Dim2{256, 1}, 2 * block_reduce_scratch_bytes(256, 1, 4), [](EmulatedBlock& b) {
        for (int k = 0; k < 8; ++k) {
            BlockReduce(b, k, SumOf<int>{});
        }
    });
    CHECK(eight_folds.barriers == 8 * cost<BatchedWholeBlock, 8>(Dim2{256, 1}).barriers);
}

TEST_CASE("scratch sizes of batched folds: none within a warp") {
    STATIC_REQUIRE(batched_block_reduce_scratch_bytes<8>(32, 1, 4) == 0);
    STATIC_REQUIRE(batched_block_reduce_scratch_bytes<8>(7, 3, 4) == 0);
    STATIC_REQUIRE(batched_block_reduce_scratch_bytes<8>(256, 1, 4) == (16 + 4 * 9 * 8) * 4);  // totals, rakes
    STATIC_REQUIRE(batched_block_reduce_scratch_bytes<32>(1000, 1, 8) == (32 + 32 * 32) * 8);
    STATIC_REQUIRE(batched_block_reduce_scratch_bytes<8>(1024, 1, 32) == (16 + (32 + 3) * 8 + 8) * 32);
    STATIC_REQUIRE(batched_x_reduce_scratch_bytes<8>(16, 8, 4) == 0);
    STATIC_REQUIRE(batched_x_reduce_scratch_bytes<8>(24, 8, 4) == 24 * 8 * 8 * 4);
    STATIC_REQUIRE(batched_y_reduce_scratch_bytes<8>(32, 1, 4) == 0);
    STATIC_REQUIRE(batched_y_reduce_scratch_bytes<8>(32, 8, 4) == 32 * 8 * 8 * 4);
}

TEST_CASE("ReduceLocal folds registers in order") {
    Matrix2 product = ValueOf<Matrix2>::make(0, 0, 0);
    Matrix2 values[7];
    for (unsigned k = 0; k < 7; ++k) {
        values[k] = ValueOf<Matrix2>::make(k, k, 0);
        product = k == 0 ? values[0] : MultiplyMatrix{}.combine(product, values[k]);
    }
    CHECK(ReduceLocal(values, MultiplyMatrix{}) == product);

    const Pack<int, 1> one{{5}};
    CHECK(ReduceLocal(one, SumOf<int>{}) == 5);
    const Pack<int, 6> tile{{1, 2, 3, 10, 20, 30}};
    CHECK(ReduceLocal(tile, SumOf<int>{}) == 66);
    Pack<int, 2> rows{};
    ReduceLocal<3>(rows, tile, SumOf<int>{});
    CHECK((rows.item[0] == 6 && rows.item[1] == 60));
}

TEST_CASE("on the one thread of a host block batched folds leave the values alone") {
    HostBlock block(0, 0, 1, 1, nullptr, 0);
    Pack<int, 3> values{{1, 2, 3}};
    ReduceGlobal(block, values, SumOf<int>{});
    ReduceGlobal<OverX>(block, values, SumOf<int>{}, OneThread{});
    ReduceGlobal<OverY>(block, values, SumOf<int>{});
    BatchedWarpReduce(block, values.item, SumOf<int>{}, 1);
    CHECK((values.item[0] == 1 && values.item[1] == 2 && values.item[2] == 3));
}

TEST_CASE("BlockReduceSum and BlockReduceMax over Block1D and Block2D; NaN propagates") {
    for (Dim2 block : batched_shapes) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_sums_and_maxima(EmulatedRunner{}, block) == 0);
    }
}
