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

/// The same of a row, with divisors for positions below 2^31, whose divisions take fewer instructions.
template <int N>
struct WalkedDims : Dims<N> {
    FastDivMod<std::uint32_t> narrow[N];
};
template <>
struct WalkedDims<1> : Dims<1> {};

/// The same where all are in use.
template <int N>
struct AllDims {
    static constexpr int count = N;
    FastDivMod<std::uint64_t> extent[N];
};

namespace detail {

/// The offset of row-major index i; `extent` are the divisors of `count` dimensions in use.
template <class T, int N>
FUSE_HD index_t offset_by(const FastDivMod<T> (&extent)[N], int count, const index_t (&stride)[N], T i) {
    index_t offset = 0;
    T rest = i;
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

}  // namespace detail

/// Offset of linear (row-major) index i for one operand's strides. One division per dimension but the outermost.
template <class D, int N>
FUSE_HD index_t offset_of(const D& dims, const index_t (&stride)[N], index_t i) {
    if constexpr (N == 1) {
        return i * stride[0];
    } else {
        return detail::offset_by(dims.extent, dims.count, stride, static_cast<std::uint64_t>(i));
    }
}

FUSE_END_NAMESPACE
