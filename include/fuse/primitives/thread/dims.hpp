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

/// The same where all are in use.
template <int N>
struct AllDims {
    static constexpr int count = N;
    FastDivMod<std::uint64_t> extent[N];
};

/// Offset of linear (row-major) index i for one operand's strides. One division per dimension but the outermost.
template <class D, int N>
FUSE_HD index_t offset_of(const D& dims, const index_t (&stride)[N], index_t i) {
    if constexpr (N == 1) {
        return i * stride[0];
    } else {
        index_t offset = 0;
        std::uint64_t rest = static_cast<std::uint64_t>(i);
        FUSE_UNROLL
        for (int d = N - 1; d > 0; --d) {
            if (d > N - dims.count) {
                const auto part = dims.extent[d].divmod(rest);
                offset += static_cast<index_t>(part.remainder) * stride[d];
                rest = part.quotient;
            } else if (d == N - dims.count) {
                offset += static_cast<index_t>(rest) * stride[d];
            }
        }
        if (dims.count == N) {
            offset += static_cast<index_t>(rest) * stride[0];
        }
        return offset;
    }
}

FUSE_END_NAMESPACE
