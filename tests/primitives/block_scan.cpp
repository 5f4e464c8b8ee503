// SPDX-License-Identifier: Apache-2.0
//
// WarpScan, BlockScan, BlockXScan and BlockYScan on emulated blocks, over all kinds of shapes and three thread orders.
#include "primitives/scan_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/sweep.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

template <class Group>
void sweep() {
    const auto check =
        in_turn([](const EmulatedRunner& run, Dim2 block) { CHECK(count_wrong_scans<Group>(run, block) == 0); });
    for_each_shape(check);
}

template <class Group>
CollectiveCounts counts(Dim2 d) {
    return emulate({}, d, 2 * Group::scratch_bytes(d, sizeof(int)),
                   [](EmulatedBlock& block) { Group::scan(block, 1, SumOf<int>{}); });
}

}  // namespace

TEST_CASE("WarpScan gives the prefixes of segments of 1 to 32 lanes in order, also in a partial warp") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        CHECK(count_wrong_warp_scans(EmulatedRunner{order, 5}) == 0);
    }
}

TEST_CASE("WarpScan takes log2(width) shuffles for each value and WarpShiftScan one") {
    for (int width : {1, 2, 4, 8, 16, 32}) {
        std::size_t expected = 0;
        while (1 << expected < width) {
            ++expected;
        }
        const auto one = [width](EmulatedBlock& block) { WarpScan(block, 1, SumOf<int>{}, width); };
        const auto three = [width](EmulatedBlock& block) {
            int values[3] = {1, 2, 3};
            WarpScan(block, values, SumOf<int>{}, width);
        };
        const auto shift = [width](EmulatedBlock& block) { WarpShiftScan(block, 1, SumOf<int>{}, width); };
        CHECK(emulate({}, Dim2{32, 1}, 0, one).shuffles == expected);
        CHECK(emulate({}, Dim2{32, 1}, 0, three).shuffles == 3 * expected);
        CHECK(emulate({}, Dim2{32, 1}, 0, shift).shuffles == 1);
    }
}

TEST_CASE("BlockXScan gives the prefixes of every row in order, for any block shape") {
    sweep<ScanAlongX>();
}

TEST_CASE("BlockYScan gives the prefixes of every column in order, for any block shape") {
    sweep<ScanAlongY>();
}

TEST_CASE("BlockScan gives the prefixes of the block in order, for any block shape") {
    sweep<ScanWholeBlock>();
}

TEST_CASE("block scans carry any accumulator type") {
    for (Dim2 block : scan_type_shapes) {
        INFO("block " << block.x << " x " << block.y);
        CHECK(count_wrong_scan_types<ScanAlongX>(EmulatedRunner{}, block) == 0);
        CHECK(count_wrong_scan_types<ScanAlongY>(EmulatedRunner{}, block) == 0);
        CHECK(count_wrong_scan_types<ScanWholeBlock>(EmulatedRunner{}, block) == 0);
    }
}

TEST_CASE("every thread order gives the same prefixes") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (unsigned seed = 1; seed <= (under_thread_sanitizer ? 1 : 3); ++seed) {
            for (Dim2 block : {Dim2{100, 3}, Dim2{96, 2}, Dim2{8, 9}, Dim2{5, 33}}) {
                const EmulatedRunner run{order, seed};
                CHECK(count_wrong_scans<ScanAlongX>(run, block) == 0);
                CHECK(count_wrong_scans<ScanAlongY>(run, block) == 0);
                CHECK(count_wrong_scans<ScanWholeBlock>(run, block) == 0);
            }
        }
    }
}

TEST_CASE("block scans cost at most two barriers, one for whole warps, and none within a warp") {
    for_each_shape([](Dim2 d) {
        INFO("block " << d.x << " x " << d.y);
        if (d.count() <= 256) {
            CHECK(counts<ScanAlongX>(d).barriers <= 2);
            CHECK(counts<ScanAlongY>(d).barriers <= 2);
            CHECK(counts<ScanWholeBlock>(d).barriers <= 2);
        }
    });
    for (unsigned power : {1u, 2u, 4u, 8u, 16u, 32u}) {
        CHECK(counts<ScanAlongX>(Dim2{power, 5}).barriers == 0);
        CHECK(counts<ScanAlongY>(Dim2{1, power}).barriers == 0);
        CHECK(counts<ScanWholeBlock>(Dim2{power, 1}).barriers == 0);
        CHECK(counts<ScanAlongX>(Dim2{32 * power, 1}).barriers == (power > 1));
        CHECK(counts<ScanWholeBlock>(Dim2{32, power}).barriers == (power > 1));
        CHECK(counts<ScanAlongY>(Dim2{7, power}).barriers == (power > 1));
    }
    CHECK(counts<ScanAlongX>(Dim2{96, 2}).barriers == 1);
    CHECK(counts<ScanAlongX>(Dim2{24, 2}).barriers == 1);
    CHECK(counts<ScanAlongX>(Dim2{100, 2}).barriers == 2);
    CHECK(counts<ScanAlongY>(Dim2{10, 65}).barriers == 2);
    CHECK(counts<ScanAlongY>(Dim2{65, 1}).barriers == 0);
    CHECK(counts<ScanWholeBlock>(Dim2{7, 9}).barriers == 2);
}

TEST_CASE("blocks of fewer than 32 warps stay within scratch memory for as many totals as they have warps") {
    STATIC_REQUIRE(block_scan_scratch_bytes(256, 1, 4) == 8 * 4);  // the well-known block scan writes 32 * 4
    STATIC_REQUIRE(x_scan_scratch_bytes(64, 4, 4) == 4 * 2 * 4);
    STATIC_REQUIRE(y_scan_scratch_bytes(1, 128, 8) == 4 * 8);
    STATIC_REQUIRE(x_scan_scratch_bytes(32, 8, 8) == 0);
    for (unsigned threads : {64u, 96u, 128u, 160u, 192u, 224u, 256u}) {
        INFO(threads << " threads");
        CHECK(count_wrong_sum_scans<ScanWholeBlock, std::uint32_t>(EmulatedRunner{}, Dim2{threads, 1}) == 0);
        CHECK(count_wrong_sum_scans<ScanWholeBlock, std::uint32_t>(EmulatedRunner{}, Dim2{32, threads / 32}) == 0);
        CHECK(count_wrong_sum_scans<ScanAlongX, std::uint32_t>(EmulatedRunner{}, Dim2{threads, 2}) == 0);
        CHECK(count_wrong_sum_scans<ScanAlongY, std::uint32_t>(EmulatedRunner{}, Dim2{1, threads}) == 0);
    }
}

TEST_CASE("on the one thread of a host block nothing comes before the value, and the value is the total") {
    HostBlock block(0, 0, 1, 1, nullptr, 0);
    for (const Prefix<int>& prefix :
         {BlockScan(block, 5, SumOf<int>{}), BlockXScan(block, 5, SumOf<int>{}), BlockYScan(block, 5, SumOf<int>{})}) {
        CHECK(prefix.before == 0);
        CHECK(prefix.total == 5);
    }
    CHECK(WarpScan(block, 5, SumOf<int>{}, 1) == 5);
    CHECK(WarpShiftScan(block, 5, SumOf<int>{}, 1) == 0);
}
