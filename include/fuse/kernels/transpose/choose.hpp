// SPDX-License-Identifier: Apache-2.0
//
// The launch of a map with transposed inputs.
#pragma once

#include <bit>

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/transpose/ladder.hpp"

FUSE_BEGIN_NAMESPACE

/// Vectors that a thread evaluates at a time: their reads are in flight together.
inline constexpr int transpose_vectors = 4;
/// Of so few elements along an axis a tile would be empty but for them.
inline constexpr index_t few_transposed = 8;

namespace detail {

FUSE_COLD inline Launch choose_transpose(const TransposeTile& large, const Layout& layout) {
    if (layout.transposed == 0) {
        return no_launch("inputs and outputs are contiguous along the same axis");
    }
    if (layout.stretched) {
        return no_launch("operands of extent 1 that others stretch");
    }
    const MergedDims& dims = layout.walked;
    const index_t x = dims.extent[dims.count - 1];
    const index_t y = dims.extent[dims.count - 2];
    if (smallest(x, y) <= few_transposed) {
        return no_launch("few elements along an axis: what is read between them stays in the cache");
    }
    const TransposeTile tile = fitting_tile(large, x, y);
    const index_t x_tiles = ceil_div(x, tile.x);
    const index_t y_tiles = ceil_div(y, tile.y);
    index_t planes = 1;
    for (int d = 0; d < dims.count - 2; ++d) {
        planes *= dims.extent[d];
    }
    if (x_tiles > max_grid || y_tiles > max_grid / x_tiles || planes > max_grid / (x_tiles * y_tiles)) {
        return no_launch("more tiles than a launch has blocks");
    }
    Launch l;
    l.name = "transpose";
    l.vector = tile.vector;
    l.vectors = transpose_vectors;
    l.dim_x = transpose_threads;
    l.share = std::countr_zero(static_cast<unsigned>(tile.y));  // of which the kernel knows the product with x
    l.grid = x_tiles * y_tiles * planes;
    l.why = "inputs that are contiguous along another axis than the outputs: a tile per block, by way of shared memory";
    return l;
}

}  // namespace detail

FUSE_END_NAMESPACE
