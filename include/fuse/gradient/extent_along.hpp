// SPDX-License-Identifier: Apache-2.0
//
// The extent of an expression along one axis, from the views that have it: what it takes to compare two expressions whose
// types leave one axis open, where shape_of() would check and print all of both.
#pragma once

#include "fuse/gradient/extent_sources.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// In place of an extent: operands have several that do not broadcast.
inline constexpr index_t misfit = -1;

constexpr index_t common_extent(index_t a, index_t b) {
    return a == 1 || a == b ? b : b == 1 ? a : misfit;
}

template <int Behind, class E>
index_t extent_along(const E& e);

/// 1 of operands with fewer axes.
template <class N, int Behind, class E>
index_t extent_of_operand(const E& e) {
    constexpr int behind = behind_in_operand<N, Behind>;
    if constexpr (behind < 0 || behind >= E::rank) {
        return 1;
    } else {
        return extent_along<behind>(e);
    }
}

/// Along the axis with Behind axes behind it.
template <int Behind, class E>
index_t extent_along(const E& e) {
    constexpr int axis = E::rank - 1 - Behind;
    constexpr index_t known = static_shape<E>[axis];
    if constexpr (known != dynamic) {
        return known;
    } else if constexpr (E::reads) {
        return e.extent(axis);
    } else {
        return e.on_operands([](const auto&... operand) {
            index_t all = 1;
            ((all = common_extent(all, extent_of_operand<E, Behind>(operand))), ...);
            return all;
        });
    }
}

/// Whether two expressions have the same extent there.
template <int Behind, class A, class B>
bool same_along(const A& a, const B& b) {
    const index_t extent = extent_along<Behind>(a);
    return extent != misfit && extent == extent_along<Behind>(b);
}

}  // namespace detail

FUSE_END_NAMESPACE
