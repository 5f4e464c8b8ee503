// SPDX-License-Identifier: Apache-2.0
//
// A program as a handful of numbers (plan/facts.hpp reads them off its type): a launch that is chosen from them can be
// chosen on paper.
#pragma once

#include "fuse/config.hpp"

FUSE_BEGIN_NAMESPACE

struct ProgramFacts {
    bool reduces = false;
    bool columns = false;  ///< consecutive threads lie along kept axes
    int phases = 0;
    bool writes_items =
        false;  ///< after the phases: outputs per element, an epilogue over all elements, outputs to fill
    bool epilogue = false;
    bool ordered = false;          ///< a reduction that does not commute
    bool folds_runs = false;       ///< reductions of several words, folded by runs: twice the registers
    bool full = false;             ///< nothing is kept
    bool online = false;           ///< phases that are joined to one sweep (plan/sweeps.hpp)
    bool read_once = false;        ///< one such sweep, and nothing after it
    bool one_sweep = false;        ///< one sweep reads all that is read: it folds, and may write
    bool scan = false;             ///< the results of the one phase differ from element to element
    bool backwards = false;        ///< one from the ends of rows or columns
    bool sort = false;             ///< and are those of sorting
    int scan_words = 1;            ///< 32-bit words of the accumulators of a scan
    int buffered_bytes = 16;       ///< bytes of one vector of all leaves that vary along the threads
    int vector = 1;                ///< items per vector
    int sweep_vectors = 1;         ///< vectors per thread that a sweep has in flight
    int item_bytes = 4;            ///< bytes of one item of the widest leaf that varies along the threads
    int staged_bytes = 0;          ///< of one element of what rows on chip hold: all leaves that several sweeps read
    bool rows_alone = false;       ///< one operand alone moves along rows, and differs from row to row
    bool has_beside = false;       ///< beside it some that are the same for all rows move along them
    int fold_bytes = 4;            ///< bytes that one thread brings to the largest collective of a column kernel
    int sweep_bytes = 4;           ///< the same where phases are joined
    bool finds_positions = false;  ///< all that is folded in rows are positions, which takes one accumulator a thread

    /// One sweep folds all there is, and nothing comes after it: blocks may share a row or a column.
    constexpr bool one_phase() const { return phases == 1 && !writes_items && !epilogue; }
    /// Blocks may share a row of the kernel that reads rows again: of one phase there is another (kernels/split/).
    constexpr bool shares_rows() const { return !ordered && !one_phase(); }
    /// The same of small values, as of a sum: that rows are held gains nothing.
    constexpr bool one_light_phase() const { return one_phase() && (finds_positions || fold_bytes <= 8 * vector); }
};

FUSE_END_NAMESPACE
