// SPDX-License-Identifier: Apache-2.0
//
// Columns of items of two bytes or one that lie in memory as no vectors, of rows of an odd length, say. A warp that loads such
// items one by one uses a part of each line at a time, so a thread has neighbouring columns all the same, and reads the aligned
// pieces around them (kernels/columns/unaligned_columns.hpp). Which programs may do so, and which launches.
#pragma once

#include "fuse/plan/layout.hpp"
#include "fuse/plan/leaf_sets.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Bit i: leaf i has columns in memory. None where all items have more than two bytes, of which a warp uses whole lines, or
/// those of a vector are no words.
template <int V, class... L>
constexpr leaf_set narrow_columns(type_list<L...>) {
    constexpr bool columns[] = {kir::is_memory<L> && L::kept && L::walked...};
    constexpr std::size_t bytes[] = {sizeof(typename L::storage)...};
    constexpr std::size_t alignment[] = {alignof(typename L::storage)...};
    leaf_set set = 0;
    std::size_t narrowest = 16;
    bool words = true;
    for (std::size_t i = 0; i < sizeof...(L); ++i) {
        if (columns[i]) {
            set |= leaf_set{1} << i;
            narrowest = bytes[i] < narrowest ? bytes[i] : narrowest;
            words = words && std::has_single_bit(bytes[i]) && bytes[i] <= 8 && alignment[i] == bytes[i];
        }
    }
    return words && narrowest <= 2 && V * narrowest >= 4 ? set : 0;
}

}  // namespace detail

/// The leaves of a program with one phase that are read along its columns, if it may read them as pieces of vectors of V items.
/// Runs of several words leave no registers for what is moved.
template <class P, int V>
inline constexpr leaf_set unaligned_leaves =
    V > 1 && !folds_runs_program<P> ? detail::narrow_columns<V>(typename P::leaves{}) : 0;

namespace detail {

/// Whether every item between the first and the last of an operand is an element, and of one place alone.
template <class = void>
FUSE_RARE bool has_no_gaps(const DomainLayout& domain, const Layout& layout, int operand) {
    struct {
        index_t stride, extent;
    } dims[2 * max_rank];
    int count = 0;
    for (const MergedDims* merged : {&layout.kept, &layout.walked}) {
        for (int d = 0; d < merged->count; ++d) {
            const index_t stride = domain.stride(operand, merged->axis[d]);
            if (stride != 0 && merged->extent[d] > 1) {
                dims[count++] = {stride < 0 ? -stride : stride, merged->extent[d]};
            }
        }
    }
    bool dense = domain.stride(operand, layout.x_axis) == 1;
    for (int d = 0; d < count; ++d) {
        index_t inside = layout.x_size;
        for (int k = 0; k < count; ++k) {
            inside *= dims[k].stride < dims[d].stride ? dims[k].extent : 1;
            dense = dense && (k == d || dims[k].stride != dims[d].stride);
        }
        dense = dense && dims[d].stride == inside;
    }
    return dense;
}

}  // namespace detail

/// Notes whether the columns of the operands in `read`, which are not all vectors of v items, may be read in pieces: if what
/// is behind one in memory is an element too, as all that functors meet, and offsets along a column grow or fall.
template <class = void>
FUSE_RARE void note_unaligned(const DomainLayout& domain, Layout& layout, std::uint64_t read, int v) {
    bool dense = layout.packing == ColumnPacking::none && !layout.stretched && layout.walked.count <= 1;
    bool vectors = true;
    for (int i = 0; i < domain.operand_count; ++i) {
        if (((read >> i) & 1U) != 0) {
            dense = dense && detail::has_no_gaps(domain, layout, i);
            vectors = vectors && vectorises(domain, layout, i, v);
        }
    }
    if (dense && !vectors) {
        layout.packing = ColumnPacking::unaligned;
    }
}

FUSE_END_NAMESPACE
