// SPDX-License-Identifier: Apache-2.0
//
// What the choice and the kernel of transposed maps both know: the size of a tile, and its sides.
#pragma once

#include <bit>

#include "fuse/numeric.hpp"

FUSE_BEGIN_NAMESPACE

/// Threads of a block.
inline constexpr unsigned transpose_threads = 256;
/// Bytes of the tiles of a block, all inputs together: five blocks of them are resident.
inline constexpr int most_transpose_bytes = 32 * 1024;

/// Of a kernel. A thread evaluates `vector` elements at a time, a power of two, and has several of them in a tile of so
/// many `elements`; a tile of twice as many may fit as well.
struct TransposeTile {
    int vector;
    int elements;
    bool may_double;
};

/// Bytes of an item of the narrowest and of the widest operand, and of all inputs that may be turned round together.
constexpr TransposeTile transpose_tile(int narrowest, int widest, int together) {
    const auto power = [](int n) { return static_cast<int>(std::bit_floor(static_cast<unsigned>(n))); };
    TransposeTile tile{power(detail::largest(1, detail::smallest(16 / narrowest, 64 / widest))), 0, false};
    const auto least = tile.vector * static_cast<int>(transpose_threads);
    // Bytes cost as many instructions as wider elements do, and a thread as many to begin with.
    tile.elements = detail::largest(least, (narrowest == 1 ? 32 : 16) * 1024 / power(narrowest));
    while (tile.elements * together > most_transpose_bytes && tile.elements > least) {
        tile.elements /= 2;
    }
    tile.may_double = 2 * tile.elements * together <= most_transpose_bytes;
    return tile;
}

/// The tiles of a launch: x elements along the axis of the outputs by y along that of the transposed inputs.
struct TileSides {
    int x;
    int y;
    int lead;     ///< elements before the first along x that a tile has as well: aligned vectors may begin there
    bool flat_x;  ///< a tile has all of x, and its lines are written as one: they follow each other
    bool flat_y;  ///< a tile has all of y, and the inputs' lines are read as one

    /// As the share of a launch.
    constexpr index_t pack() const {
        return x | index_t{y} << 16 | index_t{lead} << 40 | (index_t{flat_x} << 46) | (index_t{flat_y} << 47);
    }
    static FUSE_HD constexpr TileSides of(index_t share) {
        return {static_cast<int>(share & 0xffff), static_cast<int>(share >> 16 & 0xffffff),
                static_cast<int>(share >> 40 & 63), (share >> 46 & 1) != 0, (share >> 47 & 1) != 0};
    }
    /// How many tiles x elements take: those that a tile begins with may belong to the one before.
    FUSE_HD constexpr index_t x_tiles(index_t extent) const {
        return (extent + (lead > 0 ? lead - 1 : 0) + x - 1) / x;
    }
    FUSE_HD constexpr index_t y_tiles(index_t extent) const { return (extent + y - 1) / y; }
};

FUSE_END_NAMESPACE
