// SPDX-License-Identifier: Apache-2.0
//
// ReadDataBc: an operand that may be broadcast to registers. Along the innermost axis an operand is a scalar
// (stride 0: one load), a row (stride 1: a vector load) or strided. Outer axes are found by exact fast
// division, one division per axis and vector, not per item; an item-by-item path is left only for vectors
// that straddle two rows.
#pragma once

#include "fuse/primitives/fast_divmod.hpp"
#include "fuse/primitives/read_data.hpp"

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

/// Output index (row-major over `extents`) to the operand's item offset. Built on the host, passed by value.
template <int Rank>
struct BroadcastIndex {
    FastDivMod<std::uint64_t> extents[Rank];  // extents[Rank - 1] is the innermost
    index_t strides[Rank] = {};               // of the operand in items, 0 where it is broadcast

    struct Place {
        index_t offset;
        index_t inner_left;  // items up to the end of the innermost axis
    };

    FUSE_HD Place operator()(index_t index) const {
        std::uint64_t rest = static_cast<std::uint64_t>(index);
        Place place{0, 1};
        FUSE_UNROLL
        for (int axis = Rank - 1; axis >= 0; --axis) {
            const auto [outer, coordinate] = extents[axis].divmod(rest);
            if (axis == Rank - 1) {
                place.inner_left = static_cast<index_t>(extents[axis].divisor() - coordinate);
            }
            place.offset += static_cast<index_t>(coordinate) * strides[axis];
            rest = outer;
        }
        return place;
    }
};

/// V items for the consecutive output indices first, first + 1, ..., of which `left` exist.
/// `aligned`: every vector that lies within one row of a stride-1 operand starts at pack_alignment<T, V>.
template <int V, class T, int Rank>
FUSE_HD void ReadDataBc(Pack<T, V>& out, const T* data, const BroadcastIndex<Rank>& place_of, index_t first,
                        index_t left, bool aligned, std::type_identity_t<T> fill) {
    const index_t valid = left < V ? left : V;
    const auto start = valid > 0 ? place_of(first) : typename BroadcastIndex<Rank>::Place{0, V};
    if (start.inner_left >= valid) {
        ReadDataBc(out, data + start.offset, place_of.strides[Rank - 1], valid, aligned, fill);
        return;
    }
    FUSE_UNROLL
    for (int k = 0; k < V; ++k) {
        out.item[k] = k < valid ? data[place_of(first + k).offset] : T(fill);
    }
}

FUSE_END_NAMESPACE
