// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous copies to a block's own shared memory: what arrives, and that a forgotten wait or a misaligned address
// does not go unnoticed.
#include <cstdint>

#include "fuse/primitives.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

/// Each thread copies a pack and, after a barrier, passes on that of the thread opposite.
template <class T, int V>
struct SwapPacks {
    const T* in;
    T* out;
    bool waits = true;

    template <class B>
    void operator()(B& block) const {
        auto* packs = reinterpret_cast<Pack<T, V>*>(block.own_memory());
        const unsigned thread = linear_thread(block);
        copy_pack_async(block, packs[thread], in + thread * V);
        if (waits) {
            block.wait_copies();
        }
        block.sync();
        const Pack<T, V> opposite = packs[block_threads(block) - 1 - thread];
        for (unsigned v = 0; v < V; ++v) {
            out[thread * V + v] = opposite.item[v];
        }
        block.wait_copies();
    }
};

/// Every other item, one by one.
template <class T>
struct GatherItems {
    const T* in;
    T* out;

    template <class B>
    void operator()(B& block) const {
        T* items = reinterpret_cast<T*>(block.own_memory());
        const unsigned thread = linear_thread(block);
        copy_item_async(block, items[thread], in + 2 * thread);
        block.wait_copies();
        out[thread] = items[thread];
    }
};

template <class T>
std::vector<T> numbers(std::size_t count) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<T>(i % 251 + 1);
    }
    return values;
}

/// own_memory is whole 16 bytes.
constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + 15) / 16 * 16;
}

template <class T, int V>
std::size_t wrong_packs(Dim2 shape, bool waits = true) {
    const unsigned threads = shape.count();
    const std::vector<T> storage = numbers<T>(threads * V + 16);
    const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(storage.data()) % 16;
    const T* in = storage.data() + (misplaced == 0 ? 0 : (16 - misplaced) / sizeof(T));
    std::vector<T> out(threads * V);
    const std::size_t own = round_up(threads * sizeof(Pack<T, V>));
    emulate({}, shape, own, SwapPacks<T, V>{in, out.data(), waits}, {Order::shuffled, 1, false, own});
    std::size_t wrong = 0;
    for (unsigned thread = 0; thread < threads; ++thread) {
        for (unsigned v = 0; v < V; ++v) {
            wrong += out[thread * V + v] != in[(threads - 1 - thread) * V + v];
        }
    }
    return wrong;
}

template <class T>
std::size_t wrong_items(unsigned threads) {
    const std::vector<T> in = numbers<T>(2 * threads);
    std::vector<T> out(threads);
    const std::size_t own = round_up(threads * sizeof(T));
    emulate({}, Dim2{threads, 1}, own, GatherItems<T>{in.data(), out.data()}, {Order::shuffled, 1, false, own});
    std::size_t wrong = 0;
    for (unsigned thread = 0; thread < threads; ++thread) {
        wrong += out[thread] != in[2 * thread];
    }
    return wrong;
}

}  // namespace

TEST_CASE("packs of any size arrive in shared memory") {
    for (const Dim2 shape : {Dim2{1, 1}, Dim2{32, 1}, Dim2{7, 5}, Dim2{96, 2}}) {
        INFO(shape.x << " x " << shape.y);
        CHECK(wrong_packs<std::uint8_t, 1>(shape) == 0);
        CHECK(wrong_packs<std::uint8_t, 16>(shape) == 0);
        CHECK(wrong_packs<std::uint16_t, 1>(shape) == 0);
        CHECK(wrong_packs<std::uint16_t, 4>(shape) == 0);
        CHECK(wrong_packs<float, 1>(shape) == 0);
        CHECK(wrong_packs<float, 3>(shape) == 0);
        CHECK(wrong_packs<float, 4>(shape) == 0);
        CHECK(wrong_packs<float, 8>(shape) == 0);
        CHECK(wrong_packs<double, 2>(shape) == 0);
    }
}

TEST_CASE("single items arrive in shared memory") {
    for (const unsigned threads : {1U, 31U, 64U}) {
        CHECK(wrong_items<std::uint8_t>(threads) == 0);
        CHECK(wrong_items<std::uint16_t>(threads) == 0);
        CHECK(wrong_items<float>(threads) == 0);
        CHECK(wrong_items<double>(threads) == 0);
    }
}

TEST_CASE("what was not waited for has not arrived") {
    CHECK(wrong_packs<float, 4>(Dim2{32, 1}, false) > 0);
}

TEST_CASE("a thread must not leave with copies under way") {
    const std::vector<float> in = numbers<float>(4);
    CHECK_THROWS_AS(emulate({}, Dim2{1, 1}, 16, [&](EmulatedBlock& b) { b.copy_async<16>(b.own_memory(), in.data()); },
                            {Order::forward, 1, false, 16}),
                    emulation_error);
}

TEST_CASE("copies of misaligned memory are refused") {
    const std::vector<double> in(4);
    const auto copy_from = [&](std::size_t offset) {
        emulate({}, Dim2{1, 1}, 16,
                [&](EmulatedBlock& b) {
                    b.copy_async<8>(b.own_memory(), reinterpret_cast<const char*>(in.data()) + offset);
                    b.wait_copies();
                },
                {Order::forward, 1, false, 16});
    };
    CHECK_NOTHROW(copy_from(8));
    CHECK_THROWS_AS(copy_from(4), emulation_error);
}
