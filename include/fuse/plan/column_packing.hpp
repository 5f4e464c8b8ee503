// SPDX-License-Identifier: Apache-2.0
//
// Tiles of columns of several indices along the kept axes, where those of one index are too few to fill a tile.
#pragma once

#include "fuse/plan/layout.hpp"

FUSE_BEGIN_NAMESPACE

/// For threads with v columns each. Templates: they are asked of columns alone.
template <class = void>
FUSE_COLD ColumnPacking pack_columns(const Layout& layout, int v) {
    ColumnPacking packing;
    if (layout.vectors && layout.x_size % v == 0) {
        packing = {layout.x_size / v, layout.kept_size, 0, v};
    } else if (layout.kept.count == 1) {
        packing = {layout.x_size, (layout.kept_size + v - 1) / v, 0, 1};
        packing.step = packing.groups;
    } else {
        packing = {layout.x_size, layout.kept_size, 0, 1};
    }
    return packing;
}
/// Notes how columns are packed into tiles: where those of one index would leave an eighth of whole lines of the cache empty,
/// are too few for a warp, or have more tiles than a launch has blocks.
template <class = void>
FUSE_COLD void note_packing(Layout& layout, int v) {
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
