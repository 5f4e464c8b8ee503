// SPDX-License-Identifier: Apache-2.0
//
// From a layout to the addressing in a kernel's parameters: merged dimensions and strides, each where the kernel has
// room for it. A kernel may have room for more than a layout has dimensions; the last ones are used.
#pragma once

#include <bit>

#include "fuse/kernels/body/params.hpp"
#include "fuse/lang/axis_map.hpp"
#include "fuse/plan/layout.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What a kernel divides by; an empty axis is never walked.
FUSE_RARE inline FastDivMod<std::uint64_t> extent_divisor(index_t n) {
    return FastDivMod<std::uint64_t>(static_cast<std::uint64_t>(n > 0 ? n : 1));
}

/// The number of dimensions, after their extents went to the last of n.
FUSE_RARE inline int set_extents(FastDivMod<std::uint64_t>* to, int n, const MergedDims& dims) {
    for (int d = 0; d < dims.count; ++d) {
        to[d + n - dims.count] = extent_divisor(dims.extent[d]);
    }
    return dims.count;
}

/// The same for positions of any size.
template <int N>
void set_dims(NarrowDims<N>& to, const MergedDims& dims) {
    to.count = set_extents(to.extent, N, dims);
    if constexpr (N > 1) {
        constexpr auto beyond = static_cast<std::uint32_t>(narrow_end);
        for (int d = 0; d < N; ++d) {
            const auto divisor = to.extent[d].divisor();
            const bool divides = d > N - dims.count && divisor < beyond;
            to.narrow[d] = FastDivMod<std::uint32_t>(divides ? static_cast<std::uint32_t>(divisor) : beyond);
        }
    }
}

FUSE_RARE inline void set_strides(index_t* to, int n, const Shape& stride, const MergedDims& dims) {
    for (int d = 0; d < n; ++d) {
        const int from = d - (n - dims.count);
        to[d] = from >= 0 && dims.axis[from] >= 0 ? stride[dims.axis[from]] : 0;
    }
}

/// Of an index that counts the elements along these axes, of such extents, in a domain of so many axes.
FUSE_RARE inline Shape flat_index_strides(const AxisMap& axes, const index_t* extent, int rank) {
    Shape strides{rank, {}};
    index_t stride = 1;
    for (int i = axes.rank; i-- > 0;) {
        strides[axes.axis[i]] = extent[i] == 1 ? 0 : stride;
        stride *= extent[i];
    }
    return strides;
}

/// Operand number `slot` of the domain, with vectors of v items where it allows them.
template <class T, int KeptRank, int WalkedRank>
void lay_out(Operand<T, KeptRank, WalkedRank>& o, const DomainLayout& domain, const Layout& layout, int slot, int v) {
    set_strides(o.kept, KeptRank, domain.operands[slot].stride, layout.kept);
    set_strides(o.walked, WalkedRank, domain.operands[slot].stride, layout.walked);
    o.x = domain.stride(slot, layout.x_axis);
    o.vector = vectorises(domain, layout, slot, v);
    o.linear = true;
    if constexpr (WalkedRank > 1) {
        // x of columns is not along the walked axes.
        o.linear = layout.walked.count <= 1 || (!layout.columns && lies_as_one(domain, layout.walked, slot));
    }
    if constexpr (KeptRank > 1) {
        o.kept_linear = lies_as_one(domain, layout.kept, slot);
    }
}
/// Numbers, and what lies outside the domain.
template <class Other>
void lay_out(Other&, const DomainLayout&, const Layout&, int, int) {}

/// Operand number `slot` from its last element along the one walked axis to its first.
template <class T, int KeptRank, int WalkedRank>
void turn_round(Operand<T, KeptRank, WalkedRank>& o, DomainLayout& domain, int slot) {
    const int axis = std::countr_zero(domain.walked);
    OperandLayout& layout = domain.operands[slot];
    index_t& stride = layout.stride[axis];
    if (o.data != nullptr && domain.extent[axis] > 0) {
        o.data += (domain.extent[axis] - 1) * stride;
        layout.address = reinterpret_cast<std::uintptr_t>(o.data);
    }
    stride = -stride;
}
template <class Other>
void turn_round(Other&, DomainLayout&, int) {}

/// Which elements of a stretched domain are a reduction's or an output's own.
template <int KeptRank, int WalkedRank>
void lay_out_own(OwnElements<KeptRank, WalkedRank>& own, const OwnSpace& space, const Layout& layout) {
    own.count = space.count;
    set_strides(own.kept, KeptRank, space.stride, layout.kept);
    set_strides(own.walked, WalkedRank, space.stride, layout.walked);
    own.x = layout.x_axis < 0 ? 0 : space.stride[layout.x_axis];
}

/// The addressing of an output outside the domain.
template <class T, int Rank>
FUSE_RARE void lay_out_fill(FillOperand<T, Rank>& o, const Shape& shape, const Shape& stride) {
    OperandLayout operand{stride, reinterpret_cast<std::uintptr_t>(o.data), sizeof(T)};
    DomainLayout own;
    own.extent = shape;
    own.operands = &operand;
    own.operand_count = 1;
    const MergedDims dims = merge(own, (1U << shape.rank) - 1U);
    o.dims.count = set_extents(o.dims.extent, Rank, dims);
    set_strides(o.stride, Rank, stride, dims);
    o.size = shape.size();
}

/// The coordinates along an axis of such an output.
FUSE_RARE inline OutputAxis output_axis(const Shape& shape, int axis) {
    index_t inner = 1;
    for (int a = axis + 1; a < shape.rank; ++a) {
        inner *= shape[a];
    }
    return {extent_divisor(inner), extent_divisor(shape[axis])};
}

}  // namespace detail

FUSE_END_NAMESPACE
