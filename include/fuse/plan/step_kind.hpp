// SPDX-License-Identifier: Apache-2.0
//
// What the steps of a set of statements are, as data: which axes each folds, on which level it stands, and which step
// computes which value.
#pragma once

#include "fuse/plan/nodes.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// What one step does: reductions over the same axes of operands that vary along the same axes, or none.
struct StepKind {
    int level = 0;
    NodeKind kind = NodeKind::constant;  ///< of its reductions: reduction, scan; constant where there are none
    std::uint32_t axes = 0;              ///< folded, of the domain
    std::uint32_t spans = 0;             ///< along which its operands vary
    int alone = -1;                      ///< the one value that a step has, or how those of a map lie; -1: aligned
    bool reverse = false;                ///< of scans
    bit_set space = 0;                   ///< of views that have extents in common with its operands; 0: not known

    constexpr bool operator==(const StepKind&) const = default;
    constexpr bool full() const { return (spans & ~axes) == 0; }
    /// Consecutive threads lie along the folded axes, of which there are not all.
    constexpr bool rows() const { return !full() && (axes & std::bit_floor(spans)) != 0; }
};

/// The steps of a set of statements. Which values lie as operands do whose axes are aligned at the end of the domain is
/// told from outside: only they, and expressions that lie in one other way, may share a step, which has one way.
struct StepOrder {
    static constexpr int most = 64;
    StepKind step[2 * most] = {};
    int of_reduction[most] = {};
    int of_root[most] = {};
    bool carried[most] = {};  ///< a later step, or another one, reads the reduction's result
    /// Of a step along columns: the step along rows of the same elements, with whose walk it can be done; -1: none.
    int rows_of[2 * most] = {};
    int steps = 0;
    int levels = 0;

    constexpr int carried_count() const {
        int n = 0;
        for (const bool c : carried) {
            n += c ? 1 : 0;
        }
        return n;
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
