// SPDX-License-Identifier: Apache-2.0
//
// Columns of an array whose rows are short and lie one behind the other: a few rows joined are a line of whole vectors, each of
// which lies in the same columns in all lines (kernels/columns/joined_columns.hpp). Which programs may be launched so, and
// which launches.
#pragma once

#include "fuse/numeric.hpp"
#include "fuse/plan/layout.hpp"
#include "fuse/plan/program.hpp"

FUSE_BEGIN_NAMESPACE

/// The shortest line: the least common multiple of a row and a vector.
struct JoinedRows {
    index_t rows;
    index_t vectors;

    /// Of `columns` elements each, in vectors of v, a power of two.
    constexpr JoinedRows(index_t columns, int v)
        : rows(v / detail::smallest<index_t>(v, columns & -columns)), vectors(columns * rows / v) {}
};

/// The longest row that is joined with others.
inline constexpr index_t longest_joined_row = 255;

namespace detail {

/// Whether what differs from row to row differs from column to column as well, and lies in memory.
template <class... L, class... O>
constexpr bool may_join_rows(type_list<L...>, type_list<O...>) {
    return ((!L::walked || (kir::is_memory<L> && L::kept)) && ...) &&
           (((kir::is_memory<L> && L::walked) || ...) || ((O::extent == kir::Extent::item) || ...));
}

}  // namespace detail

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody binds.
template <class = void>
void note_joined(const DomainLayout& domain, Layout& layout, std::uint64_t moving, int v, index_t shortest);

#else

/// Whether the operands in `moving` lie along the walked axes, their elements side by side, and are no columns.
template <class = void>
FUSE_RARE bool walks_along_memory(const DomainLayout& domain, const Layout& layout, std::uint64_t moving) {
    bool all = layout.walked.count == 1;
    for (int i = 0; i < domain.operand_count; ++i) {
        all = all && (((moving >> i) & 1U) == 0 || domain.stride(i, layout.walked.axis[0]) == 1);
    }
    return all;
}

/// Whether an array (a, n, 1), say, which has no columns, was made one of rows of one element at each index along a.
FUSE_RARE inline bool along_memory(const Layout& layout) {
    return layout.x_axis < 0 && layout.kept_size > 1;
}

/// Whether the rows of the operands in `moving` lie one behind the other, and the first one aligned for vectors of v items.
template <class = void>
FUSE_RARE bool lies_in_lines(const DomainLayout& domain, const Layout& layout, std::uint64_t moving, int v) {
    bool all = layout.x_size <= longest_joined_row && !layout.stretched && layout.walked.count == 1;
    for (int i = 0; i < domain.operand_count && all; ++i) {
        if (((moving >> i) & 1U) != 0) {
            const OperandLayout& o = domain.operands[i];
            const auto bytes = static_cast<std::uintptr_t>(v) * o.item_size;
            const std::uintptr_t power_of_two = bytes & (~bytes + 1);
            const std::uintptr_t need = power_of_two < 16 ? power_of_two : 16;
            all = o.address % need == 0 && (layout.x_size == 1 || domain.stride(i, layout.x_axis) == 1) &&
                  domain.stride(i, layout.walked.axis[0]) == layout.x_size &&
                  steps_aligned(domain, layout.kept, layout.kept.count, i, -1, need);
        }
    }
    return all;
}

/// Notes whether the rows of the operands in `moving` may be joined to lines of vectors of v items. `shortest`: of what lies
/// along memory, walked so far.
template <class = void>
FUSE_RARE void note_joined(const DomainLayout& domain, Layout& layout, std::uint64_t moving, int v, index_t shortest) {
    Layout rows = layout;
    if (layout.walked_size >= shortest && walks_along_memory(domain, layout, moving)) {
        rows.kept = merge(domain, ((1U << domain.extent.rank) - 1U) & ~domain.walked);
        rows.kept_size = rows.kept.size();
        rows.x_axis = -1;
        rows.x_size = 1;
        rows.vectors = false;
        rows.packing = ColumnPacking::none;
    }
    if (lies_in_lines(domain, rows, moving, v)) {
        layout = rows;
        layout.joined = true;
    }
}

#endif

FUSE_END_NAMESPACE
