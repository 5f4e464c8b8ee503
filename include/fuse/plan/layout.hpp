// SPDX-License-Identifier: Apache-2.0
//
// Run-time addressing, as plain numbers: the extents of the domain, every operand's stride per domain axis, and the
// merging of dimensions that all operands walk as one. No types, no GPU: tested on paper-sized shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "fuse/lang/extents.hpp"

FUSE_BEGIN_NAMESPACE

/// One memory operand (or index leaf) in the domain.
struct OperandLayout {
    Shape stride;              ///< elements per domain axis, 0 where the operand is broadcast
    std::uintptr_t address = 0;  ///< 0 for an index leaf, which reads no memory
    std::uint32_t item_size = 0;
    bool output = false;
};

struct DomainLayout {
    Shape extent;                 ///< rank = rank of the domain
    std::uint32_t walked = 0;     ///< bit i: axis i is walked (reduced; every axis in the map family)
    std::vector<OperandLayout> operands;
};

/// A group of dimensions after merging, innermost last, with strides[operand][dimension].
struct MergedDims {
    int count = 0;
    std::array<index_t, max_rank> extent{};
    std::vector<std::array<index_t, max_rank>> stride;

    index_t size() const {
        index_t n = 1;
        for (int d = 0; d < count; ++d) {
            n *= extent[static_cast<std::size_t>(d)];
        }
        return n;
    }
};

/// Merges the domain axes in `axes` (bit set): axes of extent 1 disappear, and neighbours in the list become one
/// dimension when every operand steps from the last element of the inner to the next of the outer by the same stride.
/// Row-major order of the axes is preserved.
FUSE_COLD inline MergedDims merge(const DomainLayout& domain, std::uint32_t axes) {
    MergedDims merged;
    merged.stride.resize(domain.operands.size());
    for (int axis = 0; axis < domain.extent.rank; ++axis) {
        const index_t e = domain.extent[axis];
        if (((axes >> axis) & 1U) == 0 || e == 1) {
            continue;
        }
        bool joins = merged.count > 0;
        const auto outer = static_cast<std::size_t>(merged.count > 0 ? merged.count - 1 : 0);
        for (std::size_t i = 0; joins && i < domain.operands.size(); ++i) {
            joins = merged.stride[i][outer] == domain.operands[i].stride[axis] * e;
        }
        const auto d = joins ? outer : static_cast<std::size_t>(merged.count++);
        merged.extent[d] = joins ? merged.extent[d] * e : e;
        for (std::size_t i = 0; i < domain.operands.size(); ++i) {
            merged.stride[i][d] = domain.operands[i].stride[axis];
        }
    }
    if (merged.count == 0) {
        merged.count = 1;
        merged.extent[0] = 1;
    }
    return merged;
}

/// The addressing of one launch.
///   x      the direction of consecutive threads (row kernels: the innermost walked dimension; column kernels: the
///          innermost kept one, taken out of `outer`)
struct Layout {
    MergedDims outer;
    MergedDims seq;
    bool columns = false;
    index_t outer_size = 1;
    index_t seq_size = 1;
    index_t x_size = 1;             ///< column kernels only
    std::vector<index_t> x_stride;  ///< per operand
    bool vectors = false;           ///< every operand that moves along x vectorises
};

/// columns: the innermost kept dimension becomes x.
FUSE_COLD inline Layout make_layout(const DomainLayout& domain, bool columns) {
    Layout layout;
    const std::uint32_t all = (1U << domain.extent.rank) - 1U;
    layout.columns = columns;
    layout.outer = merge(domain, all & ~domain.walked);
    layout.seq = merge(domain, domain.walked);
    layout.seq_size = layout.seq.size();
    layout.x_stride.resize(domain.operands.size());
    MergedDims& from = columns ? layout.outer : layout.seq;
    const auto last = static_cast<std::size_t>(from.count - 1);
    for (std::size_t i = 0; i < domain.operands.size(); ++i) {
        layout.x_stride[i] = from.stride[i][last];
    }
    if (columns) {
        layout.x_size = from.extent[last];
        if (from.count > 1) {
            --from.count;
        } else {
            from.extent[0] = 1;
            for (auto& stride : from.stride) {
                stride[0] = 0;
            }
        }
    }
    layout.outer_size = layout.outer.size();
    return layout;
}

/// Whether vectors of `v` items of one operand may be loaded as one: contiguous along x, and aligned at every place
/// where a vector starts (multiples of v along x, any outer and sequential position).
FUSE_COLD inline bool vectorises(const DomainLayout& domain, const Layout& layout, std::size_t operand, int v) {
    const OperandLayout& o = domain.operands[operand];
    const auto chunk = static_cast<std::uintptr_t>(v) * o.item_size;
    const std::uintptr_t power_of_two = chunk & (~chunk + 1);
    const std::uintptr_t need = power_of_two < 16 ? power_of_two : 16;
    const auto aligned = [&](index_t stride) {
        return (static_cast<std::uintptr_t>(stride < 0 ? -stride : stride) * o.item_size) % need == 0;
    };
    if (layout.x_stride[operand] != 1 || o.address == 0 || o.address % need != 0) {
        return false;
    }
    // With several dimensions a vector must not run across the end of the innermost one.
    const bool several = !layout.columns && layout.seq.count > 1;
    if (several && layout.seq.extent[static_cast<std::size_t>(layout.seq.count - 1)] % v != 0) {
        return false;
    }
    for (int d = 0; d < layout.outer.count; ++d) {
        if (layout.outer.extent[static_cast<std::size_t>(d)] > 1 &&
            !aligned(layout.outer.stride[operand][static_cast<std::size_t>(d)])) {
            return false;
        }
    }
    const int inner = layout.columns ? layout.seq.count : layout.seq.count - 1;
    for (int d = 0; d < inner; ++d) {
        if (layout.seq.extent[static_cast<std::size_t>(d)] > 1 &&
            !aligned(layout.seq.stride[operand][static_cast<std::size_t>(d)])) {
            return false;
        }
    }
    return true;
}

/// Notes in the layout whether all operands in `moving` (bit i = operand i) may be accessed in vectors of v items.
FUSE_COLD inline void note_vectors(const DomainLayout& domain, Layout& layout, std::uint64_t moving, int v) {
    layout.vectors = true;
    for (std::size_t i = 0; i < domain.operands.size(); ++i) {
        layout.vectors = layout.vectors && (((moving >> i) & 1U) == 0 || vectorises(domain, layout, i, v));
    }
}

FUSE_END_NAMESPACE
