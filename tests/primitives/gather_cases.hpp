// SPDX-License-Identifier: Apache-2.0
//
// ReadDataReduce against plain index arithmetic. The functor and the index calculator count their calls, which must be
// as many as the thread has items. Large indices go through a calculator that maps them to a small table, so that
// 64-bit arithmetic is seen without 64-bit memory.
#pragma once

#include <cstdint>

#include "fuse/primitives/thread/read_data_reduce.hpp"
#include "primitives/tile2d_cases.hpp"

namespace fuse::testing {

/// Linear index to a place in a table of prime length; counts its calls.
struct WrapIndex {
    static constexpr index_t length = 97;
    int* calls;

    FUSE_HD index_t operator()(index_t index) const {
        ++*calls;
        return index % length;
    }
};

/// Traps, in the sense of the test, on whatever is not an item of the table.
struct SquareItem {
    int* calls;

    FUSE_HD float operator()(float v) const {
        *calls += v < 1.f || v > 97.f ? 1000000 : 1;
        return v * v;
    }
};

template <int NX, int NY, bool IsBoundary>
struct GatherTile {
    const float16* in;
    float* out;        // all registers
    int* place_calls;  // per thread
    int* item_calls;
    index_t first;
    TileShape tile;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        Pack<float, NX * NY> items;
        ReadDataReduce<NX, NY, IsBoundary>(block, items, in, WrapIndex{place_calls + thread}, first, tile,
                                           float(-filled), SquareItem{item_calls + thread});
        store_pack(out + thread * (NX * NY), items, false);
    }
};

template <int NX, int NY, bool IsBoundary, class Runner>
unsigned count_wrong_gather(const Runner& run, Dim2 block, index_t first, TileShape tile) {
    typename Runner::template Buffer<float16> in(WrapIndex::length);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<float16>(static_cast<float>(i * 31 % 97 + 1));
    }
    const auto threads = static_cast<std::size_t>(block.count());
    typename Runner::template Buffer<float> out(threads * NX * NY);
    typename Runner::template Buffer<int> place_calls(threads), item_calls(threads);
    TileShape told = tile;
    if (!IsBoundary) {
        told.size_x = told.size_y = 0;
    }
    run(Dim2{1, 1}, block, 0,
        GatherTile<NX, NY, IsBoundary>{in.data(), out.data(), place_calls.data(), item_calls.data(), first, told});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        int valid = 0;
        for (int k = 0; k < NX * NY; ++k) {
            const index_t x = thread % block.x + static_cast<index_t>(k % NX) * block.x;
            const index_t y = thread / block.x + static_cast<index_t>(k / NX) * block.y;
            float expected = -filled;
            if (x < tile.size_x && y < tile.size_y) {
                const index_t place = (first + x * tile.stride_x + y * tile.stride_y) % 97;
                const auto item = static_cast<float>(place * 31 % 97 + 1);
                expected = item * item;
                ++valid;
            }
            wrong += out[thread * NX * NY + static_cast<unsigned>(k)] != expected;
        }
        wrong += place_calls[thread] != valid || item_calls[thread] != valid;
    }
    return wrong;
}

template <int NX, int NY, class Runner>
unsigned count_wrong_gathers(const Runner& run) {
    unsigned wrong = 0;
    for (Dim2 block : tile_blocks) {
        const index_t w = static_cast<index_t>(block.x) * NX;
        const index_t h = static_cast<index_t>(block.y) * NY;
        for (index_t x : {index_t(0), index_t(1), w - 1, w, w + 1}) {
            for (index_t y : {index_t(0), index_t(1), h - 1, h, h + 1}) {
                wrong += count_wrong_gather<NX, NY, true>(run, block, 11, {x, y, 1, x});
            }
        }
        const index_t large = index_t(1) << 40;
        wrong += count_wrong_gather<NX, NY, true>(run, block, large, {w - 1, h, 1, large});
        wrong += count_wrong_gather<NX, NY, true>(run, block, 3, {large, large, large + 1, 5});
        wrong += count_wrong_gather<NX, NY, false>(run, block, 3, {w, h, 1, w});
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_gathers(const Runner& run) {
    return count_wrong_gathers<1, 1>(run) + count_wrong_gathers<1, 3>(run) + count_wrong_gathers<4, 1>(run) +
           count_wrong_gathers<2, 2>(run) + count_wrong_gathers<3, 4>(run);
}

/// A BroadcastConfig as the calculator of ReadDataReduce: the linear output index over a broadcast operand.
template <int NX, int NY>
struct GatherBroadcast {
    const int* in;
    int* out;  // [20, 3]
    BroadcastConfig<3> place_of;

    struct Negate {
        FUSE_HD int operator()(int v) const { return -v; }
    };

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const TileShape tile{20, 3, 1, 20};
        Pack<int, NX * NY> items;
        ReadDataReduce<NX, NY>(block, items, in, place_of, 0, tile, 0, Negate{});
        WriteData<NX, NY>(block, out, items, tile);
    }
};

/// Output (3, 4, 5), operand (4, 1): its axis 0 along the output's middle axis.
template <class Runner>
unsigned count_wrong_broadcast_gather(const Runner& run) {
    typename Runner::template Buffer<int> in(4), out(60);
    for (std::size_t i = 0; i < 4; ++i) {
        in[i] = static_cast<int>(i) + 1;
    }
    const auto config = BroadcastConfig<3>::of_operand({3, 4, 5}, {4, 1});
    run(Dim2{1, 1}, Dim2{8, 2}, 0, GatherBroadcast<3, 2>{in.data(), out.data(), config});
    unsigned wrong = 0;
    for (std::size_t i = 0; i < 60; ++i) {
        wrong += out[i] != -static_cast<int>(i / 5 % 4 + 1);
    }
    return wrong;
}

}  // namespace fuse::testing
