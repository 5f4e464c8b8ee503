// SPDX-License-Identifier: Apache-2.0
//
// The launch of a map with transposed inputs.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/kernels/transpose/ladder.hpp"

FUSE_BEGIN_NAMESPACE

/// Vectors that a thread evaluates at a time: their reads are in flight together.
inline constexpr int transpose_vectors = 4;

namespace detail {

FUSE_COLD inline Launch choose_transpose(const TransposeTile& tile, const Layout& layout) {
    if (layout.transposed == 0) {
        return no_launch("inputs and outputs are contiguous along the same axis");
    }
    if (layout.stretched) {
        return no_launch("operands of extent 1 that others stretch");
    }
    const MergedDims& dims = layout.walked;
    const index_t x_tiles = ceil_div(dims.extent[dims.count - 1], tile.x);
    const index_t y_tiles = ceil_div(dims.extent[dims.count - 2], tile.y);
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
    l.grid = x_tiles * y_tiles * planes;
    l.why = "inputs that are contiguous along another axis than the outputs: a tile per block, by way of shared memory";
    return l;
}

}  // namespace detail

FUSE_END_NAMESPACE
