// SPDX-License-Identifier: Apache-2.0
//
// The launch of a map with transposed inputs.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/transpose/ladder.hpp"
#include "fuse/plan/transposed.hpp"

FUSE_BEGIN_NAMESPACE

/// A side of a tile may be so short where its lines follow each other in memory.
inline constexpr index_t most_flat_side = 64;
/// Elements of a tile at the most where lines of inputs or outputs begin between vectors: each is found anew, which takes so
/// long that more blocks at a time are worth more than longer lines.
inline constexpr int shifted_elements = 4096;
/// The longest side along x.
inline constexpr index_t longest_tile = 4096;
/// Elements of a thread where the narrowest operand is of single bytes.
inline constexpr int vector_of_bytes = 16;

namespace detail {

/// A side of at most about `most` that leaves the last tile no smaller than the others, a multiple of `step`.
constexpr int even_side(index_t extent, index_t most, int step) {
    return static_cast<int>(round_up(ceil_div(extent, ceil_div(extent, most)), step));
}

/// Whether a tile has all of x though that is more than `most_flat_side`: where lines of the outputs begin between vectors,
/// each of them would be written in parts of vectors, and together they are as few as one is (docs/journal.md, "Lines of
/// outputs as one").
constexpr bool joins_lines(const Layout& layout, const TransposeTile& tile, index_t x, index_t y) {
    constexpr index_t most[] = {0, 144, 208, 272, 352};
    const auto width = std::bit_width(static_cast<unsigned>(tile.vector)) - 1;
    const index_t least_y = layout.flat_y && y <= most_flat_side ? y : 2 * tile.vector;
    return layout.flat_x && x > most_flat_side && x <= most[width] && x * least_y <= tile.elements &&
           layout.places % static_cast<std::uintptr_t>(tile.vector) != 0;
}

/// Tiles of about so many elements for x by y, of no more than `tile` has if whole sides are more.
constexpr TileSides tile_sides(const Layout& layout, const TransposeTile& tile, int elements, index_t x, index_t y) {
    const int vector = tile.vector;
    TileSides sides{};
    sides.leaves = static_cast<unsigned>(layout.transposed) & ((1U << told_leaves) - 1);
    sides.flat_x = layout.flat_x && (x <= most_flat_side || joins_lines(layout, tile, x, y));
    sides.flat_y = layout.flat_y && y <= most_flat_side && (!sides.flat_x || x * y <= tile.elements);
    sides.lead = sides.flat_x || layout.places % static_cast<std::uintptr_t>(vector) == 0 ? 0 : vector;
    const int step = 2 * vector;
    const index_t ahead = x + (sides.lead > 0 ? sides.lead - 1 : 0);
    // The side of a square, as a power of two.
    index_t square = index_t{1} << (std::bit_width(static_cast<unsigned>(elements)) - 1) / 2;
    square = sides.flat_y ? smallest(square, largest<index_t>(step, tile.elements / y)) : square;
    sides.x = sides.flat_x ? static_cast<int>(x) : even_side(ahead, square, step);
    sides.y = sides.flat_y ? static_cast<int>(y) : even_side(y, elements / sides.x, step);
    if (!sides.flat_x && 2 * sides.x * sides.y <= elements) {
        // Lines in shared memory are longer by where they begin in a vector.
        const int line = sides.y + (sides.flat_y ? 2 : vector);
        sides.x = even_side(ahead, smallest<index_t>(elements / line, longest_tile), step);
    }
    sides.y_tiles = static_cast<unsigned>(smallest<index_t>(ceil_div(y, sides.y), most_tiles + 1));
    return sides;
}

constexpr TileSides all_of_y(TileSides sides, int lines, int vector, index_t y) {
    sides.x = lines;
    sides.y = even_side(y, y, 2 * vector);
    sides.y_tiles = 1;
    return sides;
}
/// Lines along x of a tile that has all of y, where lines begin between vectors: 128 of single bytes, else 64. 0: longer
/// lines, or too few tiles for each multiprocessor, where parts of lines are faster (docs/journal.md, "Whole lines").
constexpr int whole_lines(const TransposeTile& tile, index_t x, index_t y, index_t planes, index_t units) {
    const bool of_bytes = tile.vector == vector_of_bytes;
    const int lines = of_bytes ? 128 : 64;
    const index_t bytes = y * 16 / tile.vector;
    const index_t tiles = ceil_div(x, lines) * planes / units;
    const bool pays =
        of_bytes ? bytes <= 128 && tiles >= 7 : (bytes <= 272 && tiles >= 5) || (bytes <= 400 && tiles >= 18);
    return pays && lines * y <= tile.elements ? lines : 0;
}

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody chooses.
Launch choose_transpose(const TransposeTile& tile, const Layout& layout, const Device& device);

#else

FUSE_COLD inline Launch choose_transpose(const TransposeTile& tile, const Layout& layout, const Device& device) {
    if (layout.transposed == 0) {
        return no_launch("inputs and outputs are contiguous along the same axis");
    }
    if (layout.stretched) {
        return no_launch("operands of extent 1 that others stretch");
    }
    const MergedDims& dims = layout.walked;
    const index_t x = dims.extent[dims.count - 1];
    const index_t y = dims.extent[dims.count - 2];
    if (!worth_turning(x, y)) {
        return no_launch("few elements along both axes: what is read between them stays in the cache");
    }
    index_t planes = 1;
    for (int d = 0; d < dims.count - 2; ++d) {
        planes *= dims.extent[d];
    }
    const auto units = static_cast<index_t>(device.units);
    const index_t wave = units * 5;
    const int least = tile.vector * static_cast<int>(transpose_threads);
    const TileSides any = tile_sides(layout, tile, tile.elements, x, y);
    const bool between = any.lead > 0 || (!any.flat_y && y % tile.vector != 0);
    // Of single bytes it has not been measured.
    const bool shifted = tile.vector < vector_of_bytes && between;
    const int lines = between && !any.flat_x && !any.flat_y ? whole_lines(tile, x, y, planes, units) : 0;
    const int filling = shifted ? largest(least, shifted_elements / 2) : 4 * least;
    const bool joined = joins_lines(layout, tile, x, y);
    const int joined_elements = largest(shifted_elements, 4 * least);
    int elements = joined    ? smallest(2 * joined_elements, tile.elements)
                   : shifted ? smallest(largest(shifted_elements, least), tile.elements)
                             : tile.elements;
    Launch l;
    for (;; elements /= 2) {
        const TileSides sides =
            lines > 0 ? all_of_y(any, lines, tile.vector, y) : tile_sides(layout, tile, elements, x, y);
        const index_t x_tiles = sides.x_tiles(x);
        const index_t y_tiles = sides.y_tiles;
        if (x > max_grid || y_tiles > most_tiles || y_tiles > max_grid / x_tiles ||
            planes > max_grid / (x_tiles * y_tiles)) {
            return no_launch("more tiles than a launch has blocks");
        }
        l.grid = x_tiles * y_tiles * planes;
        l.share = sides.pack();
        // In a few waves smaller tiles leave less of the last one empty; in a part of one they fill the device, small ones
        // where there is not even a block for each multiprocessor.
        const bool few_waves = elements == tile.elements && l.grid > wave && l.grid < 3 * wave;
        const bool part = elements > filling && l.grid < (shifted ? wave : 3 * units);
        const bool few = joined ? l.grid < units * (elements > joined_elements ? 24 : 10) : few_waves || part;
        if (lines > 0 || elements <= least || !(few || l.grid < units)) {
            break;
        }
    }
    l.name = "transpose";
    l.vector = tile.vector;
    l.dim_x = transpose_threads;
    l.why = "inputs that are contiguous along another axis than the outputs: a tile per block, by way of shared memory";
    return l;
}

#endif

}  // namespace detail

FUSE_END_NAMESPACE
