// SPDX-License-Identifier: Apache-2.0
//
// What the choice and the kernel of transposed maps both know: the size of a tile.
#pragma once

#include "fuse/numeric.hpp"

FUSE_BEGIN_NAMESPACE

/// Threads of a block.
inline constexpr unsigned transpose_threads = 256;
/// Shared memory that the tiles of a block take; more only where the smallest tile needs it, up to what any launch has.
inline constexpr int transpose_bytes = 32 * 1024;
inline constexpr int most_transpose_bytes = 48 * 1024;

/// `x` elements along the axis of the outputs by `y` along that of the transposed inputs, powers of two; a thread
/// evaluates `vector` of them along x at a time.
struct TransposeTile {
    int vector;
    int x;
    int y;
};

/// The sides of the tile that a launch has, as powers of two.
struct TileSides {
    int log_x;
    int log_y;

    FUSE_HD int x() const { return 1 << log_x; }
    FUSE_HD int y() const { return 1 << log_y; }
};

/// narrowest: bytes of an item of the narrowest operand, of which threads read and write 4 bytes at a time; together:
/// bytes of an item of all inputs that are turned round. Lines of a tile are 256 bytes, of narrow operands 128.
constexpr TransposeTile transpose_tile(int narrowest, int together) {
    const int vector = narrowest > 2 ? 1 : 4 / narrowest;
    TransposeTile tile{vector, detail::largest(64, 32 * vector), vector > 1 ? 128 : 64};
    while (tile.x * tile.y * together > transpose_bytes && tile.y > 32) {
        tile.y /= 2;
    }
    while (tile.x * tile.y * together > transpose_bytes && tile.x > 32 * vector) {
        tile.x /= 2;
    }
    return tile;
}

/// The sides of a tile, where the extents do not say otherwise, lie between these: what a warp reads or writes of a line
/// fills sectors, and a block has a thread for each word of one.
inline constexpr int least_tile_side = 32;
inline constexpr int most_tile_side = 256;

/// The tile, or one of as many elements whose copies over x by y elements cover an eighth less.
constexpr TransposeTile fitting_tile(const TransposeTile& tile, index_t x, index_t y) {
    const auto covered = [&](const TransposeTile& t) {
        return static_cast<double>((x + t.x - 1) / t.x) * static_cast<double>((y + t.y - 1) / t.y);
    };
    TransposeTile best = tile;
    for (int side = least_tile_side; side <= most_tile_side; side *= 2) {
        const TransposeTile other{tile.vector, tile.x * tile.y / side, side};
        const bool fits = other.x >= least_tile_side && other.x <= most_tile_side;
        best = fits && 8 * covered(other) < 7 * covered(best) ? other : best;
    }
    return best;
}

FUSE_END_NAMESPACE
