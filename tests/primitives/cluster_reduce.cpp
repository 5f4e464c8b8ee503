// SPDX-License-Identifier: Apache-2.0
//
// ClusterReduce on emulated clusters of all sizes and orders, and planted bugs in what it stands on: a barrier that is
// missing, a block that has not begun, one that has left.
#include "fuse/primitives/cluster/cluster_reduce.hpp"

#include <string>
#include <vector>

#include "primitives/batched_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/emulate.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

EmulateOptions in_clusters(unsigned blocks, std::size_t own_bytes, Order order = Order::shuffled, unsigned seed = 1) {
    EmulateOptions options;
    options.order = order;
    options.seed = seed;
    options.own_bytes = own_bytes;
    options.cluster = blocks;
    return options;
}

/// Threads that get another fold than `rounds` of them give one after the other, in `clusters` clusters. Block i brings
/// in round k the value number 7 i + k.
template <class A, class R>
unsigned count_wrong_folds(unsigned blocks, unsigned threads, unsigned rounds, Order order, unsigned seed) {
    constexpr unsigned clusters = 3;
    unsigned wrong = 0;
    const auto kernel = [&](EmulatedBlock& block) {
        BeginClusterReduce(block);
        for (unsigned round = 0; round < rounds; ++round) {
            const unsigned first = block.block_x() / blocks * blocks;
            A expected = ValueOf<A>::make(7 * first + round, 0, 0);
            for (unsigned i = first + 1; i < first + blocks; ++i) {
                expected = R{}.combine(expected, ValueOf<A>::make(7 * i + round, 0, 0));
            }
            const A own = ValueOf<A>::make(7 * block.block_x() + round, 0, 0);
            const A got = ClusterReduce(block, reinterpret_cast<A*>(block.own_memory()), own, R{});
            wrong += !(got == expected);
        }
    };
    emulate(Dim2{clusters * blocks, 1}, Dim2{threads, 1}, cluster_reduce_bytes(sizeof(A)), kernel,
            in_clusters(blocks, cluster_reduce_bytes(sizeof(A)), order, seed));
    return wrong;
}

/// The message of the emulation_error with which two clusters of two blocks end, or nothing.
template <class Kernel>
std::string error_of(const Kernel& kernel, Order order = Order::forward) {
    try {
        emulate(Dim2{4, 1}, Dim2{32, 1}, 64, kernel, in_clusters(2, 64, order));
    } catch (const emulation_error& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("ClusterReduce folds the values of a cluster in the order of its blocks, again and again") {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (const unsigned blocks : {1U, 2U, 3U, 4U, 7U, 8U, 16U}) {
            INFO(blocks << " blocks, order " << static_cast<int>(order));
            CHECK(count_wrong_folds<std::uint32_t, SumOf<std::uint32_t>>(blocks, 32, 5, order, blocks) == 0);
            CHECK(count_wrong_folds<Champion, FindChampion>(blocks, 64, 2, order, blocks) == 0);
            CHECK(count_wrong_folds<Matrix2, MultiplyMatrix>(blocks, 33, 3, order, blocks) == 0);
        }
    }
}

TEST_CASE("a fold without BeginClusterReduce is found") {
    const auto kernel = [](EmulatedBlock& block) {
        ClusterReduce(block, reinterpret_cast<int*>(block.own_memory()), 1, SumOf<int>{});
    };
    CHECK(contains(error_of(kernel), "it has not arrived there"));
}

TEST_CASE("a block that writes to one that may not have begun is found") {
    const auto kernel = [](EmulatedBlock& block) {
        *block.peer(reinterpret_cast<int*>(block.own_memory()), 1 - block.cluster_rank()) = 1;
    };
    CHECK(contains(error_of(kernel), "no barrier of the cluster says that it has begun"));
}

TEST_CASE("a block that writes to one that has left is found") {
    const auto kernel = [](EmulatedBlock& block) {
        block.cluster_arrive();
        block.cluster_wait();
        if (block.cluster_rank() == 1) {
            *block.peer(reinterpret_cast<int*>(block.own_memory()), 0) = 1;
        }
    };
    CHECK(contains(error_of(kernel), "threads of it have exited"));
}

TEST_CASE("an address that is not in the block's own memory, and a block that is not there, are found") {
    const auto outside = [](EmulatedBlock& block) {
        block.cluster_arrive();
        block.cluster_wait();
        *block.peer(reinterpret_cast<int*>(block.own_memory()) + 16, 1 - block.cluster_rank()) = 1;
    };
    CHECK(contains(error_of(outside), "not in own_memory"));
    const auto nobody = [](EmulatedBlock& block) {
        block.cluster_arrive();
        block.cluster_wait();
        *block.peer(reinterpret_cast<int*>(block.own_memory()), 2) = 1;
    };
    CHECK(contains(error_of(nobody), "the cluster has 2 blocks"));
}

TEST_CASE("a thread that arrives twice, and a block that does not arrive, are found") {
    const auto twice = [](EmulatedBlock& block) {
        block.cluster_arrive();
        block.cluster_arrive();
    };
    CHECK(contains(error_of(twice), "has not waited since"));
    const auto half = [](EmulatedBlock& block) {
        if (block.cluster_rank() == 0) {
            block.cluster_arrive();
            block.cluster_wait();
        }
    };
    CHECK(contains(error_of(half), "wait for ever"));
}

TEST_CASE("a slot written again before all have read it: wrong in some order of threads") {
    unsigned wrong = 0;
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        const auto kernel = [&wrong](EmulatedBlock& block) {
            auto* slots = reinterpret_cast<unsigned*>(block.own_memory());
            const unsigned rank = block.cluster_rank();
            block.cluster_arrive();
            for (unsigned round = 1; round <= 4; ++round) {
                block.cluster_wait();
                if (linear_thread(block) < 2) {
                    *block.peer(slots + rank, linear_thread(block)) = round;
                }
                block.cluster_arrive();
                block.cluster_wait();
                // here the values should be read before the arrival that lets others write again
                block.cluster_arrive();
                block.sync();
                block.relax();
                wrong += slots[0] != round || slots[1] != round;
            }
        };
        emulate(Dim2{4, 1}, Dim2{32, 1}, 64, kernel, in_clusters(2, 64, order));
    }
    CHECK(wrong > 0);
}

TEST_CASE("a grid that is not whole clusters is refused") {
    CHECK_THROWS_AS(emulate(
                        Dim2{5, 1}, Dim2{32, 1}, 0, [](EmulatedBlock&) {}, in_clusters(2, 0)),
                    emulation_error);
}
