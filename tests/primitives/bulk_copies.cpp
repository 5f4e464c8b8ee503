// SPDX-License-Identifier: Apache-2.0
//
// Bulk copies, the ring that they fill and the exchange of a cluster's blocks on emulated blocks, and planted bugs: a wait
// that is missing, a slot that was freed too early, a block that has left.
#include <cstdint>
#include <string>
#include <vector>

#include "fuse/primitives/block/bulk_ring.hpp"
#include "fuse/primitives/cluster/cluster_exchange.hpp"
#include "support/catch.hpp"
#include "support/emulated/emulate.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr std::size_t ring_bytes = (sizeof(BulkRingMemory) + 15) / 16 * 16;

/// What a block does wrong.
enum class Bug { none, no_wait, early };

/// Reads `chunks` chunks of four bytes per thread through a ring, and adds up what each thread has read of them; twice, as
/// a kernel does that reads again.
struct ReadThroughRing {
    const std::uint32_t* in;
    std::uint64_t* sums;
    unsigned chunks;
    unsigned slots;
    Bug bug;

    template <class B>
    void operator()(B& block) const {
        const unsigned items = block.dim_x();
        auto& memory = *reinterpret_cast<BulkRingMemory*>(block.own_memory());
        auto* data = reinterpret_cast<std::uint32_t*>(block.own_memory() + ring_bytes);
        BulkRing<B> ring(block, memory);
        const auto fill = [&](unsigned c) {
            if (c < chunks) {
                const unsigned slot = c % slots;
                std::uint64_t* const arrived = ring.fill(slot, items * 4);
                block.copy_bulk(data + slot * items, in + c * items, items * 4, arrived);
            }
        };
        if (block.thread_x() == 0) {
            for (unsigned c = 0; c < slots; ++c) {
                fill(c);
            }
        }
        // Another thread's item: its own would be there even if copies were the threads' own.
        const unsigned item = items - 1 - block.thread_x();
        RingPosition at;
        std::uint64_t sum = 0;
        for (unsigned c = 0; c < chunks; ++c) {
            if (bug != Bug::no_wait) {
                ring.wait(at);
            }
            sum += data[at.slot * items + item];
            if (bug == Bug::early && ring.leave(at.slot)) {
                fill(c + slots);
            }
            sum += data[at.slot * items + item];
            if (bug != Bug::early && ring.leave(at.slot)) {
                fill(c + slots);
            }
            if (bug == Bug::no_wait) {
                ring.wait(at);
            }
            at.next(slots);
        }
        sums[item] = sum;
    }
};

std::size_t wrong_sums(unsigned threads, unsigned chunks, unsigned slots, Order order, Bug bug = Bug::none) {
    std::vector<std::uint64_t> storage(threads * chunks / 2 + 2);
    auto* in = reinterpret_cast<std::uint32_t*>(storage.data());
    in += reinterpret_cast<std::uintptr_t>(in) % 16 / 4;
    std::vector<std::uint64_t> expected(threads);
    for (unsigned i = 0; i < threads * chunks; ++i) {
        in[i] = i * 2654435761U;
        expected[i % threads] += 2 * std::uint64_t{in[i]};
    }
    std::vector<std::uint64_t> sums(threads);
    const std::size_t own = ring_bytes + slots * threads * 4;
    emulate({}, Dim2{threads, 1}, own, ReadThroughRing{in, sums.data(), chunks, slots, bug}, {order, 3, false, own});
    std::size_t wrong = 0;
    for (unsigned t = 0; t < threads; ++t) {
        wrong += sums[t] != expected[t];
    }
    return wrong;
}

/// The message of the emulation_error with which a block of 32 threads ends, or two of a cluster, or nothing.
template <class Kernel>
std::string error_of(const Kernel& kernel, unsigned blocks = 1) {
    EmulateOptions options;
    options.own_bytes = 1024;
    options.cluster = blocks;
    try {
        emulate(Dim2{blocks, 1}, Dim2{32, 1}, 1024, kernel, options);
    } catch (const emulation_error& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

alignas(16) const unsigned char some_bytes[64] = {};

/// One thread begins a barrier in the first word of own_memory; then f(block, barrier, data) by that thread.
template <class F>
auto with_barrier(F f) {
    return [f](EmulatedBlock& block) {
        auto* const barrier = reinterpret_cast<std::uint64_t*>(block.own_memory());
        if (block.thread_x() == 0) {
            block.begin_bytes(barrier);
            f(block, barrier, block.own_memory() + 64);
        }
    };
}

/// A value as the folds of rows have it.
struct Brought {
    double sum;
    unsigned word;
};

}  // namespace

TEST_CASE("a block reads what is larger than its ring, in any order of threads") {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (const unsigned threads : {32U, 64U, 128U}) {
            INFO(threads << " threads, order " << static_cast<int>(order));
            CHECK(wrong_sums(threads, 1, 1, order) == 0);
            CHECK(wrong_sums(threads, 9, 1, order) == 0);
            CHECK(wrong_sums(threads, 11, 4, order) == 0);
            CHECK(wrong_sums(threads, 40, max_ring_slots, order) == 0);
        }
    }
}

TEST_CASE("what was not waited for has not arrived in a slot") {
    CHECK(wrong_sums(32, 4, 4, Order::forward, Bug::no_wait) > 0);
}

TEST_CASE("what is read of a slot after it was left is gone") {
    CHECK(wrong_sums(64, 9, 2, Order::forward, Bug::early) > 0);
}

TEST_CASE("bulk copies of memory that is not whole 16 bytes are refused") {
    const auto copy = [](unsigned to, unsigned from, unsigned bytes) {
        return error_of(with_barrier([=](EmulatedBlock& block, std::uint64_t* barrier, unsigned char* data) {
            block.expect_bytes(barrier, bytes);
            block.copy_bulk(data + to, some_bytes + from, bytes, barrier);
            block.wait_bytes(barrier, 0);
        }));
    };
    CHECK(copy(0, 0, 32).empty());
    CHECK(contains(copy(8, 0, 32), "whole 16 bytes"));
    CHECK(contains(copy(0, 8, 32), "whole 16 bytes"));
    CHECK(contains(copy(0, 0, 24), "whole 16 bytes"));
    CHECK(contains(copy(1024 - 64, 0, 32), "own_memory"));
}

TEST_CASE("a barrier of bytes that is used in another way is found") {
    const auto not_begun = [](EmulatedBlock& block) {
        block.wait_bytes(reinterpret_cast<std::uint64_t*>(block.own_memory()), 0);
    };
    CHECK(contains(error_of(not_begun), "has not begun"));
    CHECK(contains(error_of(with_barrier([](auto& block, auto* barrier, auto*) { block.begin_bytes(barrier); })),
                   "begun already"));
    const auto unexpected = [](auto& block, auto* barrier, auto* data) {
        block.expect_bytes(barrier, 16);
        block.copy_bulk(data, some_bytes, 32, barrier);
    };
    CHECK(contains(error_of(with_barrier(unexpected)), "does not expect"));
    const auto twice = [](auto& block, auto* barrier, auto*) {
        block.expect_bytes(barrier, 16);
        block.expect_bytes(barrier, 16);
    };
    CHECK(contains(error_of(with_barrier(twice)), "expects bytes already"));
    const auto again = [](auto& block, auto* barrier, auto* data) {
        block.expect_bytes(barrier, 16);
        block.copy_bulk(data, some_bytes, 16, barrier);
        block.expect_bytes(barrier, 16);
    };
    CHECK(contains(error_of(with_barrier(again)), "nobody has waited for"));
    const auto for_ever = [](auto& block, auto* barrier, auto*) { block.wait_bytes(barrier, 0); };
    CHECK(contains(error_of(with_barrier(for_ever)), "spin or wait for ever"));
}

TEST_CASE("a block must not leave with bulk copies under way") {
    const auto leave = [](auto& block, auto* barrier, auto* data) {
        block.expect_bytes(barrier, 16);
        block.copy_bulk(data, some_bytes, 16, barrier);
    };
    CHECK(contains(error_of(with_barrier(leave)), "under way"));
}

TEST_CASE("the blocks of a cluster exchange values again and again") {
    for (const Order order : {Order::forward, Order::reverse, Order::shuffled}) {
        for (const unsigned blocks : {1U, 2U, 5U, 16U}) {
            unsigned wrong = 0;
            const auto kernel = [&](EmulatedBlock& block) {
                ClusterExchange<EmulatedBlock> exchange(block, block.own_memory(), sizeof(Brought));
                exchange.meet();
                for (unsigned round = 0; round < 7; ++round) {
                    const Brought* const all =
                        exchange(Brought{0.5 * block.cluster_rank() + round, 100 * round + block.cluster_rank()});
                    for (unsigned rank = 0; rank < blocks; ++rank) {
                        wrong += all[rank].sum != 0.5 * rank + round || all[rank].word != 100 * round + rank;
                    }
                    block.sync();
                }
            };
            EmulateOptions options;
            options.order = order;
            options.own_bytes = cluster_exchange_bytes(sizeof(Brought));
            options.cluster = blocks;
            emulate(Dim2{2 * blocks, 1}, Dim2{32, 1}, options.own_bytes, kernel, options);
            INFO(blocks << " blocks, order " << static_cast<int>(order));
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("a word for a block that has not begun, and for one that has left, is found") {
    const auto send = [](EmulatedBlock& block) {
        auto* const word = reinterpret_cast<unsigned*>(block.own_memory() + 64);
        block.send(word, 1, 1 - block.cluster_rank(), reinterpret_cast<std::uint64_t*>(block.own_memory()));
    };
    CHECK(contains(error_of(send, 2), "no barrier of the cluster says that it has begun"));
    const auto left = [&](EmulatedBlock& block) {
        block.cluster_arrive();
        block.cluster_wait();
        if (block.cluster_rank() == 1) {
            block.relax();  // meanwhile the other block leaves
            send(block);
        }
    };
    CHECK(contains(error_of(left, 2), "threads of it have exited"));
    const auto unprepared = [&](EmulatedBlock& block) {
        block.cluster_arrive();
        block.cluster_wait();
        send(block);
    };
    CHECK(contains(error_of(unprepared, 2), "that has not begun"));
}

TEST_CASE("an exchange without a block that takes part is found") {
    const auto half = [](EmulatedBlock& block) {
        ClusterExchange<EmulatedBlock> exchange(block, block.own_memory(), sizeof(Brought));
        exchange.meet();
        exchange(Brought{});
        if (block.cluster_rank() == 0) {
            exchange(Brought{});
        }
    };
    CHECK(!error_of(half, 2).empty());
}
