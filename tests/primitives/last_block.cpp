// SPDX-License-Identifier: Apache-2.0
//
// last_block, TicketFold, GroupRounds, meet_group and grid_sync on emulated grids, one after the other and all blocks at once.
#include "primitives/grid_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

TEST_CASE("last_block is true once per launch, uniformly, and leaves the counter at 0") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (bool cooperative : {false, true}) {
            const EmulatedRunner run{order, 3};
            CHECK(count_wrong_last_blocks(run, Dim2{1, 1}, Dim2{32, 1}, cooperative) == 0);
            CHECK(count_wrong_last_blocks(run, Dim2{7, 1}, Dim2{40, 1}, cooperative) == 0);
            CHECK(count_wrong_last_blocks(run, Dim2{3, 2}, Dim2{8, 8}, cooperative) == 0);
            CHECK(count_wrong_last_blocks(run, Dim2{4, 1}, Dim2{1, 1}, cooperative) == 0);
        }
    }
}

TEST_CASE("blocks send what they have to the one that began last") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (bool together : {false, true}) {
            const EmulatedRunner run{order, 5};
            for (const unsigned blocks : {1U, 2U, 31U, 70U}) {
                CHECK(count_wrong_ticket_folds<Affine, ComposeAffine>(run, blocks, Dim2{32, 1}, together) == 0);
            }
            CHECK(count_wrong_ticket_folds<Affine, ComposeAffine>(run, 7, Dim2{8, 8}, together) == 0);
            CHECK(count_wrong_ticket_folds<Affine, ComposeAffine>(run, 9, Dim2{1, 1}, together) == 0);
        }
    }
}

TEST_CASE("grid_sync separates phases and can be used again without a reset") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        const EmulatedRunner run{order, 9};
        CHECK(count_wrong_grid_phases(run, Dim2{1, 1}, Dim2{33, 1}) == 0);
        CHECK(count_wrong_grid_phases(run, Dim2{5, 1}, Dim2{32, 2}) == 0);
        CHECK(count_wrong_grid_phases(run, Dim2{2, 3}, Dim2{1, 1}) == 0);
    }
}

TEST_CASE("the blocks of a group meet in rounds and leave the counter at 0") {
    for (Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        const EmulatedRunner run{order, 7};
        CHECK(count_wrong_group_rounds(run, 1, 1, Dim2{33, 1}) == 0);
        CHECK(count_wrong_group_rounds(run, 3, 4, Dim2{32, 2}) == 0);
        CHECK(count_wrong_group_rounds(run, 2, 7, Dim2{1, 1}) == 0);
    }
}

TEST_CASE("host blocks hand over like any others") {
    unsigned counter = 0;
    unsigned last = 0;
    for (unsigned i = 0; i < 5; ++i) {
        alignas(16) unsigned char scratch[2 * last_block_scratch_bytes];
        HostBlock block(i, 0, 5, 1, scratch, last_block_scratch_bytes);
        last += last_block(block, &counter, 5);
    }
    CHECK(last == 1);
    CHECK(counter == 0);
}
