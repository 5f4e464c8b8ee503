// SPDX-License-Identifier: Apache-2.0
//
// Which columns a thread has: a tile is dim_x * V neighbouring columns at one index along the other kept axes, or packs those
// of several indices.
#pragma once

#include "fuse/kernels/body/lone_thread.hpp"
#include "fuse/kernels/columns/column_context.hpp"
#include "fuse/plan/column_packing.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether what columns are made of lies as vectors in memory, or is the same in all columns.
template <class P>
FUSE_HD bool columns_as_vectors(const Params<P>& p) {
    bool all = true;
    static_for<P::leaves::size>([&]<int I>() FUSE_INLINE_LAMBDA {
        using L = at_t<typename P::leaves, I>;
        if constexpr (kir::is_memory<L> && L::kept && L::walked) {
            all = all && (get<I>(p.leaves).vector || get<I>(p.leaves).x == 0);
        }
    });
    return all;
}

/// How many of V columns that lie `pitch` apart come before `left`. Those of a lone thread are neighbours.
template <int V, class B>
FUSE_HD int columns_before(index_t left, unsigned pitch) {
    if constexpr (lone_thread<B>) {
        return left < V ? static_cast<int>(left) : V;
    } else {
        int count = 0;
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            count += v * static_cast<index_t>(pitch) < left ? 1 : 0;
        }
        return count;
    }
}

/// The first of a thread's columns, how far apart they are along x and along the other kept axes, and how many there are. x and
/// kept are a valid position in any case.
struct ColumnPlace {
    index_t kept;
    index_t x;
    unsigned pitch;
    index_t step;
    int left;
};

/// Of a thread of a tile that has the columns of several indices along the other kept axes.
template <int V, class P, class B>
FUSE_HD ColumnPlace packed_column_place(B& block, const Params<P>& p, index_t tile) {
    const PackedColumns packed(p.packing, p.x_size, p.kept_size, V);
    const auto place = static_cast<std::uint64_t>(tile * block.dim_x() + block.thread_x());
    const auto columns = static_cast<std::uint64_t>(packed.columns);
    const bool narrow = (place | columns) >> 32U == 0;
    const auto group = static_cast<index_t>(
        narrow ? static_cast<std::uint32_t>(place) / static_cast<std::uint32_t>(columns) : place / columns);
    if (group >= packed.groups) {
        return {0, 0, 1, 0, 0};
    }
    int left = packed.width;
    if (packed.step > 0) {
        left = 0;
        FUSE_UNROLL
        for (int v = 0; v < V; ++v) {
            left += group + v * packed.step < p.kept_size ? 1 : 0;
        }
    }
    return {group, (static_cast<index_t>(place) - group * packed.columns) * packed.width, packed.step > 0 ? 0U : 1U,
            packed.step, left};
}

template <int V, class P, class B>
FUSE_HD ColumnPlace column_place(B& block, const Params<P>& p, index_t tile) {
    const index_t width = static_cast<index_t>(block.dim_x()) * V;
    index_t kept = 0;
    index_t first = tile * width;
    if (p.kept_size > 1) {
        const index_t tiles = (p.x_size + width - 1) / width;
        kept = tile / tiles;
        first -= kept * tiles * width;
    }
    const bool neighbours = p.packing == ColumnPacking::unaligned || columns_as_vectors(p);
    const unsigned pitch = neighbours ? 1 : block.dim_x();
    const index_t x = first + block.thread_x() * (neighbours ? V : 1);
    const bool inside = x < p.x_size;
    return {kept, inside ? x : first, pitch, 0, columns_before<V, B>(p.x_size - x, pitch)};
}

template <int V, class B, class P>
FUSE_HD ColumnState<P, V> column_state_at(const Params<P>& p, const ColumnPlace& place) {
    return ColumnState<P, V>(p, place.kept, place.x, place.pitch, place.left, !lone_thread<B>, place.step);
}

/// Whether a launch of such blocks may pack columns: on a host, and in a step, none does.
template <class B>
inline constexpr bool may_pack_columns = !lone_thread<B> && !requires {
    B::packs_no_columns;
};

/// Tile number t of a launch: which columns, and their index along the other kept axes.
template <class P, int V, class B>
FUSE_HD ColumnState<P, V> column_state(B& block, const Params<P>& p, index_t tile) {
    if constexpr (may_pack_columns<B>) {
        return column_state_at<V, B>(p, packs_columns(p.packing) ? packed_column_place<V>(block, p, tile)
                                                                 : column_place<V>(block, p, tile));
    } else {
        return column_state_at<V, B>(p, column_place<V>(block, p, tile));
    }
}

template <class P, int V, class B>
FUSE_HD index_t column_tiles(B& block, const Params<P>& p) {
    if constexpr (may_pack_columns<B>) {
        if (packs_columns(p.packing)) {
            return PackedColumns(p.packing, p.x_size, p.kept_size, V).tiles(block.dim_x());
        }
    }
    const index_t width = static_cast<index_t>(block.dim_x()) * V;
    return (p.x_size + width - 1) / width * p.kept_size;
}

}  // namespace detail

FUSE_END_NAMESPACE
