// SPDX-License-Identifier: Apache-2.0
//
// The kernel families, and which of them a set of reduced axes belongs to.
#pragma once

#include <cstdint>

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

enum class Family {
    map,      ///< no reduction
    full,     ///< all axes are reduced
    rows,     ///< the innermost run of axes is reduced
    columns,  ///< the innermost run is kept, one run outside it is reduced
    any,      ///< reduced axes in several runs
    scan      ///< running folds along one axis
};

constexpr const char* to_string(Family f) {
    constexpr const char* names[] = {"map", "full", "rows", "columns", "any", "scan"};
    return names[static_cast<int>(f)];
}

/// Family of a domain of this rank whose axes in `reduced` (bit i = axis i) are reduced.
constexpr Family family_of(int rank, std::uint32_t reduced) {
    if (reduced == 0) {
        return Family::map;
    }
    int runs = 0;
    for (int i = 0; i < rank; ++i) {
        const bool now = ((reduced >> i) & 1U) != 0;
        const bool before = i > 0 && ((reduced >> (i - 1)) & 1U) != 0;
        runs += now && !before ? 1 : 0;
    }
    if (reduced == (1U << rank) - 1U) {
        return Family::full;
    }
    if (runs > 1) {
        return Family::any;
    }
    return ((reduced >> (rank - 1)) & 1U) != 0 ? Family::rows : Family::columns;
}

/// Whether consecutive threads lie along the reduced axes (rows, full) or along the kept ones (columns).
constexpr bool innermost_reduced(int rank, std::uint32_t reduced) {
    return rank > 0 && ((reduced >> (rank - 1)) & 1U) != 0;
}

FUSE_END_NAMESPACE
