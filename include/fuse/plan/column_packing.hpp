// SPDX-License-Identifier: Apache-2.0
//
// Tiles of columns of several indices along the kept axes, where those of one index are too few to fill a tile.
#pragma once

#include "fuse/plan/layout.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Of threads with v columns each.
struct PackedColumns {
    index_t columns;  ///< threads for those of one index
    index_t groups;   ///< indices at which a thread's first column may be
    index_t step;     ///< from one of its indices to the next; 0: it has one
    int width;        ///< how many neighbouring columns of an index it has

    FUSE_HD constexpr PackedColumns(ColumnPacking packing, index_t x_size, index_t kept_size, int v)
        : columns(packing == ColumnPacking::vectors ? x_size / v : x_size),
          groups(packing == ColumnPacking::apart ? (kept_size + v - 1) / v : kept_size),
          step(packing == ColumnPacking::apart ? groups : 0), width(packing == ColumnPacking::vectors ? v : 1) {}

    FUSE_HD constexpr index_t tiles(unsigned threads) const { return (columns * groups + threads - 1) / threads; }
};

}  // namespace detail

/// For threads with v columns each. Templates: they are asked of columns alone.
template <class = void>
FUSE_RARE ColumnPacking pack_columns(const Layout& layout, int v) {
    if (layout.vectors && layout.x_size % v == 0) {
        return ColumnPacking::vectors;
    }
    return layout.kept.count == 1 ? ColumnPacking::apart : ColumnPacking::single;
}
/// Notes how columns are packed into tiles: where those of one index would leave an eighth of whole lines of the cache empty,
/// are too few for a warp, or have more tiles than a launch has blocks.
template <class = void>
FUSE_RARE void note_packing(Layout& layout, int v) {
    constexpr index_t line = 8;
    constexpr index_t few = 24;
    const index_t vectors = (layout.x_size + v - 1) / v;
    const index_t lines = (vectors + line - 1) / line;
    const bool narrow = layout.vectors ? 8 * line * lines > 9 * vectors : layout.x_size < few;
    const bool many = lines * layout.kept_size >= index_t{1} << 31;
    if ((narrow || many) && layout.kept_size > 1 && !layout.stretched) {
        layout.packing = pack_columns(layout, v);
    }
}

FUSE_END_NAMESPACE
