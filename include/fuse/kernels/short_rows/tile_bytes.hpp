// SPDX-License-Identifier: Apache-2.0
//
// What operands take of a tile of rows (row_tile.hpp), in bytes.
#pragma once

#include "fuse/numeric.hpp"
#include "fuse/plan/program.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Bytes of an element in the tile, of leaf or output number I; 0: it is not there.
template <class P, int I>
inline constexpr unsigned tiled_leaf_bytes = [] {
    using L = at_t<typename P::leaves, I>;
    if constexpr (kir::is_memory<L>) {
        return L::walked && L::kept ? static_cast<unsigned>(sizeof(typename L::storage)) : 0U;
    } else {
        return 0U;
    }
}();
template <class P, int I>
inline constexpr unsigned
    tiled_output_bytes = at_t<typename P::outputs, I>::extent == kir::Extent::item
                             ? static_cast<unsigned>(sizeof(typename at_t<typename P::outputs, I>::storage))
                             : 0U;

/// Whether all rows of leaf number I are the same row in memory.
template <class P, int I>
inline constexpr bool one_row_of_leaf =
    kir::is_memory<at_t<typename P::leaves, I>>&& at_t<typename P::leaves, I>::walked&& tiled_leaf_bytes<P, I> == 0;

/// The bytes of an element of all leaves and outputs before number I, outputs after leaves.
template <class P, int I>
inline constexpr unsigned tiled_bytes_before = [] {
    constexpr int leaves = P::leaves::size;
    if constexpr (I == 0) {
        return 0U;
    } else if constexpr (I <= leaves) {
        return tiled_bytes_before<P, I - 1> + tiled_leaf_bytes<P, I - 1>;
    } else {
        return tiled_bytes_before<P, I - 1> + tiled_output_bytes<P, I - 1 - leaves>;
    }
}();

/// Bytes of an element of the single rows of the leaves before number I.
template <class P, int I>
inline constexpr unsigned row_bytes_before = [] {
    if constexpr (I == 0) {
        return 0U;
    } else if constexpr (I > P::leaves::size) {
        return row_bytes_before<P, I - 1>;
    } else if constexpr (one_row_of_leaf<P, I - 1>) {
        return row_bytes_before<P, I - 1> +
               static_cast<unsigned>(sizeof(typename at_t<typename P::leaves, I - 1>::storage));
    } else {
        return row_bytes_before<P, I - 1>;
    }
}();

/// The widest element of all leaves and outputs in the tile.
template <class P, int I = P::leaves::size + P::outputs::size - 1>
inline constexpr unsigned widest_in_tile = [] {
    constexpr int leaves = P::leaves::size;
    if constexpr (I < 0) {
        return 1U;
    } else if constexpr (I < leaves) {
        return largest(tiled_leaf_bytes<P, I>, widest_in_tile<P, I - 1>);
    } else {
        return largest(tiled_output_bytes<P, I - leaves>, widest_in_tile<P, I - 1>);
    }
}();

}  // namespace detail

FUSE_END_NAMESPACE
