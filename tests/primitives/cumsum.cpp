// SPDX-License-Identifier: Apache-2.0
//
// Cumsum on emulated blocks and on the one thread of a host block.
#include "primitives/cumsum_cases.hpp"

#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("Cumsum gives running folds over tiles with a carry, inclusive and exclusive, in order") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (Dim2 block : cumsum_shapes) {
            const EmulatedRunner run{order, 8};
            INFO("block " << block.x << " x " << block.y << ", order " << static_cast<int>(order));
            CHECK(count_wrong_cumsums<1>(run, block) == 0);
            CHECK(count_wrong_cumsums<2>(run, block) == 0);
            CHECK(count_wrong_cumsums<4>(run, block) == 0);
        }
    }
}

TEST_CASE("Cumsum is inclusive unless told otherwise, and costs the barriers of one block scan") {
    const auto kernel = [](EmulatedBlock& block) {
        Pack<int, 4> items{{1, 2, 3, 4}};
        const int carry = Cumsum(block, items, SumOf<int>{}, 100);
        CHECK(items.item[0] == 101 + 10 * static_cast<int>(linear_thread(block)));
        CHECK(carry == 100 + 10 * static_cast<int>(block_threads(block)));
    };
    const auto barriers = [&kernel](Dim2 d) {
        return emulate({}, d, 2 * block_scan_scratch_bytes(d.x, d.y, sizeof(int)), kernel).barriers;
    };
    CHECK(barriers(Dim2{1, 1}) == 0);
    CHECK(barriers(Dim2{32, 1}) == 0);
    CHECK(barriers(Dim2{256, 1}) == 1);
    CHECK(barriers(Dim2{7, 3}) == 1);
    CHECK(barriers(Dim2{100, 1}) == 2);
}

TEST_CASE("Cumsum on the one thread of a host block") {
    HostBlock block(0, 0, 1, 1, nullptr, 0);
    Pack<int, 4> items{{1, 2, 3, 4}};
    int carry = Cumsum(block, items, SumOf<int>{}, 10, Exclusive{});
    CHECK(carry == 20);
    CHECK((items.item[0] == 10 && items.item[1] == 11 && items.item[2] == 13 && items.item[3] == 16));
    items = {{1, 2, 3, 4}};
    carry = Cumsum(block, items, SumOf<int>{}, carry);
    CHECK(carry == 30);
    CHECK((items.item[0] == 21 && items.item[1] == 23 && items.item[2] == 26 && items.item[3] == 30));
}
