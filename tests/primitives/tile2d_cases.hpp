// SPDX-License-Identifier: Apache-2.0
//
// 2-D tiles in and out of registers against loops over the tile's items: every critical size in both directions,
// contiguous, transposed and misaligned memory, with conversion. The memory between the rows, and after the ends when
// an item there exists, holds a value that no register may show.
#pragma once

#include <cstdint>
#include <vector>

#include "primitives/fold_cases.hpp"

namespace fuse::testing {

inline constexpr Dim2 tile_blocks[] = {{1, 1}, {7, 3}, {32, 8}, {8, 5}, {33, 2}};

/// What surrounds the items, what fills registers, and what memory holds before it is written.
inline constexpr int forbidden = 99;
inline constexpr int filled = 77;
inline constexpr int untouched = 55;

/// Values that float16 and int8 hold exactly, none of the above.
constexpr int tile_value(index_t x, index_t y) {
    return static_cast<int>((x * 7 + y * 13) % 53) - 26;
}

template <class Tx, class Ty, int NX, int NY, bool IsBoundary>
struct MoveTile {
    const Tx* in;
    Tx* out;
    Ty* loaded;  // all registers
    TileShape tile;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Pack<Ty, NX * NY> items;
        ReadData<NX, NY, IsBoundary>(block, items, in, tile, Ty(filled));
        store_pack(loaded + linear_thread(block) * (NX * NY), items, false);
        WriteData<NX, NY, IsBoundary>(block, out, items, tile);
    }
};

/// A tile of `left` items at `tile`'s strides; `room` items exist in memory, of which those outside are forbidden.
template <class Tx, class Ty, int NX, int NY, bool IsBoundary, class Runner>
unsigned count_wrong_tile2d(const Runner& run, Dim2 block, TileShape tile, Dim2 room, index_t misaligned) {
    const index_t w = static_cast<index_t>(block.x) * NX;
    const index_t h = static_cast<index_t>(block.y) * NY;
    const bool none = room.x == 0 || room.y == 0;
    const auto bytes = static_cast<std::size_t>(misaligned + (none ? 0 : tile.offset(room.x - 1, room.y - 1) + 1));
    typename Runner::template Buffer<Tx> in(bytes, Tx(forbidden)), out(bytes, Tx(untouched));
    typename Runner::template Buffer<Ty> loaded(static_cast<std::size_t>(w * h));
    const index_t width = tile.size_x < w ? tile.size_x : w;
    const index_t height = tile.size_y < h ? tile.size_y : h;
    for (index_t y = 0; y < height; ++y) {
        for (index_t x = 0; x < width; ++x) {
            in[static_cast<std::size_t>(misaligned + tile.offset(x, y))] = static_cast<Tx>(tile_value(x, y));
        }
    }
    TileShape told = tile;
    if (!IsBoundary) {
        told.size_x = told.size_y = 0;  // not looked at
    }
    run(Dim2{1, 1}, block, 0,
        MoveTile<Tx, Ty, NX, NY, IsBoundary>{in.data() + misaligned, out.data() + misaligned, loaded.data(), told});

    unsigned wrong = 0;
    std::vector<int> expected(bytes, untouched);
    for (index_t y = 0; y < h; ++y) {
        for (index_t x = 0; x < w; ++x) {
            const bool valid = x < width && y < height;
            const index_t thread = y % block.y * block.x + x % block.x;
            const index_t k = y / block.y * NX + x / block.x;
            const int item = valid ? tile_value(x, y) : filled;
            wrong += loaded[static_cast<std::size_t>(thread * NX * NY + k)] != static_cast<Ty>(item);
            if (valid) {
                expected[static_cast<std::size_t>(misaligned + tile.offset(x, y))] = item;
            }
        }
    }
    for (std::size_t i = 0; i < bytes; ++i) {
        wrong += static_cast<float>(out[i]) != static_cast<float>(expected[i]);
    }
    return wrong;
}

template <class Tx, class Ty, int NX, int NY, class Runner>
unsigned count_wrong_tiles2d(const Runner& run) {
    unsigned wrong = 0;
    for (Dim2 block : tile_blocks) {
        const unsigned w = block.x * NX;
        const unsigned h = block.y * NY;
        for (unsigned x : {0u, 1u, block.x, w - 1, w, w + 1}) {
            for (unsigned y : {0u, 1u, block.y, h - 1, h, h + 1}) {
                // Exactly the memory that may be touched, so the sanitizers see one item too many.
                const TileShape rows{x, y, 1, static_cast<index_t>(x) + 3};
                wrong += count_wrong_tile2d<Tx, Ty, NX, NY, true>(run, block, rows, Dim2{x, y}, (x + y) % 2);
            }
        }
        // Transposed, and with every second column; sizes below zero; memory that goes on after the ends.
        wrong += count_wrong_tile2d<Tx, Ty, NX, NY, true>(run, block, {w - 1, h, h + 2, 1}, {w - 1, h}, 1);
        wrong += count_wrong_tile2d<Tx, Ty, NX, NY, true>(run, block, {w, h - 1, 2, 2 * w + 1}, {w, h - 1}, 0);
        wrong += count_wrong_tile2d<Tx, Ty, NX, NY, true>(run, block, {-5, h, 1, w}, {w, h}, 0);
        wrong += count_wrong_tile2d<Tx, Ty, NX, NY, true>(run, block, {w, -1, 1, w}, {w, h}, 0);
        wrong += count_wrong_tile2d<Tx, Ty, NX, NY, true>(run, block, {w / 2, h / 2, 1, w}, {w, h}, 0);
        wrong += count_wrong_tile2d<Tx, Ty, NX, NY, false>(run, block, {w, h, 1, w + 1}, {w, h}, 1);
    }
    return wrong;
}

template <class Tx, class Ty, int NX, class Runner>
unsigned count_wrong_columns2d(const Runner& run) {
    return count_wrong_tiles2d<Tx, Ty, NX, 1>(run) + count_wrong_tiles2d<Tx, Ty, NX, 2>(run) +
           count_wrong_tiles2d<Tx, Ty, NX, 3>(run) + count_wrong_tiles2d<Tx, Ty, NX, 4>(run);
}

/// All of NX, NY in {1, 2, 3, 4} with half -> float and back.
template <class Runner>
unsigned count_wrong_tiles2d(const Runner& run) {
    return count_wrong_columns2d<float16, float, 1>(run) + count_wrong_columns2d<float16, float, 2>(run) +
           count_wrong_columns2d<float16, float, 3>(run) + count_wrong_columns2d<float16, float, 4>(run);
}

template <class Runner>
unsigned count_wrong_types2d(const Runner& run) {
    return count_wrong_tiles2d<std::int8_t, std::int32_t, 2, 3>(run) +
           count_wrong_tiles2d<std::int64_t, std::int64_t, 1, 2>(run) + count_wrong_tiles2d<double, float16, 3, 1>(run);
}

/// NX = 1, NY > 1 with three of the eight columns left. Memory goes on to the right of them.
template <int NY, class Runner>
unsigned count_wrong_narrow_tile(const Runner& run) {
    return count_wrong_tile2d<float, float, 1, NY, true>(run, Dim2{8, 5}, {3, 5 * NY, 1, 8}, Dim2{8, 5 * NY}, 0);
}

/// Everything that a thread knows about a tile, without touching memory: for sizes and offsets that no buffer has.
template <int NX, int NY>
struct DescribeTile {
    index_t* indices;  // of all registers
    int* counts;       // x and y per thread
    index_t first;
    TileShape tile;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        Pack<index_t, NX * NY> index;
        InitWithDataIndex<NX, NY>(block, index, first, tile);
        store_pack(indices + thread * (NX * NY), index, false);
        const auto count = tile_count<NX, NY>(block, tile);
        counts[2 * thread] = count.x;
        counts[2 * thread + 1] = count.y;
    }
};

template <int NX, int NY, class Runner>
unsigned count_wrong_descriptions(const Runner& run, Dim2 block, index_t first, TileShape tile) {
    typename Runner::template Buffer<index_t> indices(static_cast<std::size_t>(block.count()) * NX * NY);
    typename Runner::template Buffer<int> counts(static_cast<std::size_t>(block.count()) * 2);
    run(Dim2{1, 1}, block, 0, DescribeTile<NX, NY>{indices.data(), counts.data(), first, tile});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        int count_x = 0;
        int count_y = 0;
        for (int iy = 0; iy < NY; ++iy) {
            const index_t y = thread / block.x + static_cast<index_t>(iy) * block.y;
            count_y += y < tile.size_y;
            for (int ix = 0; ix < NX; ++ix) {
                const index_t x = thread % block.x + static_cast<index_t>(ix) * block.x;
                count_x += iy == 0 && x < tile.size_x;
                wrong += indices[thread * NX * NY + static_cast<unsigned>(iy * NX + ix)] !=
                         first + x * tile.stride_x + y * tile.stride_y;
            }
        }
        wrong += counts[2 * thread] != count_x || counts[2 * thread + 1] != count_y;
    }
    return wrong;
}

/// Sizes whose lower 32 bits are 0, and offsets far above 2^31.
template <class Runner>
unsigned count_wrong_large_tiles(const Runner& run) {
    const index_t large = index_t(1) << 32;
    unsigned wrong = 0;
    for (Dim2 block : tile_blocks) {
        wrong += count_wrong_descriptions<2, 3>(run, block, large * 256, {large, 2 * large, 3, large + 1});
        wrong += count_wrong_descriptions<3, 1>(run, block, 5, {8, large, large * 1024, 7});
        wrong += count_wrong_descriptions<1, 4>(run, block, -large, {-large, 9, 1, -3 * large});
    }
    return wrong;
}

}  // namespace fuse::testing
