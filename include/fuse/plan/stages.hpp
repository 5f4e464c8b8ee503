// SPDX-License-Identifier: Apache-2.0
//
// From numbered nodes to stages. A stage folds a set of axes; its reductions do not read each other and share one
// sweep. Today's kernels run stages that fold the same axes one after another (phases), and behind them, row by row,
// one that folds everything (the epilogue). Here it is decided whether a program can be arranged like that, and over
// which axes.
#pragma once

#include "fuse/plan/family.hpp"
#include "fuse/plan/nodes.hpp"
#include "fuse/plan/program.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// How a reduction fits a kernel whose phases fold certain axes.
enum class Fit {
    no,
    stretched,  ///< its operand has extent 1 along axes that the kernel walks: elements there count once
    exact
};

/// How the reductions of a program are arranged in stages.
struct Arrangement {
    std::uint32_t domain = 0;   ///< every axis
    std::uint32_t reduced = 0;  ///< axes that the phases fold
    std::uint32_t walked = 0;   ///< axes along which a sweep goes: those, or all where nothing is reduced
    Fit fit = Fit::exact;
    int phases = 0;
    bit_set epilogue = 0;  ///< its reductions

    /// A reduction over some of the axes of the phases belongs to one of them, any other one to the epilogue.
    constexpr bool in_phase(const NodeRecord& reduction) const { return (reduction.axes & ~reduced) == 0; }
    constexpr int stages() const { return phases + (epilogue != 0 ? 1 : 0); }
    constexpr int stage_of(const NodeRecord& reduction) const {
        return in_phase(reduction) ? reduction.depth - 1 : phases;
    }
    /// The same axes as kernels have them.
    constexpr unsigned along(std::uint32_t axes) const {
        return ((axes & ~walked) != 0 ? kir::kept_axes : 0U) | ((axes & walked) != 0 ? kir::walked_axes : 0U);
    }
    /// Domain axes along which the kernel goes for a reduction: an epilogue folds one value per row, or every element.
    constexpr std::uint32_t covers(const NodeRecord& reduction, const NodeRecord& operand) const {
        return in_phase(reduction) ? reduced : covered(operand.varies);
    }
    /// Those along which it writes an output.
    constexpr std::uint32_t covers(const NodeRecord& output) const {
        return output.varies != 0 ? covered(output.varies) : 0;
    }
    constexpr std::uint32_t covered(std::uint32_t varies) const {
        return (varies & walked) != 0 ? domain : domain & ~walked;
    }
};

constexpr bit_set epilogue_of(const Nodes& n, const Arrangement& a) {
    bit_set set = 0;
    for (int i = 0; i < n.reductions; ++i) {
        set |= a.in_phase(n.reduction_node(i)) ? 0 : set_of(i);
    }
    return set;
}

constexpr Fit fit_of(const Nodes& n, const Arrangement& a, const NodeRecord& reduction) {
    const NodeRecord& operand = n.operand_of(reduction);
    if ((operand.needs & a.epilogue) != 0) {
        return Fit::no;
    }
    const std::uint32_t covers = a.covers(reduction, operand);
    if (runs_along(reduction.kind)) {
        return reduction.axes == a.reduced ? Fit::exact : Fit::no;
    }
    // A phase has one result per row; an epilogue has one.
    const std::uint32_t folded = a.in_phase(reduction) ? covers : a.domain;
    return (operand.varies & folded & ~reduction.axes) != 0 ? Fit::no
           : reduction.axes == covers                       ? Fit::exact
                                                            : Fit::stretched;
}

/// The arrangement whose phases fold the axes in `reduced`; its fit is the worst of its reductions.
constexpr Arrangement arrange(const Nodes& n, int rank, std::uint32_t reduced) {
    Arrangement a;
    a.domain = (1U << rank) - 1U;
    a.reduced = reduced;
    a.walked = reduced == 0 ? a.domain : reduced;
    a.epilogue = epilogue_of(n, a);
    if (a.epilogue != 0 && family_of(rank, reduced) != Family::rows) {
        a.fit = Fit::no;
    }
    for (int i = 0; i < n.reductions; ++i) {
        const NodeRecord& reduction = n.reduction_node(i);
        const Fit fit = fit_of(n, a, reduction);
        a.fit = fit < a.fit ? fit : a.fit;
        a.phases = a.in_phase(reduction) ? largest(a.phases, reduction.depth) : a.phases;
    }
    return a;
}

/// The rank less the last axes along which nothing varies, which are of extent 1: rows that end there are rows.
constexpr int rank_in_use(const Nodes& n, int rank) {
    std::uint32_t varies = 0;
    for (int i = 0; i < n.roots; ++i) {
        varies |= n.root_node(i).varies;
    }
    for (int i = 0; i < n.reductions; ++i) {
        varies |= n.operand_of(n.reduction_node(i)).varies;
    }
    return varies == 0 ? rank : static_cast<int>(std::bit_width(varies));
}

/// The best arrangement whose phases fold the axes of one of the reductions, or of all together. An exact fit goes
/// before one in which an operand is stretched, which costs time.
constexpr Arrangement best_arrangement(const Nodes& n, int rank) {
    std::uint32_t together = 0;
    for (int i = 0; i < n.reductions; ++i) {
        together |= n.reduction_node(i).axes;
    }
    Arrangement best = arrange(n, rank, n.reductions > 0 ? n.reduction_node(0).axes : 0);
    for (int i = 1; i <= n.reductions && best.fit != Fit::exact; ++i) {
        const std::uint32_t axes = i < n.reductions ? n.reduction_node(i).axes : together;
        const Arrangement other = arrange(n, rank, axes);
        best = other.fit > best.fit ? other : best;
    }
    return best;
}

/// A stage: the axes that it folds, its reductions, and what it reads.
struct StageSets {
    std::uint32_t axes = 0;
    bit_set reductions = 0;
    bit_set leaves = 0;
    bit_set stages = 0;

    constexpr int size() const { return std::popcount(reductions); }
    /// Its i-th reduction.
    constexpr int at(int i) const {
        int r = 0;
        for (int before = 0; !in_set(reductions, r) || before++ < i; ++r) {
        }
        return r;
    }
};

/// The stages whose reductions are in a set.
constexpr bit_set stages_of(const Nodes& n, const Arrangement& a, bit_set reductions) {
    bit_set set = 0;
    for (int i = 0; i < n.reductions; ++i) {
        set |= in_set(reductions, i) ? set_of(a.stage_of(n.reduction_node(i))) : 0;
    }
    return set;
}

constexpr StageSets stage_at(const Nodes& n, const Arrangement& a, int number) {
    StageSets s;
    s.axes = number < a.phases ? a.reduced : a.domain;
    for (int i = 0; i < n.reductions; ++i) {
        const NodeRecord& reduction = n.reduction_node(i);
        if (a.stage_of(reduction) == number) {
            s.reductions |= set_of(i);
            s.leaves |= n.operand_of(reduction).leaves;
            s.stages |= stages_of(n, a, n.operand_of(reduction).results);
        }
    }
    return s;
}

/// The number of reduction r in the program, which counts them stage by stage.
constexpr int place_in_program(const Nodes& n, const Arrangement& a, int r) {
    const int own = a.stage_of(n.reduction_node(r));
    int before = 0;
    for (int i = 0; i < n.reductions; ++i) {
        const int other = a.stage_of(n.reduction_node(i));
        before += other < own || (other == own && i < r) ? 1 : 0;
    }
    return before;
}

/// A set of reductions under the numbers that they have there.
constexpr bit_set in_program_order(const Nodes& n, const Arrangement& a, bit_set reductions) {
    bit_set set = 0;
    for (int i = 0; i < n.reductions; ++i) {
        set |= in_set(reductions, i) ? set_of(place_in_program(n, a, i)) : 0;
    }
    return set;
}

}  // namespace detail

FUSE_END_NAMESPACE
