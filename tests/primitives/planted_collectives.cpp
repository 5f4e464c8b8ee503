// SPDX-License-Identifier: Apache-2.0
//
// Planted bugs in the use of collectives and of their memory, continued from emulation.cpp: the faults that kernels
// really have, each in a few lines, found by the emulated block, by a sanitizer or by a wrong result in some thread
// order.
#include <string>

#include "primitives/dies.hpp"
#include "primitives/fold_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr Order orders[] = {Order::forward, Order::reverse, Order::shuffled};

/// The message of the emulation_error that the launch ends with, or nothing.
template <class Kernel>
std::string error_of(Dim2 block, std::size_t shared_bytes, const Kernel& kernel, EmulateOptions options = {}) {
    try {
        emulate({}, block, shared_bytes, kernel, options);
    } catch (const emulation_error& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The well-known block scan, which takes a block to have 32 warps: warp totals, then a scan of 32 of them.
unsigned block_sum_of_32_warps(EmulatedBlock& block, unsigned slots) {
    unsigned* totals = block.scratch<unsigned>(slots);
    const unsigned thread = linear_thread(block);
    const unsigned sum = WarpScan(block, 1U, SumOf<unsigned>{}, 32);
    if (thread % 32 == 31) {
        totals[thread / 32] = sum;
    }
    block.sync();
    if (thread < 32) {
        totals[thread] = WarpScan(block, totals[thread], SumOf<unsigned>{}, 32);
    }
    block.sync();
    return totals[31];
}

}  // namespace

TEST_CASE("scratch memory written again before all have read it: wrong in some thread orders, not in all") {
    unsigned wrong[3] = {};
    for (Order order : orders) {
        const auto kernel = [&wrong, order](EmulatedBlock& block) {
            unsigned* values = block.scratch<unsigned>(64);
            const unsigned thread = linear_thread(block);
            const unsigned next = thread < 62 ? thread + 1 : thread;
            values[thread] = thread;
            block.sync();
            wrong[static_cast<int>(order)] += values[next] != next;
            // here the barrier is missing
            values[thread] = 1000;
            block.sync();
        };
        emulate({}, Dim2{64, 1}, 2 * 256, kernel, {order, 4});
    }
    CHECK(wrong[static_cast<int>(Order::forward)] == 0);
    CHECK(wrong[static_cast<int>(Order::reverse)] > 0);
    CHECK(wrong[static_cast<int>(Order::shuffled)] > 0);
}

TEST_CASE("warp totals that nobody wrote spoil the result") {
    for (Order order : orders) {
        unsigned wrong = 0;
        const auto kernel = [&wrong](EmulatedBlock& block) { wrong += block_sum_of_32_warps(block, 32) != 64; };
        emulate({}, Dim2{64, 1}, 2 * 128, kernel, {order, 4});
        CHECK(wrong == 64);
    }
    unsigned wrong = 0;
    const auto kernel = [&wrong](EmulatedBlock& block) { wrong += block_sum_of_32_warps(block, 32) != 1024; };
    emulate({}, Dim2{1024, 1}, 2 * 128, kernel);
    CHECK(wrong == 0);  // the one shape that it is right for
}

#if FUSE_TESTING_ASAN
TEST_CASE("one item too many in scratch memory ends the program") {
    const auto write = [](unsigned items) {
        return [items] {
            emulate({}, Dim2{1, 1}, 2 * 64, [items](EmulatedBlock& block) {
                unsigned* values = block.scratch<unsigned>(7);
                for (unsigned i = 0; i < items; ++i) {
                    values[i] = i;
                }
            });
        };
    };
    CHECK(!dies(write(7)));
    CHECK(dies(write(8)));
    CHECK(dies([] { emulate({}, Dim2{256, 1}, 2 * 32, [](EmulatedBlock& b) { block_sum_of_32_warps(b, 8); }); }));
}
#endif

TEST_CASE("the same shuffle in two branches, and values of two sizes, are reported") {
    const auto branches = [](EmulatedBlock& block) {
        if (block.thread_x() < 16) {
            block.shuffle_up(1, 1, 16);
        } else {
            block.shuffle_up(1, 1, 16);
        }
    };
    const auto sizes = [](EmulatedBlock& block) {
        const auto shift = [&block](auto value) { block.shuffle_up(value, 1, 32, "planted", 1); };
        block.thread_x() == 5 ? shift(1.0) : shift(1.0f);
    };
    for (Order order : orders) {
        CHECK(contains(error_of(Dim2{32, 1}, 0, branches, {order, 4}), "different shuffles"));
        CHECK(contains(error_of(Dim2{32, 1}, 0, sizes, {order, 4}), "different shuffles"));
    }
}

TEST_CASE("collectives in a loop that some threads leave earlier are reported") {
    const auto shuffles = [](EmulatedBlock& block) {
        for (unsigned i = block.thread_x(); i < 45; i += 32) {  // 13 lanes have a second item
            block.shuffle_xor(1, 1, 32);
        }
    };
    const auto barriers = [](EmulatedBlock& block) {
        for (unsigned i = block.thread_x(); i < 100; i += 64) {
            block.sync();
        }
    };
    const auto scans = [](EmulatedBlock& block) {
        for (unsigned i = block.thread_x(); i < 100; i += 64) {
            BlockScan(block, 1, SumOf<int>{});
        }
    };
    for (Order order : orders) {
        CHECK(contains(error_of(Dim2{32, 1}, 0, shuffles, {order, 4}), "exit"));
        CHECK(contains(error_of(Dim2{64, 1}, 0, barriers, {order, 4}), "exit"));
        CHECK(error_of(Dim2{64, 1}, 2 * block_scan_scratch_bytes(64, 1, 4), scans, {order, 4}) != "");
    }
}
