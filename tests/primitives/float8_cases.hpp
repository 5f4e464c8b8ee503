// SPDX-License-Identifier: Apache-2.0
//
// 8-bit floating point as a storage type: tiles of any vector width moved unchanged, reduced in float and written back
// rounded once. F is the storage type, Format what its codes mean. Items are multiples of 2^-9 up to 1, so float sums
// of a block are exact; what is written is not, and must be the nearest code.
#pragma once

#include <vector>

#include "primitives/float8.hpp"
#include "primitives/fold_cases.hpp"

namespace fuse::testing {

/// All 256 codes in turn.
template <class F, int V, int N>
struct MoveFloat8 {
    const F* in;
    F* out;
    index_t count;
    bool aligned;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Pack<F, V> tile[N];
        ReadData(block, tile, in, count, aligned, F{});
        WriteData(block, out, tile, count, aligned);
    }
};

/// out = item + the sum of the items of all threads of the group.
template <class F, int V, int N, class Group>
struct AddFloat8Sum {
    const F* in;
    F* out;
    float* sums;  // of each thread
    index_t count;
    bool aligned;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Pack<F, V> tile[N];
        ReadData(block, tile, in, count, aligned, F{});
        float sum = 0;
        FUSE_UNROLL
        for (int i = 0; i < N; ++i) {
            Pack<float, V> wide;
            ElementwiseUnary(
                wide, [](F item) { return static_cast<float>(item); }, tile[i]);
            sum += ReduceLocal(wide, SumOf<float>{});
        }
        sum = Group::fold(block, sum, SumOf<float>{}, AllThreads{});
        sums[linear_thread(block)] = sum;
        FUSE_UNROLL
        for (int i = 0; i < N; ++i) {
            FUSE_UNROLL
            for (int k = 0; k < V; ++k) {
                tile[i].item[k] = static_cast<F>(static_cast<float>(tile[i].item[k]) + sum);
            }
        }
        WriteData(block, out, tile, count, aligned);
    }
};

template <class Format>
unsigned small_float8_code(std::size_t i) {
    const auto code = static_cast<unsigned>(hash(i, 21) % 256);
    const bool small = Format::is_finite(code) && Format::decode(code) >= -1 && Format::decode(code) <= 1;
    const double units = small ? Format::decode(code) * 512 : 0.5;
    return units == static_cast<double>(static_cast<int>(units)) ? code : 0;
}

/// offset: items before the first one in memory.
template <class F, int V, int N, class Runner>
unsigned count_wrong_float8_moves(const Runner& run, Dim2 block, index_t count, index_t offset) {
    const auto size = static_cast<std::size_t>(count + offset);
    typename Runner::template Buffer<F> in(size), out(size);
    for (std::size_t i = 0; i < size; ++i) {
        in[i] = float8_of_code<F>(static_cast<unsigned>(i * 7 % 256));
    }
    run(Dim2{1, 1}, block, 0, MoveFloat8<F, V, N>{in.data() + offset, out.data() + offset, count, offset == 0});
    unsigned wrong = 0;
    for (auto i = static_cast<std::size_t>(offset); i < size; ++i) {
        wrong += code_of(out[i]) != i * 7 % 256;
    }
    return wrong;
}

template <class F, class Format, int V, int N, class Group, class Runner>
unsigned count_wrong_float8_sums(const Runner& run, Dim2 block, index_t count, index_t offset) {
    const auto size = static_cast<std::size_t>(count + offset);
    typename Runner::template Buffer<F> in(size), out(size);
    typename Runner::template Buffer<float> sums(block.count());
    std::vector<double> expected(block.count());
    const auto thread_of = [block](std::size_t item) { return static_cast<unsigned>(item / V % block.count()); };
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const unsigned code = small_float8_code<Format>(i);
        in[i + static_cast<std::size_t>(offset)] = float8_of_code<F>(code);
        expected[Group::first(block, thread_of(i))] += Format::decode(code);
    }
    run(Dim2{1, 1}, block, 2 * Group::scratch_bytes(block, sizeof(float)),
        AddFloat8Sum<F, V, N, Group>{in.data() + offset, out.data() + offset, sums.data(), count, offset == 0});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        wrong += static_cast<double>(sums[thread]) != expected[Group::first(block, thread)];
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const double sum = expected[Group::first(block, thread_of(i))];
        wrong += code_of(out[i + static_cast<std::size_t>(offset)]) !=
                 Format::encode(Format::decode(small_float8_code<Format>(i)) + sum);
    }
    return wrong;
}

template <class F, class Format, int V, int N, class Runner>
unsigned count_wrong_float8_tiles(const Runner& run, Dim2 block) {
    const index_t whole = static_cast<index_t>(block.count()) * V * N;
    unsigned wrong = 0;
    for (index_t offset : {0, 1}) {
        for (index_t count : {index_t{0}, index_t{1}, index_t{V - 1}, whole / 2 + 1, whole - 1, whole}) {
            wrong += count_wrong_float8_moves<F, V, N>(run, block, count, offset);
            wrong += count_wrong_float8_sums<F, Format, V, N, AlongX>(run, block, count, offset);
            wrong += count_wrong_float8_sums<F, Format, V, N, AlongY>(run, block, count, offset);
            wrong += count_wrong_float8_sums<F, Format, V, N, WholeBlock>(run, block, count, offset);
        }
    }
    return wrong;
}

/// Every vector width of one access.
template <class F, class Format, class Runner>
unsigned count_wrong_float8_tiles(const Runner& run, Dim2 block) {
    return count_wrong_float8_tiles<F, Format, 1, 3>(run, block) +
           count_wrong_float8_tiles<F, Format, 2, 1>(run, block) +
           count_wrong_float8_tiles<F, Format, 4, 2>(run, block) +
           count_wrong_float8_tiles<F, Format, 8, 1>(run, block) +
           count_wrong_float8_tiles<F, Format, 16, 2>(run, block);
}

/// A 2-D tile to float registers and, three quarters of each, back.
template <class F>
struct ScaleFloat8Tile {
    const F* in;
    F* out;
    float* loaded;  // all registers
    TileShape tile;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        Pack<float, 6> items;
        ReadData<2, 3>(block, items, in, tile, -1.F);
        store_pack(loaded + linear_thread(block) * 6, items, false);
        FUSE_UNROLL
        for (float& item : items.item) {
            item *= 0.75F;
        }
        WriteData<2, 3>(block, out, items, tile);
    }
};

template <class F, class Format, class Runner>
unsigned count_wrong_float8_tile2d(const Runner& run, Dim2 block, unsigned width, unsigned height) {
    const std::size_t size = std::size_t{width} * height;
    const auto code = [](std::size_t i) { return Format::is_finite(i % 256) ? static_cast<unsigned>(i % 256) : 0U; };
    typename Runner::template Buffer<F> in(size), out(size);
    typename Runner::template Buffer<float> loaded(std::size_t{block.count()} * 6);
    for (std::size_t i = 0; i < size; ++i) {
        in[i] = float8_of_code<F>(code(i));
    }
    run(Dim2{1, 1}, block, 0,
        ScaleFloat8Tile<F>{in.data(), out.data(), loaded.data(), TileShape{width, height, 1, width}});
    unsigned wrong = 0;
    for (unsigned y = 0; y < block.y * 3; ++y) {
        for (unsigned x = 0; x < block.x * 2; ++x) {
            const std::size_t at = std::size_t{y} * width + x;
            const std::size_t place = ((y % block.y * block.x + x % block.x) * 3 + y / block.y) * 2 + x / block.x;
            const bool valid = x < width && y < height;
            const double value = valid ? Format::decode(code(at)) : -1;
            wrong += static_cast<double>(loaded[place]) != value;
            wrong += valid && code_of(out[at]) != Format::encode(value * 0.75);
        }
    }
    return wrong;
}

/// Both ends of the tile inside and outside of the block.
template <class F, class Format, class Runner>
unsigned count_wrong_float8_tiles2d(const Runner& run) {
    return count_wrong_float8_tile2d<F, Format>(run, Dim2{16, 8}, 32, 24) +
           count_wrong_float8_tile2d<F, Format>(run, Dim2{16, 8}, 31, 23) +
           count_wrong_float8_tile2d<F, Format>(run, Dim2{7, 5}, 3, 14) +
           count_wrong_float8_tile2d<F, Format>(run, Dim2{33, 2}, 65, 1);
}

/// Whole warps, parts of one, partial last warps, rows that cross warps, one thread.
inline constexpr Dim2 float8_shapes[] = {{1, 1},  {32, 1},  {16, 5}, {7, 3}, {64, 2},
                                         {48, 2}, {100, 3}, {1, 33}, {8, 65}};

}  // namespace fuse::testing
