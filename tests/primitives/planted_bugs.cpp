// SPDX-License-Identifier: Apache-2.0
//
// Planted bugs in what kernels do with their items: order, tails, invalid items, narrow indices. Each must show in the
// way that the tests of the primitives look at results, or those tests prove nothing.
#include <sys/mman.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "primitives/dies.hpp"
#include "primitives/fold_cases.hpp"
#include "support/catch.hpp"
#include "support/emulated/runner.hpp"

using namespace fuse;
using namespace fuse::testing;

namespace {

constexpr Order orders[] = {Order::forward, Order::reverse, Order::shuffled};

/// Inclusive scan of a warp. Swapped: as in many a published listing, the later value comes first.
template <bool Swapped, class A, class R>
A scan_of_warp(EmulatedBlock& block, A acc, const R& r) {
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const A before = block.shuffle_up(acc, distance, 32);
        if (linear_thread(block) >= distance) {
            acc = Swapped ? r.combine(acc, before) : r.combine(before, acc);
        }
    }
    return acc;
}

/// Lanes whose inclusive prefix is wrong.
template <bool Swapped, class R, class Value>
unsigned count_wrong_lanes(const R& r, Value value) {
    unsigned wrong = 0;
    emulate({}, Dim2{32, 1}, 0, [&](EmulatedBlock& block) {
        const unsigned lane = linear_thread(block);
        auto expected = value(0);
        for (unsigned k = 1; k <= lane; ++k) {
            expected = r.combine(expected, value(k));
        }
        wrong += !(scan_of_warp<Swapped>(block, value(lane), r) == expected);
    });
    return wrong;
}

/// Negates n items, four a thread. Without a guard the last thread stores past the end.
template <bool Guarded>
struct NegateFours {
    float* data;
    unsigned n;

    void operator()(EmulatedBlock& block) const {
        const unsigned first = 4 * linear_thread(block);
        for (unsigned i = first; i < first + 4 && (!Guarded || i < n); ++i) {
            data[i] = -data[i];
        }
    }
};

constexpr int poison_item = -99;

/// A functor as the tests of the primitives use it: invalid items are poison, and it says when it gets one.
struct CheckedSquare {
    int operator()(int x) const {
        return x == poison_item ? throw std::runtime_error("the functor got an invalid item") : x * x;
    }
};

template <bool Guarded>
struct SquareFours {
    int* data;
    unsigned n;

    void operator()(EmulatedBlock& block) const {
        const unsigned first = 4 * linear_thread(block);
        int item[4] = {poison_item, poison_item, poison_item, poison_item};
        for (unsigned k = 0; k < 4 && first + k < n; ++k) {
            item[k] = data[first + k];
        }
        for (unsigned k = 0; k < 4 && (!Guarded || first + k < n); ++k) {
            item[k] = CheckedSquare{}(item[k]);
        }
        for (unsigned k = 0; k < 4 && first + k < n; ++k) {
            data[first + k] = item[k];
        }
    }
};

}  // namespace

TEST_CASE("a scan that takes the later value first: sums do not show it, an operation that does not commute does") {
    const auto number = [](unsigned i) { return FourFolds::of_thread(i).sum; };
    const auto affine = [](unsigned i) { return FourFolds::of_thread(i).affine; };
    const auto matrix = [](unsigned i) { return FourFolds::of_thread(i).product; };
    CHECK(count_wrong_lanes<true>(SumOf<float>{}, number) == 0);
    CHECK(count_wrong_lanes<true>(ComposeAffine{}, affine) == 31);
    CHECK(count_wrong_lanes<true>(MultiplyMatrix{}, matrix) == 31);
    CHECK(count_wrong_lanes<false>(ComposeAffine{}, affine) == 0);
    CHECK(count_wrong_lanes<false>(MultiplyMatrix{}, matrix) == 0);
}

TEST_CASE("items stored past the end are seen in what lies there, without a sanitizer too") {
    const auto touched = [](auto kernel) {
        std::vector<float> data(16, 1.f);
        kernel.data = data.data();
        kernel.n = 13;
        emulate({}, Dim2{4, 1}, 0, kernel);
        return std::count(data.begin() + 13, data.end(), -1.f);
    };
    CHECK(touched(NegateFours<true>{}) == 0);
    CHECK(touched(NegateFours<false>{}) == 3);
}

#if FUSE_TESTING_ASAN
TEST_CASE("one item too many stored past the end ends the program") {
    std::vector<float> data(13);
    CHECK(!dies([&data] { emulate({}, Dim2{4, 1}, 0, NegateFours<true>{data.data(), 13}); }));
    CHECK(dies([&data] { emulate({}, Dim2{4, 1}, 0, NegateFours<false>{data.data(), 13}); }));
}
#endif

TEST_CASE("an invalid item given to a functor reaches the caller") {
    int data[13] = {1, 2, 3};
    emulate({}, Dim2{4, 1}, 0, SquareFours<true>{data, 13});
    CHECK(data[2] == 9);
    for (Order order : orders) {
        CHECK_THROWS_WITH(emulate({}, Dim2{4, 1}, 0, SquareFours<false>{data, 13}, {order, 4}),
                          "the functor got an invalid item");
    }
}

TEST_CASE("an index of 32 bits misses what lies 2^32 items on") {
    constexpr std::size_t far = (std::size_t{1} << 32) + 5;
    constexpr std::size_t bytes = far + 4096;
    // Only the pages that are touched take memory.
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    auto* items = static_cast<unsigned char*>(memory);
    items[far] = 77;
    const auto read = [items](auto stride) {
        unsigned char got = 0;
        emulate({}, Dim2{1, 1}, 0, [items, stride, &got](EmulatedBlock& block) {
            const auto index = 2 * stride + 5 + block.thread_x();
            got = items[static_cast<std::size_t>(index)];
        });
        return got;
    };
    CHECK(read(index_t{1} << 31) == 77);
    CHECK(read(1U << 31) == 0);
    munmap(memory, bytes);
}
