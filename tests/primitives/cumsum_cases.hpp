// SPDX-License-Identifier: Apache-2.0
//
// Cumsum over several tiles, the last of them partial, with a carry from tile to tile and one from before the first;
// against a loop over the items. Inclusive and exclusive, for an operation that does not commute.
#pragma once

#include <vector>

#include "primitives/fold_cases.hpp"

namespace fuse::testing {

inline constexpr unsigned cumsum_tiles = 3;

template <int V, class R, class A, class Mode>
struct CumsumKernel {
    const A* in;
    A* out;
    A* carries;  // of each thread after each tile
    index_t count;
    A carry;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        A running = carry;
        for (unsigned tile = 0; tile < cumsum_tiles; ++tile) {
            const index_t first = (index_t(tile) * block_threads(block) + thread) * V;
            Pack<A, V> items;
            FUSE_UNROLL
            for (int v = 0; v < V; ++v) {
                items.item[v] = first + v < count ? in[first + v] : R{}.init();
            }
            running = Cumsum(block, items, R{}, running, Mode{});
            carries[tile * block_threads(block) + thread] = running;
            FUSE_UNROLL
            for (int v = 0; v < V; ++v) {
                if (first + v < count) {
                    out[first + v] = items.item[v];
                }
            }
        }
    }
};

/// item(i): the data, before which came `carry`.
template <int V, class R, class Mode, class Runner, class Item>
unsigned count_wrong_cumsums(const Runner& run, Dim2 block, Item item) {
    using A = decltype(item(0u));
    const unsigned tile_items = block.count() * V;
    const unsigned count = cumsum_tiles * tile_items - (tile_items > 1 ? tile_items / 3 + 1 : 0);
    typename Runner::template Buffer<A> in(count);
    typename Runner::template Buffer<A> out(count);
    typename Runner::template Buffer<A> carries(cumsum_tiles * block.count());
    for (unsigned i = 0; i < count; ++i) {
        in[i] = item(i);
    }
    const A carry = item(count + 17);
    run(Dim2{1, 1}, block, 2 * block_scan_scratch_bytes(block.x, block.y, sizeof(A)),
        CumsumKernel<V, R, A, Mode>{in.data(), out.data(), carries.data(), count, carry});

    unsigned wrong = 0;
    A running = carry;
    for (unsigned i = 0; i < count; ++i) {
        const A next = R{}.combine(running, item(i));
        wrong += !(out[i] == (Mode::inclusive ? next : running));
        running = next;
        if ((i + 1) % tile_items == 0 || i + 1 == count) {
            for (unsigned thread = 0; thread < block.count(); ++thread) {
                wrong += !(carries[i / tile_items * block.count() + thread] == running);
            }
        }
    }
    return wrong;
}

template <int V, class Runner>
unsigned count_wrong_cumsums(const Runner& run, Dim2 block) {
    const auto affine = [](unsigned i) { return FourFolds::of_thread(i).affine; };
    const auto number = [](unsigned i) { return FourFolds::of_thread(i).sum; };
    return count_wrong_cumsums<V, ComposeAffine, Inclusive>(run, block, affine) +
           count_wrong_cumsums<V, ComposeAffine, Exclusive>(run, block, affine) +
           count_wrong_cumsums<V, SumOf<float>, Inclusive>(run, block, number) +
           count_wrong_cumsums<V, SumOf<float>, Exclusive>(run, block, number);
}

inline constexpr Dim2 cumsum_shapes[] = {{1, 1}, {7, 3}, {32, 1}, {96, 2}, {100, 1}, {256, 1}};

}  // namespace fuse::testing
