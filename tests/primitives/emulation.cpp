// SPDX-License-Identifier: Apache-2.0
//
// Planted bugs: each one must be found by the emulated block, or its tests prove nothing.
#include <string>

#include "primitives/fold_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// The message of the emulation_error that the launch ends with, or nothing.
template <class Kernel>
std::string error_of(Dim2 block, std::size_t shared_bytes, const Kernel& kernel, EmulateOptions options = {},
                     Dim2 grid = {}) {
    try {
        emulate(grid, block, shared_bytes, kernel, options);
    } catch (const emulation_error& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

constexpr Order orders[] = {Order::forward, Order::reverse, Order::shuffled};

}  // namespace

TEST_CASE("a thread that exits before a barrier the others wait in is reported") {
    for (Order order : orders) {
        const std::string error = error_of(Dim2{64, 1}, 0,
                                           [](EmulatedBlock& block) {
                                               if (block.thread_x() != 17) {
                                                   block.sync();
                                               }
                                           },
                                           {order, 4});
        INFO(error);
        CHECK(contains(error, "thread (17, 0)"));
        CHECK(contains(error, "emulation.cpp:"));
        CHECK(contains(error, "exit"));
    }
}

TEST_CASE("a thread that exits before a shuffle of its warp is reported") {
    for (Order order : orders) {
        const std::string error = error_of(Dim2{40, 1}, 0,
                                           [](EmulatedBlock& block) {
                                               if (block.thread_x() != 39) {
                                                   block.shuffle(1, 0, 8);
                                               }
                                           },
                                           {order, 4});
        INFO(error);
        CHECK(contains(error, "shuffle"));
        CHECK(contains(error, "(39, 0)"));
    }
}

TEST_CASE("a divergent barrier is reported with both places") {
    for (Order order : orders) {
        const std::string error = error_of(Dim2{8, 2}, 0,
                                           [](EmulatedBlock& block) {
                                               if (block.thread_y() == 0) {
                                                   block.sync();
                                               } else {
                                                   block.sync();
                                               }
                                           },
                                           {order, 4});
        INFO(error);
        CHECK(contains(error, "divergent barrier"));
        CHECK(contains(error, "emulation.cpp:"));
    }
}

TEST_CASE("a shuffle that names an absent lane is reported") {
    const std::string error =
        error_of(Dim2{40, 1}, 0, [](EmulatedBlock& block) { WarpReduce(block, 1, SumOf<int>{}, 32); });
    INFO(error);
    CHECK(contains(error, "absent"));
    CHECK(contains(error, "warp_reduce.hpp:"));
}

TEST_CASE("different shuffles in one warp are reported") {
    const auto widths = [](EmulatedBlock& block) { block.shuffle_xor(1, 1, block.thread_x() < 8 ? 8 : 16); };
    CHECK(contains(error_of(Dim2{32, 1}, 0, widths), "different shuffles"));

    const auto kinds = [](EmulatedBlock& block) {
        block.thread_x() < 8 ? block.shuffle(1, 0, 8) : block.shuffle_xor(1, 1, 8);
    };
    CHECK(contains(error_of(Dim2{32, 1}, 0, kinds), "different shuffles"));

    const auto barrier = [](EmulatedBlock& block) {
        if (block.thread_x() < 8) {
            block.sync();
        }
        block.shuffle(1, 0, 8);
    };
    for (Order order : orders) {
        CHECK(contains(error_of(Dim2{32, 1}, 0, barrier, {order, 4}), "waits at"));
    }
    CHECK(contains(error_of(Dim2{32, 1}, 0, [](EmulatedBlock& block) { block.shuffle(1, 0, 12); }), "width 12"));
}

TEST_CASE("shared memory that was never written reads as 0xCD, also when a half is used again") {
    unsigned seen[2] = {};
    emulate({}, Dim2{1, 1}, 32, [&seen](EmulatedBlock& block) {
        seen[0] = *block.scratch<unsigned>(1);
        block.sync();
        *block.scratch<unsigned>(1) = 1;
        block.sync();
        seen[1] = *block.scratch<unsigned>(1);
    });
    CHECK(seen[0] == 0xCDCDCDCD);
    CHECK(seen[1] == 0xCDCDCDCD);
}

#if FUSE_TESTING_ASAN
TEST_CASE("bytes of a half that the collective did not ask for are out of bounds") {
    emulate({}, Dim2{1, 1}, 2 * 64, [](EmulatedBlock& block) {
        const char* bytes = block.scratch<char>(20);
        CHECK(!__asan_address_is_poisoned(bytes + 19));
        CHECK(__asan_address_is_poisoned(bytes + 20));
        CHECK(__asan_address_is_poisoned(bytes + 64));
    });
}
#endif

TEST_CASE("a missing barrier gives wrong values") {
    for (Order order : orders) {
        int wrong = 0;
        const auto kernel = [&wrong](EmulatedBlock& block) {
            unsigned* values = block.scratch<unsigned>(64);
            values[block.thread_x()] = block.thread_x();
            // here the barrier is missing
            const unsigned other = (block.thread_x() + 1) % 64;
            wrong += values[other] != other;
        };
        emulate({}, Dim2{64, 1}, 2 * 256, kernel, {order, 4});
        CHECK(wrong > 0);
    }
}

TEST_CASE("misuse of scratch memory is reported") {
    CHECK(contains(error_of(Dim2{32, 1}, 2 * 64, [](EmulatedBlock& block) { block.scratch<float>(17); }), "64 bytes"));
    const auto uneven = [](EmulatedBlock& block) {
        if (block.thread_x() == 3) {
            block.scratch<int>(1);
        }
        block.sync();
    };
    CHECK(contains(error_of(Dim2{32, 1}, 64, uneven), "only one of them"));
    const auto sizes = [](EmulatedBlock& block) { block.scratch<int>(block.thread_x() == 3 ? 1 : 2); };
    CHECK(contains(error_of(Dim2{32, 1}, 64, sizes), "asked for"));
    const auto no_barrier = [](EmulatedBlock& block) {
        for (int i = 0; i < 3; ++i) {
            block.scratch<int>(1);
        }
    };
    CHECK(contains(error_of(Dim2{2, 1}, 64, no_barrier), "later collective"));
}

TEST_CASE("a grid barrier of blocks that are not all resident is reported, not waited for") {
    unsigned words[2] = {};
    const auto kernel = [&words](EmulatedBlock& block) { grid_sync(block, words, 3); };
    CHECK(contains(error_of(Dim2{4, 1}, 0, kernel, {}, Dim2{3, 1}), "no thread makes progress"));

    words[0] = words[1] = 0;
    EmulateOptions together;
    together.cooperative = true;
    CHECK(error_of(Dim2{4, 1}, 0, kernel, together, Dim2{3, 1}) == "");
}

TEST_CASE("exceptions of a thread reach the caller, and the other threads run their destructors") {
    struct Guard {
        int* alive;
        explicit Guard(int* count) : alive(count) { ++*alive; }
        ~Guard() { --*alive; }
    };
    int alive = 0;
    const auto kernel = [&alive](EmulatedBlock& block) {
        const Guard guard(&alive);
        const std::string on_the_heap(100, 'x');
        block.sync();
        if (block.thread_x() == 5) {
            throw std::runtime_error("thread 5");
        }
        block.sync();
    };
    for (Order order : orders) {
        CHECK_THROWS_WITH(emulate(Dim2{2, 1}, Dim2{64, 1}, 0, kernel, {order, 4, true}), "thread 5");
        CHECK(alive == 0);
    }
}

TEST_CASE("every thread runs once per block, in the order asked for") {
    std::vector<unsigned> visited;
    const auto kernel = [&visited](EmulatedBlock& block) {
        visited.push_back(block.block_y() * 1000 + block.block_x() * 100 + linear_thread(block));
    };
    emulate(Dim2{2, 2}, Dim2{3, 2}, 0, kernel);
    std::vector<unsigned> forward = visited;
    CHECK(forward.size() == 24);
    CHECK(std::is_sorted(forward.begin(), forward.end()));

    visited.clear();
    emulate(Dim2{2, 2}, Dim2{3, 2}, 0, kernel, {Order::reverse});
    CHECK(std::is_sorted(visited.rbegin(), visited.rend()));

    visited.clear();
    emulate(Dim2{2, 2}, Dim2{3, 2}, 0, kernel, {Order::shuffled, 7, true});
    CHECK(!std::is_sorted(visited.begin(), visited.end()));
    std::sort(visited.begin(), visited.end());
    CHECK(visited == forward);
}
