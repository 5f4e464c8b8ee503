// SPDX-License-Identifier: Apache-2.0
//
// Run-time addressing, as plain numbers: the extents of the domain, every operand's stride per domain axis, and the
// merging of dimensions that all operands walk as one. No types, no GPU: tested on paper-sized shapes. No containers
// either: this is compiled into every file that evaluates an expression.
#pragma once

#include <cstdint>

#include "fuse/lang/extents.hpp"

FUSE_BEGIN_NAMESPACE

/// One memory operand (or index leaf) in the domain.
struct OperandLayout {
    Shape stride;                ///< elements per domain axis, 0 where the operand is broadcast
    std::uintptr_t address = 0;  ///< 0 for an index leaf, which reads no memory
    std::uint32_t item_size = 0;
};

/// The elements that a reduction folds or an output holds, in a domain that may stretch further: their number, and the
/// strides that give the position of a domain element among them (kernels/body/own_elements.hpp).
struct OwnSpace {
    Shape stride;
    index_t count = 1;
    bool stretched = false;  ///< the domain has elements that only repeat an own one
};

namespace detail {

/// Whether a domain repeats the one element of an operand along an axis.
FUSE_RARE inline bool repeats(const Shape& domain, std::uint32_t covers, const Shape& own, int axis) {
    return ((covers >> axis) & 1U) != 0 && own[axis] == 1 && domain[axis] > 1;
}

}  // namespace detail

/// Positions in row-major order, for a reduction of an operand with `own` extents along the domain axes, for which a
/// kernel goes along the axes in `covers`.
FUSE_RARE inline OwnSpace space_of_reduction(const Shape& domain, std::uint32_t covers, const Shape& own) {
    OwnSpace space;
    space.stride.rank = domain.rank;
    for (int axis = domain.rank - 1; axis >= 0; --axis) {
        if (((covers >> axis) & 1U) != 0 && !detail::repeats(domain, covers, own, axis)) {
            space.stride[axis] = space.count;
            space.count = detail::times_extent(space.count, own[axis]);
        }
    }
    for (int axis = 0; axis < domain.rank; ++axis) {
        space.count = own[axis] == 0 ? 0 : space.count;
    }
    for (int axis = 0; axis < domain.rank; ++axis) {
        if (detail::repeats(domain, covers, own, axis)) {
            space.stride[axis] = space.count > 0 ? space.count : 1;
            space.stretched = true;
        }
    }
    return space;
}
/// The same for an output along the axes in `covers`: position 0 is its own.
FUSE_RARE inline OwnSpace space_of_output(const Shape& domain, std::uint32_t covers, const Shape& own) {
    OwnSpace space;
    space.stride.rank = domain.rank;
    for (int axis = 0; axis < domain.rank; ++axis) {
        const bool again = detail::repeats(domain, covers, own, axis);
        space.stride[axis] = again ? 1 : 0;
        space.stretched = space.stretched || again;
        space.count = own[axis] == 0 ? 0 : space.count;
    }
    return space;
}

/// The operands belong to whoever made the layout.
struct DomainLayout {
    Shape extent;              ///< rank = rank of the domain
    std::uint32_t walked = 0;  ///< bit i: axis i is walked (plan/stages.hpp)
    bool backwards = false;    ///< from its end
    OperandLayout* operands = nullptr;
    int operand_count = 0;
    const OwnSpace* own = nullptr;  ///< whose positions a launch with stretched operands looks at
    int own_count = 0;

    /// Stride of an operand along an axis; 0 along none (-1).
    index_t stride(int operand, int axis) const { return axis < 0 ? 0 : operands[operand].stride[axis]; }
};

/// A group of dimensions after merging, innermost last. Every operand steps along dimension d as it does along the
/// domain axis `axis[d]`, the innermost of those that were merged; -1 stands for a dimension of extent 1.
struct MergedDims {
    int count = 0;
    index_t extent[max_rank] = {};
    int axis[max_rank] = {};

    index_t size() const {
        index_t n = 1;
        for (int d = 0; d < count; ++d) {
            n *= extent[d];
        }
        return n;
    }
};

/// All axes of a domain, the one whose coordinate changes fastest last: row-major unless said otherwise.
struct AxisOrder {
    int axis[max_rank] = {0, 1, 2, 3, 4, 5, 6, 7};
};
static_assert(max_rank == 8);

/// Merges the domain axes in `axes` (bit set): axes of extent 1 disappear, and neighbours in the order become one
/// dimension when every operand steps from the last element of the inner to the next of the outer by the same stride.
/// The order of the axes is preserved.
FUSE_RARE inline MergedDims merge(const DomainLayout& domain, std::uint32_t axes, const AxisOrder& order = {}) {
    MergedDims merged;
    for (int i = 0; i < domain.extent.rank; ++i) {
        const int axis = order.axis[i];
        const index_t e = domain.extent[axis];
        if (((axes >> axis) & 1U) == 0 || e == 1) {
            continue;
        }
        bool joins = merged.count > 0;
        for (int o = 0; joins && o < domain.operand_count; ++o) {
            joins = domain.stride(o, merged.axis[merged.count - 1]) == domain.stride(o, axis) * e;
        }
        for (int o = 0; joins && o < domain.own_count; ++o) {
            joins = domain.own[o].stride[merged.axis[merged.count - 1]] == domain.own[o].stride[axis] * e;
        }
        const int d = joins ? merged.count - 1 : merged.count++;
        merged.extent[d] = joins ? detail::times_extent(merged.extent[d], e) : e;
        merged.axis[d] = axis;
    }
    if (merged.count == 0) {
        merged.count = 1;
        merged.extent[0] = 1;
        merged.axis[0] = -1;
    }
    return merged;
}

/// How the columns of several indices along the kept axes lie side by side in a tile, where those of one are too few to fill
/// it: a thread has a vector of neighbouring columns of one index, or one column of each of several indices far apart, or one
/// column. Or how those of one do: unaligned, a thread has neighbours that are no vector.
enum class ColumnPacking : unsigned char { none, unaligned, vectors, apart, single };

/// Whether it is that of several indices.
FUSE_HD constexpr bool packs_columns(ColumnPacking packing) {
    return packing > ColumnPacking::unaligned;
}

/// The addressing of one launch.
///   x      the direction of consecutive threads (row kernels: the innermost walked dimension; column kernels: the
///          innermost kept one, taken out of `kept`)
struct Layout {
    MergedDims kept;
    MergedDims walked;
    bool columns = false;
    index_t kept_size = 1;
    index_t walked_size = 1;
    index_t x_size = 1;         ///< column kernels only
    int x_axis = -1;            ///< domain axis along which operands step like along x
    bool vectors = false;       ///< every operand that moves along x vectorises
    bool halves = false;        ///< the same in vectors of half as many items, where that is asked (note_halves)
    bool one_piece = false;     ///< rows lie one behind the other, where that is asked (note_one_piece)
    bool cycles = false;        ///< beside operands of the innermost axis, where that is asked (note_cycles)
    bool runs = false;          ///< vectors in runs beside operands of outer axes, where that is asked (note_runs)
    bool shared = false;        ///< all others are the same for each vector
    std::uint64_t repeats = 0;  ///< operands that do not, of rows along one axis: the same all along, or else all bits
    bool lines = false;         ///< and what may be staged lies as along one axis, where that is asked (note_lines)
    bool alike = false;  ///< those that differ from row to row do so from one element of each row on, if not the first
    bool stretched = false;                       ///< some operands do not span the domain
    ColumnPacking packing = ColumnPacking::none;  ///< column kernels on a device (plan/column_packing.hpp)
    bool joined = false;                          ///< of these, rows may be lines of vectors (plan/joined_rows.hpp)
    bool short_offsets = true;                    ///< places along the walked axes have 32 bits (note_vectors)
    index_t fill_size = 0;                        ///< elements of the largest output outside the domain
    // Of maps (plan/transposed.hpp):
    std::uint64_t transposed = 0;  ///< inputs that are contiguous across the outputs, along the dimension before x, y
    bool flat_x = false;           ///< lines along x follow each other in the first output
    bool flat_y = false;           ///< lines along y follow each other in all transposed inputs
    std::uintptr_t places = 0;     ///< the bits of all places, in items, where lines of the first output begin
    /// The same of all operands, of short lines that follow each other where the first of them does.
    std::uintptr_t all_places = 0;
};

/// Whether the elements of one operand lie along these dimensions as along one: where all operands' do, they are one.
FUSE_RARE inline bool lies_as_one(const DomainLayout& domain, const MergedDims& dims, int operand) {
    bool one = true;
    for (int d = 0; d + 1 < dims.count; ++d) {
        one = one &&
              domain.stride(operand, dims.axis[d]) == domain.stride(operand, dims.axis[d + 1]) * dims.extent[d + 1];
    }
    return one;
}

/// columns: the innermost kept dimension becomes x.
FUSE_RARE inline Layout make_layout(const DomainLayout& domain, bool columns) {
    Layout layout;
    const std::uint32_t all = (1U << domain.extent.rank) - 1U;
    layout.columns = columns;
    layout.kept = merge(domain, all & ~domain.walked);
    layout.walked = merge(domain, domain.walked);
    layout.walked_size = layout.walked.size();
    MergedDims& from = columns ? layout.kept : layout.walked;
    layout.x_axis = from.axis[from.count - 1];
    if (columns) {
        layout.x_size = from.extent[from.count - 1];
        if (from.count > 1) {
            --from.count;
        } else {
            from.extent[0] = 1;
            from.axis[0] = -1;
        }
    }
    layout.kept_size = layout.kept.size();
    return layout;
}

#if FUSE_ON_DEVICE

// A file is read once more for each device, where nobody binds.
bool vectorises(const DomainLayout& domain, const Layout& layout, int operand, int v);
void note_vectors(const DomainLayout& domain, Layout& layout, std::uint64_t moving, std::uint64_t beside, int v);

#else

/// Whether an operand's elements of a row lie fewer than 2^31 from its first.
FUSE_RARE inline bool lies_close(const DomainLayout& domain, const MergedDims& dims, int operand) {
    double reach = 0;
    for (int d = 0; d < dims.count; ++d) {
        const auto stride = static_cast<double>(domain.stride(operand, dims.axis[d]));
        reach += static_cast<double>(dims.extent[d] - 1) * (stride < 0 ? -stride : stride);
    }
    return reach < 2147483648.0;
}

/// Whether coordinates along the walked axes have 31 bits, and so have the offsets of all operands that do not lie as along
/// one axis, and what an index counts.
FUSE_RARE inline bool has_short_offsets(const DomainLayout& domain, const Layout& layout) {
    bool all = true;
    for (int d = 0; d < layout.walked.count; ++d) {
        all = all && layout.walked.extent[d] < index_t{1} << 31;
    }
    for (int i = 0; i < domain.operand_count; ++i) {
        const bool counts = domain.operands[i].address == 0;
        all = all && ((!counts && lies_as_one(domain, layout.walked, i)) || lies_close(domain, layout.walked, i));
    }
    return all;
}

/// Whether the steps of an operand along the first `count` dimensions, or how much further it goes by them than `like` does,
/// are multiples of so many bytes.
FUSE_RARE inline bool steps_aligned(const DomainLayout& domain, const MergedDims& dims, int count, int operand,
                                    int like, std::uintptr_t bytes) {
    bool all = true;
    for (int d = 0; d < count; ++d) {
        const index_t stride =
            domain.stride(operand, dims.axis[d]) - (like < 0 ? 0 : domain.stride(like, dims.axis[d]));
        const auto step =
            static_cast<std::uintptr_t>(stride < 0 ? -stride : stride) * domain.operands[operand].item_size;
        all = all && (dims.extent[d] <= 1 || step % bytes == 0);
    }
    return all;
}

/// Whether vectors of `v` items of one operand may be loaded as one: contiguous along x, and aligned at every place
/// where a vector starts (multiples of v along x, anywhere along the kept and walked axes). like: a narrower operand, if
/// it is aligned where that one is.
FUSE_RARE inline bool vectorises(const DomainLayout& domain, const Layout& layout, int operand, int v, int like = -1) {
    const OperandLayout& o = domain.operands[operand];
    // Rows that are gone through from their ends have the vectors that they would have else, from the last one on.
    const bool turned = domain.backwards && !layout.columns;
    const auto last = static_cast<std::uintptr_t>(turned ? v - 1 : 0) * o.item_size;
    const std::uintptr_t before = like < 0 ? 0 : domain.operands[like].address / domain.operands[like].item_size;
    const auto bytes_of_vector = static_cast<std::uintptr_t>(v) * o.item_size;
    const std::uintptr_t power_of_two = bytes_of_vector & (~bytes_of_vector + 1);
    const std::uintptr_t need = power_of_two < 16 ? power_of_two : 16;
    if (domain.stride(operand, layout.x_axis) != (turned ? -1 : 1) || o.address == 0 || (turned && like >= 0) ||
        (o.address - last - before * o.item_size) % need != 0) {
        return false;
    }
    // With several dimensions a vector must not run across the end of the innermost one, or must go on behind it.
    const bool several = !layout.columns && layout.walked.count > 1;
    const bool as_one = several && lies_as_one(domain, layout.walked, operand);
    if (several && !as_one && layout.walked.extent[layout.walked.count - 1] % v != 0) {
        return false;
    }
    const int outer = as_one ? 0 : layout.columns ? layout.walked.count : layout.walked.count - 1;
    return steps_aligned(domain, layout.kept, layout.kept.count, operand, like, need) &&
           steps_aligned(domain, layout.walked, outer, operand, like, need);
}

/// Notes in the layout how far apart elements lie, whether all operands in `moving` (bit i = operand i) may be accessed in
/// vectors of v items, and whether those that are not `beside` may be from the same element of each row on, and those that are
/// have their items side by side.
FUSE_RARE inline void note_vectors(const DomainLayout& domain, Layout& layout, std::uint64_t moving,
                                   std::uint64_t beside, int v) {
    int narrowest = -1;
    for (int i = 0; i < domain.operand_count; ++i) {
        if (((moving & ~beside) >> i & 1U) != 0 &&
            (narrowest < 0 || domain.operands[i].item_size < domain.operands[narrowest].item_size)) {
            narrowest = i;
        }
    }
    // A scale of channels beside planes of whole vectors, say.
    const index_t inner = layout.walked.extent[layout.walked.count - 1];
    const bool inside = !layout.columns && layout.walked.count > 1 && inner % v == 0;
    layout.short_offsets = layout.columns || layout.walked.count <= 1 || has_short_offsets(domain, layout);
    layout.vectors = true;
    layout.shared = inside;
    layout.alike = !layout.columns && layout.walked.count == 1;
    layout.repeats = 0;
    const bool one_axis = layout.alike;
    for (int i = 0; i < domain.operand_count; ++i) {
        const bool moves = ((moving >> i) & 1U) != 0;
        const bool vectors = !moves || vectorises(domain, layout, i, v);
        layout.vectors = layout.vectors && vectors;
        const bool same = domain.stride(i, layout.x_axis) == 0;
        layout.shared = layout.shared && (vectors || same);
        layout.repeats |= vectors ? 0 : same && one_axis ? std::uint64_t{1} << i : ~std::uint64_t{0};
        layout.alike =
            layout.alike && (!moves || (((beside >> i) & 1U) != 0 ? domain.stride(i, layout.x_axis) == 1
                                                                  : vectorises(domain, layout, i, v, narrowest)));
    }
}

#endif

FUSE_END_NAMESPACE
