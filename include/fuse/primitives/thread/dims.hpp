// SPDX-License-Identifier: Apache-2.0
//
// Dimensions, and the way from a linear index over them to the offset of an operand, by exact fast division.
#pragma once

#include "fuse/primitives/thread/fast_divmod.hpp"

FUSE_BEGIN_NAMESPACE

/// Extents of merged dimensions, innermost last; `count` of them are in use.
template <int N>
struct Dims {
    int count;
    FastDivMod<std::uint64_t> extent[N];
};

/// The same with divisors for positions below 2^31, whose divisions take fewer instructions. That of the outermost dimension
/// in use, and those before it, are larger than any position: no branch asks how many there are.
template <int N>
struct NarrowDims : Dims<N> {
    FastDivMod<std::uint32_t> narrow[N];
};
template <>
struct NarrowDims<1> : Dims<1> {};

/// The same where all are in use.
template <int N>
struct AllDims {
    static constexpr int count = N;
    FastDivMod<std::uint64_t> extent[N];
};

namespace detail {

/// The offset of row-major index i; `extent` are the divisors of `count` dimensions in use.
template <int N>
FUSE_HD index_t offset_by(const FastDivMod<std::uint64_t> (&extent)[N], int count, const index_t (&stride)[N],
                          std::uint64_t i) {
    index_t offset = 0;
    std::uint64_t rest = i;
    FUSE_UNROLL
    for (int d = N - 1; d > 0; --d) {
        if (d > N - count) {
            const auto part = extent[d].divmod(rest);
            offset += static_cast<index_t>(part.remainder) * stride[d];
            rest = part.quotient;
        } else if (d == N - count) {
            offset += static_cast<index_t>(rest) * stride[d];
        }
    }
    if (count == N) {
        offset += static_cast<index_t>(rest) * stride[0];
    }
    return offset;
}

/// The same by the divisors for narrow positions.
template <int N>
FUSE_HD index_t offset_by(const FastDivMod<std::uint32_t> (&narrow)[N], const index_t (&stride)[N], std::uint32_t i) {
    index_t offset = 0;
    std::uint32_t rest = i;
    FUSE_UNROLL
    for (int d = N - 1; d > 0; --d) {
        const auto part = narrow[d].divmod(rest);
        offset += static_cast<index_t>(part.remainder) * stride[d];
        rest = part.quotient;
    }
    return offset + static_cast<index_t>(rest) * stride[0];
}

}  // namespace detail

/// Narrow divisions are exact for positions below this.
inline constexpr index_t narrow_end = index_t{1} << 31;

/// Offset of linear (row-major) index i for one operand's strides. One division per dimension but the outermost.
template <class D, int N>
FUSE_HD index_t offset_of(const D& dims, const index_t (&stride)[N], index_t i) {
    if constexpr (N == 1) {
        return i * stride[0];
    } else {
        return detail::offset_by(dims.extent, dims.count, stride, static_cast<std::uint64_t>(i));
    }
}

/// The same where most positions are narrow, and which are is the same for neighbouring threads. linear: the operand goes
/// along all dimensions as along the last, whether others do or not.
template <int N>
FUSE_HD index_t offset_by_size(const NarrowDims<N>& dims, const index_t (&stride)[N], index_t i, bool linear) {
    if constexpr (N > 1) {
        if (linear) {
            return i * stride[N - 1];
        }
        if (i < narrow_end) {
            return detail::offset_by(dims.narrow, stride, static_cast<std::uint32_t>(i));
        }
    }
    return offset_of(dims, stride, i);
}

FUSE_END_NAMESPACE
