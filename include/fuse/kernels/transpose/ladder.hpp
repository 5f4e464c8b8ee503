// SPDX-License-Identifier: Apache-2.0
//
// What the choice and the kernel of transposed maps both know: the size of a tile, and its sides.
#pragma once

#include <bit>

#include "fuse/numeric.hpp"

FUSE_BEGIN_NAMESPACE

/// Threads of a block: few, as where a thread's elements lie costs as much to find out as ten vectors to turn round.
inline constexpr unsigned transpose_threads = 128;
/// Bytes of the tiles of a block, all inputs together: five blocks of them are resident.
inline constexpr int transpose_bytes = 32 * 1024;

/// Of a kernel: a thread evaluates `vector` elements at a time, a power of two, in a tile of at most so many `elements`.
struct TransposeTile {
    int vector;
    int elements;
};

/// together: bytes of an item of all inputs that are turned round.
constexpr TransposeTile tile_of_vectors(int vector, int together) {
    const int least = vector * static_cast<int>(transpose_threads);
    return {vector, detail::largest(least, static_cast<int>(std::bit_floor(unsigned{transpose_bytes} /
                                                                           static_cast<unsigned>(together))))};
}
/// Bytes of an item of the narrowest and of the widest operand, and of all inputs that may be turned round together. Vectors have
/// no more than 32 bytes, a sector of memory, which two stores fill at once.
constexpr TransposeTile transpose_tile(int narrowest, int widest, int together) {
    const int most = detail::largest(1, detail::smallest(16 / narrowest, 32 / widest));
    return tile_of_vectors(static_cast<int>(std::bit_floor(static_cast<unsigned>(most))), together);
}

/// The most tiles along an axis, as many as a launch can tell its kernel.
inline constexpr index_t most_tiles = (index_t{1} << 24) - 1;

/// Of so many leaves, the first, a launch tells its kernel which have a tile in shared memory: who is transposed is known when
/// it is launched, and small tiles beside operands that are not would be many more than are needed. Others always have one.
inline constexpr int told_leaves = 4;

/// The tiles of a launch: x elements along the axis of the outputs by y along that of the transposed inputs.
struct TileSides {
    int x;
    int y;
    int lead;          ///< elements before the first along x that a tile has as well: aligned vectors may begin there
    bool flat_x;       ///< a tile has all of x, and its lines are written as one: they follow each other
    bool flat_y;       ///< a tile has all of y, and the inputs' lines are read as one
    unsigned y_tiles;  ///< how many tiles y takes
    unsigned leaves;   ///< which of the first leaves have a tile in shared memory

    /// As the share of a launch.
    constexpr index_t pack() const {
        const auto low = static_cast<std::uint64_t>(x | index_t{y} << 13 | index_t{lead} << 28);
        const auto high = static_cast<std::uint64_t>(unsigned{flat_x} << 1 | unsigned{flat_y} << 2 | y_tiles << 3);
        return static_cast<index_t>(low | high << 32 | std::uint64_t{leaves} << 60);
    }
    static FUSE_HD constexpr TileSides of(index_t share) {
        const auto low = static_cast<unsigned>(share);
        const auto high = static_cast<unsigned>(share >> 32);
        return {static_cast<int>(low & 0x1fff),
                static_cast<int>(low >> 13 & 0x7fff),
                static_cast<int>(low >> 28 | (high & 1) << 4),
                (high & 2) != 0,
                (high & 4) != 0,
                high << told_leaves >> (told_leaves + 3),
                high >> (32 - told_leaves)};
    }
    /// Whether leaf number i has a tile, if it may be transposed.
    FUSE_HD constexpr bool has(int i) const { return i >= told_leaves || ((leaves >> i) & 1U) != 0; }
    /// How many tiles x elements take: those that a tile begins with may belong to the one before.
    template <class T>
    FUSE_HD constexpr T x_tiles(T extent) const {
        return (extent + static_cast<T>((lead > 0 ? lead - 1 : 0) + x - 1)) / static_cast<T>(x);
    }
};

FUSE_END_NAMESPACE
