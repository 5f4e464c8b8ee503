// SPDX-License-Identifier: Apache-2.0
//
// A check over block shapes on emulated blocks: the orders in which threads run take turns, so that a sweep costs no
// more than one order.
#pragma once

#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

namespace fuse::testing {

/// A function of a block shape: calls check(run, block), each time with the next thread order and another seed, and
/// names them where the check fails.
template <class View = EmulatedBlock, class Check>
auto in_turn(Check check) {
    return [check, seed = 0U](Dim2 block) mutable {
        const EmulatedRunnerOf<View> run{static_cast<Order>(seed % 3), seed};
        ++seed;
        INFO("block " << block.x << " x " << block.y << ", order " << static_cast<int>(run.order));
        check(run, block);
    };
}

}  // namespace fuse::testing
