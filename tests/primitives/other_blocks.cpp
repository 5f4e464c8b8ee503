// SPDX-License-Identifier: Apache-2.0
//
// Collectives on blocks unlike those of NVIDIA's GPUs: with warps of 64, without shuffles, and the host's of one
// thread. The sizes of scratch memory follow the block type: the emulated block complains of a half that is too small.
#include <algorithm>

#include "primitives/batched_cases.hpp"
#include "primitives/scan_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/sweep.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// Shapes on both sides of a warp of 64, and of what is raked.
constexpr Dim2 shapes[] = {{1, 1},   {7, 3},  {33, 2},   {64, 1},   {64, 3},  {32, 5},  {128, 2}, {100, 3},
                           {65, 1},  {63, 1}, {1024, 1}, {1000, 1}, {256, 4}, {32, 32}, {16, 64}, {1, 64},
                           {1, 100}, {8, 65}, {2, 512},  {10, 65},  {96, 2},  {48, 1}};

template <class View, class Fold, class Scan, class Batched>
void sweep() {
    const auto check = in_turn<View>([](const EmulatedRunnerOf<View>& run, Dim2 block) {
        CHECK(count_wrong_folds<Fold, AllThreads>(run, block) == 0);
        CHECK(count_wrong_folds<Fold, OneThread>(run, block) == 0);
        CHECK(count_wrong_scans<Scan>(run, block) == 0);
        CHECK(count_wrong_batches<Batched, AllThreads>(run, block, std::integer_sequence<int, 1, 3, 8, 32>{}) == 0);
        CHECK(count_wrong_batches<Batched, OneThread>(run, block, std::integer_sequence<int, 1, 5>{}) == 0);
    });
    std::ranges::for_each(shapes, check);
}

template <class B>
concept HasShuffle = requires(B& block) {
    block.shuffle(1, 0, 1);
};
template <class B>
concept HasCopies = requires(B& block) {
    block.wait_copies();
};
template <class B>
concept HasOwnMemory = requires(B& block) {
    block.own_memory();
};

template <class B>
concept FoldsWarps = requires(B& block) {
    WarpReduce(block, 1, SumOf<int>{}, 1);
};
template <class B>
concept FoldsBlocks = requires(B& block) {
    BlockReduce(block, 1, SumOf<int>{});
};
template <class B>
concept FindsLastBlock = requires(B& block, unsigned* counter) {
    last_block(block, counter, 1);
};
template <class B>
concept CopiesAsync = requires(B& block, int& to, const int* from) {
    copy_item_async(block, to, from);
};

}  // namespace

TEST_CASE("a primitive is refused on a block that has not what it uses") {
    STATIC_REQUIRE(FoldsWarps<EmulatedBlock> && FoldsBlocks<EmulatedBlock>);
    STATIC_REQUIRE(FindsLastBlock<EmulatedBlock> && CopiesAsync<EmulatedBlock>);
    STATIC_REQUIRE(FoldsBlocks<CoreEmulatedBlock>);
    STATIC_REQUIRE(!FoldsWarps<CoreEmulatedBlock>);
    STATIC_REQUIRE(!FindsLastBlock<CoreEmulatedBlock>);
    STATIC_REQUIRE(!CopiesAsync<CoreEmulatedBlock>);
    STATIC_REQUIRE(FoldsWarps<HostBlock> && FindsLastBlock<HostBlock>);
    STATIC_REQUIRE(!CopiesAsync<HostBlock>);
}

TEST_CASE("folds and scans of blocks with warps of 64") {
    sweep<WideEmulatedBlock, AlongX, ScanAlongX, BatchedAlongX>();
    sweep<WideEmulatedBlock, AlongY, ScanAlongY, BatchedAlongY>();
    sweep<WideEmulatedBlock, WholeBlock, ScanWholeBlock, BatchedWholeBlock>();
}

TEST_CASE("a warp of 64 folds as one") {
    for (const unsigned width : {1U, 16U, 64U}) {
        for (const Dim2 block : {Dim2{64, 1}, Dim2{64, 2}, Dim2{128, 3}}) {
            CHECK(count_wrong_warp_scans(EmulatedRunnerOf<WideEmulatedBlock>{}, block, width) == 0);
        }
    }
    const auto counts = [](Dim2 d) {
        const EmulateOptions wide{.warp_size = 64};
        return emulate(
            {}, d, 2 * block_reduce_scratch_bytes(d.x, d.y, 4, block_traits<WideEmulatedBlock>),
            [](EmulatedBlock& any) {
                WideEmulatedBlock block(any);
                BlockReduce(block, 1, SumOf<int>{});
            },
            wide);
    };
    CHECK(counts(Dim2{64, 1}).barriers == 0);
    CHECK(counts(Dim2{64, 1}).shuffles == 6);
    CHECK(counts(Dim2{256, 1}).barriers == 2);
}

TEST_CASE("blocks that do not shuffle fold and scan in scratch") {
    sweep<CoreEmulatedBlock, AlongX, ScanAlongX, BatchedAlongX>();
    sweep<CoreEmulatedBlock, AlongY, ScanAlongY, BatchedAlongY>();
    sweep<CoreEmulatedBlock, WholeBlock, ScanWholeBlock, BatchedWholeBlock>();
}

TEST_CASE("sizes of scratch follow the block type") {
    constexpr BlockTraits wide = block_traits<WideEmulatedBlock>;
    constexpr BlockTraits core = block_traits<CoreEmulatedBlock>;
    STATIC_REQUIRE(block_reduce_scratch_bytes(64, 1, 4) > 0);
    STATIC_REQUIRE(block_reduce_scratch_bytes(64, 1, 4, wide) == 0);
    STATIC_REQUIRE(block_scan_scratch_bytes(256, 1, 4) == 8 * 4);
    STATIC_REQUIRE(block_scan_scratch_bytes(256, 1, 4, wide) == 4 * 4);
    STATIC_REQUIRE(x_reduce_scratch_bytes(16, 2, 4) == 0);
    STATIC_REQUIRE(x_reduce_scratch_bytes(16, 2, 4, core) == 16 * 2 * 4);
    STATIC_REQUIRE(block_reduce_scratch_bytes(256, 1, 4, planned_block) == 8 * 4);
    STATIC_REQUIRE(block_reduce_scratch_bytes(1, 1, 4, block_traits<HostBlock>) == 0);
}

TEST_CASE("the host's block has a warp of one thread, and no stubs") {
    STATIC_REQUIRE(Warps<HostBlock>);
    STATIC_REQUIRE(DeviceAtomics<HostBlock>);
    STATIC_REQUIRE(!Shuffles<HostBlock>);
    STATIC_REQUIRE(!HasShuffle<HostBlock>);
    STATIC_REQUIRE(!HasCopies<HostBlock>);
    STATIC_REQUIRE(!HasOwnMemory<HostBlock>);

    HostBlock block(0, 0, 1, 1, nullptr, 0);
    const Matrix2 own = FourFolds::of_thread(3).product;
    CHECK(WarpReduce(block, own, MultiplyMatrix{}, 1) == own);
    CHECK(WarpReduceDown(block, own, MultiplyMatrix{}, 1) == own);
    CHECK(WarpScan(block, own, MultiplyMatrix{}, 1) == own);
    CHECK(WarpShiftScan(block, own, MultiplyMatrix{}, 1) == MultiplyMatrix{}.init());
    CHECK(WarpBroadcast(block, own, 0, 1) == own);
    const int one[1] = {5};
    CHECK(WarpReduceScatter(block, one, SumOf<int>{}, 1) == 5);
    int several[3] = {1, 2, 3};
    BatchedWarpReduce(block, several, SumOf<int>{}, 1);
    CHECK(several[2] == 3);
}
