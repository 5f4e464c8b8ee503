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

FUSE_END_NAMESPACE
