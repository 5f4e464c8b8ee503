// SPDX-License-Identifier: Apache-2.0
//
// ReadDataBc: an operand that may be broadcast to registers. Along the innermost axis an operand is a scalar
// (stride 0: one load), a row (stride 1: a vector load) or strided. Outer axes are found by exact fast
// division, one division per axis and vector, not per item; an item-by-item path is left only for vectors
// that straddle two rows.
#pragma once

#include "fuse/error.hpp"
#include "fuse/primitives/thread/dims.hpp"
#include "fuse/primitives/thread/read_data.hpp"

FUSE_BEGIN_NAMESPACE

/// V items along one axis: p[0], p[stride], ...; `left` of them exist, the others are filled.
template <int V, class T>
FUSE_HD void ReadDataBc(Pack<T, V>& out, const T* p, index_t stride, index_t left, bool aligned,
                        std::type_identity_t<T> fill) {
    if (left < V) {
        load_guarded(out, p, stride, left < 0 ? 0 : static_cast<int>(left), T(fill));
    } else if (stride == 1) {
        load_pack(out, p, aligned);
    } else {
        load_strided(out, p, stride);
    }
}

namespace detail {

/// Refuses extents whose items, or strides whose offsets, 64 bits cannot count.
FUSE_COLD inline void check_broadcast(const index_t* extents, const index_t* strides, int rank) {
    bool overflow = false;
    bool empty = false;
    index_t items = 1;
    index_t reach = 0;
    for (int axis = 0; axis < rank; ++axis) {
        if (extents[axis] < 0) {
            throw shape_error(Text() << "BroadcastConfig: axis " << axis << " of the output has the negative extent "
                                     << extents[axis]);
        }
        empty = empty || extents[axis] == 0;
        index_t span = 0;
        overflow |= __builtin_mul_overflow(items, extents[axis], &items);
        overflow |= __builtin_mul_overflow(extents[axis] - 1, strides[axis], &span);
        // Offsets of either sign, so that no order of the axes leaves the range on the way.
        overflow |=
            span < 0 ? __builtin_sub_overflow(reach, span, &reach) : __builtin_add_overflow(reach, span, &reach);
    }
    if (overflow && !empty) {
        throw shape_error(Text() << "BroadcastConfig: the output's items or the operand's offsets exceed 64 bits");
    }
}

/// Row-major strides of a contiguous operand within an output of at least its rank; 0 where it is broadcast.
FUSE_COLD inline void broadcast_strides(const index_t* output, int rank, const index_t* operand, int operand_rank,
                                        index_t* strides) {
    index_t stride = 1;
    for (int axis = rank - 1; axis >= 0; --axis) {
        const int own = axis - (rank - operand_rank);
        const index_t extent = own < 0 ? 1 : operand[own];
        if (extent != 1 && extent != output[axis]) {
            throw shape_error(Text() << "BroadcastConfig: extent " << extent << " of the operand's axis " << own
                                     << " does not broadcast to extent " << output[axis] << " of the output");
        }
        strides[axis] = extent == 1 ? 0 : stride;
        // Wraps around only where check_broadcast refuses the output.
        static_cast<void>(__builtin_mul_overflow(stride, extent, &stride));
    }
}

}  // namespace detail

/// Output index (row-major over `extents`) to the operand's item offset. Built on the host, passed by value.
template <int Rank>
struct BroadcastConfig {
    static_assert(Rank >= 1);

    AllDims<Rank> dims;          // of the output
    index_t strides[Rank] = {};  // of the operand in items, 0 where it is broadcast

    struct Place {
        index_t offset;
        index_t inner_left;  // items up to the end of the innermost axis
    };

    BroadcastConfig() = default;

    /// An operand of any strides, in items. Throws shape_error for a negative extent and where 64 bits do not do.
    BroadcastConfig(const index_t (&output)[Rank], const index_t (&operand_strides)[Rank]) {
        detail::check_broadcast(output, operand_strides, Rank);
        for (int axis = 0; axis < Rank; ++axis) {
            // An output without items has no indices, so any divisor serves it.
            dims.extent[axis] =
                FastDivMod<std::uint64_t>(static_cast<std::uint64_t>(output[axis] > 0 ? output[axis] : 1));
            strides[axis] = operand_strides[axis];
        }
    }

    /// A contiguous row-major operand under numpy's rules: axes are matched from the innermost one, and an axis of
    /// extent 1 or a missing outer axis is repeated. Throws shape_error where two extents do not match.
    template <int OperandRank>
    static BroadcastConfig of_operand(const index_t (&output)[Rank], const index_t (&operand)[OperandRank]) {
        static_assert(OperandRank <= Rank, "an operand has at most as many axes as the output");
        index_t operand_strides[Rank];
        detail::broadcast_strides(output, Rank, operand, OperandRank, operand_strides);
        return BroadcastConfig(output, operand_strides);
    }

    /// 0 <= index < number of items of the output. One division per axis but the outermost.
    FUSE_HD Place operator()(index_t index) const {
        const FastDivMod<std::uint64_t>& inner = dims.extent[Rank - 1];
        const auto i = static_cast<std::uint64_t>(index);
        const std::uint64_t inner_index = Rank == 1 ? i : inner.divmod(i).remainder;
        return {offset_of(dims, strides, index), static_cast<index_t>(inner.divisor() - inner_index)};
    }
};

/// V items for the consecutive output indices first, first + 1, ..., of which `left` exist.
/// `aligned`: every vector that lies within one row of a stride-1 operand starts at pack_alignment<T, V>.
template <int V, class T, int Rank>
FUSE_HD void ReadDataBc(Pack<T, V>& out, const T* data, const BroadcastConfig<Rank>& place_of, index_t first,
                        index_t left, bool aligned, std::type_identity_t<T> fill) {
    const index_t valid = left < V ? left : V;
    const auto start = valid > 0 ? place_of(first) : typename BroadcastConfig<Rank>::Place{0, V};
    if (start.inner_left >= valid) {
        ReadDataBc(out, data + start.offset, place_of.strides[Rank - 1], valid, aligned, fill);
        return;
    }
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = k < valid ? data[place_of(first + k).offset] : T(fill);
    }
}

/// One direction of a tile whose items are found through a BroadcastConfig: the tile begins at index `first`, and
/// `left` indices exist from there on (any number, also none).
template <int Rank>
struct BroadcastSpan {
    const BroadcastConfig<Rank>& place_of;
    index_t first;
    index_t left;
};

template <int Rank>
BroadcastSpan(const BroadcastConfig<Rank>&, index_t, index_t) -> BroadcastSpan<Rank>;

/// NX x NY items per thread of a 2-D tile whose columns and rows are both broadcast: item (x, y) is data[c + r], c the
/// offset of column index columns.first + x and r that of row index rows.first + y, converted to Ty. NX + NY index
/// calculations per thread, not NX * NY. Registers beyond an end are filled; with IsBoundary = false there are none.
/// No barrier. For a tile over one linear output index see ReadDataReduce.
template <int NX, int NY, bool IsBoundary = true, class Ty, class Tx, ThreadBlock B, int RankX, int RankY>
FUSE_HD void ReadDataBc(B& block, Pack<Ty, NX * NY>& out, const Tx* data, const BroadcastSpan<RankX>& columns,
                        const BroadcastSpan<RankY>& rows, std::type_identity_t<Ty> fill) {
    const auto valid = detail::count_items<NX, NY, IsBoundary>(block, columns.left, rows.left);
    index_t column[NX] = {};
    FUSE_UNROLL
    for (int ix = 0; ix < NX; ++ix) {
        if (valid.holds(ix, 0)) {
            column[ix] = columns.place_of(columns.first + tile_x(block, ix)).offset;
        }
    }
    FUSE_UNROLL
    for (int iy = 0; iy < NY; ++iy) {
        const index_t row = valid.holds(0, iy) ? rows.place_of(rows.first + tile_y(block, iy)).offset : 0;
        FUSE_UNROLL
        for (int ix = 0; ix < NX; ++ix) {
            out.item[iy * NX + ix] = valid.holds(ix, iy) ? detail::convert_item<Ty>(data[column[ix] + row]) : fill;
        }
    }
}

FUSE_END_NAMESPACE
