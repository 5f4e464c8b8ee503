// SPDX-License-Identifier: Apache-2.0
//
// The launch of a map.
#pragma once

#include "fuse/kernels/launch/choice.hpp"
#include "fuse/plan/transposed.hpp"

FUSE_BEGIN_NAMESPACE

/// Vectors per thread and leaf.
template <Target T>
inline constexpr int map_vectors = 2;
template <>
inline constexpr int map_vectors<Cpu> = 1;

/// The kernels of maps over several axes on a device: element by element where operands are stretched; where all operands
/// lie as along one axis; in vectors that lie in one or two runs along the innermost; all others; beside operands that come
/// again after a few elements (cycle_place.hpp), last as not all maps have it.
enum class MapKernels { stretched, line, runs, steps, cycles };

/// The domain of a map on a device.
struct MapAxes {
    int rank;
    bool uniform;  ///< some operand does not vary along the last axis
};

/// The tiles of a map with transposed inputs on a CPU, `across` along x and `down` along y: about as many elements along
/// one as along the other, or all there are of them.
struct HostTiles {
    static constexpr index_t items = 4096;
    static constexpr index_t wide = 64;

    index_t x;
    index_t y;
    index_t across;
    index_t down;
    index_t plane;  ///< elements

    FUSE_HD constexpr HostTiles(index_t x_extent, index_t y_extent)
        : x(x_extent), y(items / (x < wide ? x : wide)), plane(x_extent * y_extent) {
        y = y_extent < y ? y_extent : y;
        x = x > items / y ? items / y / wide * wide : x;
        across = (x_extent + x - 1) / x;
        down = (y_extent + y - 1) / y;
    }
    /// The tiles of so many elements.
    FUSE_HD constexpr index_t of(index_t size) const { return size / plane * across * down; }
};

namespace detail {

/// Which of the kernels of a map with vectors of so many elements.
FUSE_COLD inline MapKernels map_kernel(const Layout& layout, const MapAxes& axes, int vector) {
    const MergedDims& dims = layout.walked;
    if (axes.rank <= 1 || layout.stretched) {
        return MapKernels::stretched;
    }
    if (dims.count <= 1) {
        return MapKernels::line;
    }
    if (layout.cycles) {
        return MapKernels::cycles;
    }
    // Where the last axis has extent 1 another is the innermost, along which those operands may vary.
    const bool last = dims.axis[dims.count - 1] == axes.rank - 1;
    const bool runs = dims.extent[dims.count - 1] >= vector && (!axes.uniform || last) && layout.short_offsets;
    return runs ? MapKernels::runs : MapKernels::steps;
}

/// The launch of a map with blocks of so many threads.
FUSE_COLD inline Launch map_launch(const Layout& layout, const MapAxes& axes, int vector, unsigned threads) {
    Launch l;
    l.name = "map";
    l.vector = vector;
    l.vectors = map_vectors<Device>;
    l.kernel = static_cast<int>(map_kernel(layout, axes, vector));
    l.dim_x = threads;
    l.share = static_cast<index_t>(l.dim_x) * l.vector * l.vectors;
    l.grid = limited(ceil_div(largest(layout.walked_size, layout.fill_size), l.share), 1, max_grid);
    return l;
}

template <class Facts>
FUSE_COLD Launch choose_map(const Facts& f, const Layout& layout, const Policy& policy, const MapAxes& axes) {
    Launch l = map_launch(layout, axes, f.vector, policy.row_block_threads);
    l.why = "no reduction: one pass, every block its own tile";
    return l;
}
template <class Facts>
FUSE_COLD Launch choose_map(const Facts& f, const Layout& layout, const Policy& policy, const Cpu&) {
    Launch l;
    l.name = "map";
    l.vector = f.vector;
    l.vectors = map_vectors<Cpu>;
    const MergedDims& dims = layout.walked;
    if (layout.transposed != 0 && !layout.stretched) {
        const index_t x = dims.extent[dims.count - 1];
        const index_t y = dims.extent[dims.count - 2];
        if (worth_turning(x, y)) {
            l.grid = limited(HostTiles(x, y).of(layout.walked_size), 1, max_grid);
            l.why = "inputs that are contiguous along another axis than the outputs: in tiles";
            return l;
        }
    }
    // Shares begin where a vector may: one that began elsewhere would cross the end of a row.
    l.share = round_up(largest<index_t>(1, policy.host_block_items), f.vector);
    l.grid = limited(ceil_div(largest(layout.walked_size, layout.fill_size), l.share), 1, max_grid);
    l.why = "no reduction: one pass, a piece per block";
    return l;
}

}  // namespace detail

FUSE_END_NAMESPACE
