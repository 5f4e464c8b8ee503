// SPDX-License-Identifier: Apache-2.0
//
// What no single program can do is done in steps: each is a set of statements that is a program by itself, and results
// that a later step reads are carried there through memory. Here it is decided, over the array of nodes, which step
// computes what. Steps of one level do not read each other; between levels all blocks of the one launch meet.
#pragma once

#include "fuse/plan/family.hpp"
#include "fuse/plan/spaces.hpp"
#include "fuse/plan/step_kind.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Sized for its program: those of one step do not compile it.
template <int Reductions, int Roots>
class StepPlanner {
public:
    /// named: all views are. parts: which are parts. room: what lies along one axis may have several extents. alone[i]: -1 where
    /// the operand of reduction i is aligned, else a number for those it may share a step with. lies[i]: the same for the
    /// expression of statement i and the way in which it lies. written[i]: leaves that are its output, by name. scattered:
    /// statements whose elements find places in their output by a scan forwards.
    constexpr StepPlanner(const Nodes& nodes, bool named, const PartKeys& parts, bool room, const int* alone,
                          const int* lies, const bit_set* written, bit_set scattered)
        : n_(nodes), room_(room), alone_(alone), lies_(lies), written_(written), scattered_(scattered) {
        const Spaces<Reductions + Roots> spaces(nodes, parts);
        for (int i = 0; named && i < Reductions + Roots; ++i) {
            space_[i] = spaces.around(i);
        }
    }

    constexpr StepOrder order() {
        find_levels();
        // A last pass may leave some undone: what reads a scan and others is then a map behind them.
        for (int pass = 0; pass < n_.reductions && (delay_scans() || delay_rows()); ++pass) {
            find_levels();
        }
        for (int i = 0; i < n_.reductions; ++i) {
            order_.of_reduction[i] = step_for(kind_of(i));
        }
        place_roots();
        sort_by_level();
        find_carried();
        for (int s = 0; s < order_.steps; ++s) {
            order_.rows_of[s] = rows_beside(s);
        }
        return order_;
    }

private:
    constexpr StepKind kind_of(int i) const {
        const NodeRecord& r = n_.reduction_node(i);
        return {level_[i], r.kind, r.axes, n_.operand_of(r).varies, alone_[i], r.reverse, space_[i]};
    }
    /// Whether a reduction may be a phase behind another one it reads, so that rows stay on chip between the two. Columns,
    /// and what is folded as a whole, are shared by blocks, phase by phase.
    constexpr bool joins(int reader, int read) const {
        StepKind a = kind_of(reader);
        StepKind b = kind_of(read);
        a.level = b.level = 0;
        return a == b && a.kind == NodeKind::reduction && a.rows() && (a.alone < 0 || room_);
    }
    /// Operands stand before what reads them.
    constexpr void find_levels() {
        for (int i = 0; i < n_.reductions; ++i) {
            level_[i] = least_[i];
            const bit_set reads = n_.operand_of(n_.reduction_node(i)).results;
            for (int j = 0; j < i; ++j) {
                if (in_set(reads, j)) {
                    level_[i] = largest(level_[i], level_[j] + (joins(i, j) ? 0 : 1));
                }
            }
        }
    }
    /// An output that reads a scan and other results beside it is written where the scan is: so those come first. Of
    /// scans in both directions those that go backwards come last, but for an output that is written forwards alone.
    constexpr bool delay_scans() {
        bool moved = false;
        for (int root = 0; root < n_.roots; ++root) {
            const bit_set reads = n_.root_node(root).results;
            for (int scan = 0; scan < n_.reductions; ++scan) {
                if (!in_set(reads, scan) || n_.reduction_node(scan).kind != NodeKind::scan) {
                    continue;
                }
                for (int other = 0; other < n_.reductions; ++other) {
                    const NodeRecord& o = n_.reduction_node(other);
                    const bool last = n_.reduction_node(scan).reverse != in_set(scattered_, root);
                    const bool opposite =
                        o.kind == NodeKind::scan && o.reverse != n_.reduction_node(scan).reverse && last;
                    const bool before = (o.kind == NodeKind::reduction || opposite) && !in_set(o.needs, scan);
                    if (in_set(reads, other) && before && level_[other] >= level_[scan]) {
                        least_[scan] = level_[other] + 1;
                        moved = true;
                    }
                }
            }
        }
        return moved;
    }
    /// Whether the reductions of a kind are read by those of other kinds that go along the folded axes again. What folds one
    /// value per row or column may wait: it costs a barrier and no pass.
    constexpr bool is_read_elsewhere(const StepKind& kind) const {
        bit_set own = 0;
        for (int i = 0; i < n_.reductions; ++i) {
            own |= kind_of(i) == kind ? set_of(i) : 0;
        }
        for (int i = 0; i < n_.reductions; ++i) {
            const NodeRecord& operand = n_.operand_of(n_.reduction_node(i));
            if (!in_set(own, i) && (operand.results & own) != 0 && (operand.varies & kind.axes) != 0) {
                return true;
            }
        }
        return false;
    }
    /// An output that reads results of rows beside others of the same level is written where the rows are, if these come
    /// later than the others: so that rows are read once for both.
    constexpr bool delay_rows() {
        for (int i = 0; i < n_.roots; ++i) {
            const NodeRecord& root = n_.root_node(i);
            for (int rows = 0; rows < n_.reductions; ++rows) {
                const StepKind kind = kind_of(rows);
                const bool writes = in_set(root.results, rows) && kind.kind == NodeKind::reduction && kind.rows() &&
                                    (root.varies & ~kind.spans) == 0 && (root.varies & kind.axes) != 0;
                bool others = false;
                bool later = false;
                for (int other = 0; writes && other < n_.reductions; ++other) {
                    const bool beside = in_set(root.results, other) && !(kind_of(other) == kind);
                    others = others || (beside && level_[other] == kind.level);
                    later = later || (beside && level_[other] > kind.level);
                }
                if (others && !later && !is_read_elsewhere(kind)) {
                    for (int own = 0; own < n_.reductions; ++own) {
                        least_[own] = kind_of(own) == kind ? kind.level + 1 : least_[own];
                    }
                    return true;
                }
            }
        }
        return false;
    }
    constexpr int step_for(const StepKind& kind) {
        for (int s = 0; s < order_.steps; ++s) {
            if (order_.step[s] == kind) {
                return s;
            }
        }
        order_.step[order_.steps] = kind;
        return order_.steps++;
    }
    /// With the last reductions it reads, if they are of one step that can write it; else it is a map behind them.
    constexpr int step_of_root(int i) {
        const NodeRecord& root = n_.root_node(i);
        int last = -1;
        bool one = true;
        for (int r = 0; r < n_.reductions; ++r) {
            if (!in_set(root.results, r)) {
                continue;
            }
            const int s = order_.of_reduction[r];
            const int level = order_.step[s].level;
            if (last < 0 || level > order_.step[last].level) {
                last = s;
                one = true;
            } else if (level == order_.step[last].level && s != last) {
                one = false;
            }
        }
        if (last >= 0 && one && !in_set(delayed_, i)) {
            const StepKind& kind = order_.step[last];
            const bool writes_items = (root.varies & kind.axes) != 0;
            if ((root.varies & ~kind.spans) == 0 &&
                (!writes_items || (spanned_like(i, last) && (kind.rows() || kind.kind == NodeKind::scan)))) {
                return last;
            }
        }
        return step_for(map_of_root(i, largest(least_of_root_[i], last < 0 ? 0 : order_.step[last].level + 1)));
    }
    /// Whether the expression of statement i has the elements of a step's operands: with room, where both read a view of all.
    constexpr bool spanned_like(int i, int step) const {
        bool alike = !room_;
        for (int r = 0; room_ && r < n_.reductions; ++r) {
            const NodeRecord& operand = n_.operand_of(n_.reduction_node(r));
            for (int leaf = 0; order_.of_reduction[r] == step && leaf < n_.leaves; ++leaf) {
                alike = alike || (in_set(operand.leaves & n_.root_node(i).leaves, leaf) &&
                                  n_.leaf_node(leaf).varies == order_.step[step].spans);
            }
        }
        return alike;
    }
    constexpr StepKind map_of_root(int i, int level) const {
        StepKind map;
        map.level = level;
        map.spans = n_.root_node(i).varies;
        map.space = space_[Reductions + i];
        map.alone = lies_[i] < 0 ? -1 : StepOrder::most + lies_[i];
        return map;
    }
    /// Each as early as it can be; what writes an operand of other steps in a map behind them, or in one that reads it, at
    /// the same elements. Outputs of several shapes that wait for each other have no such order: an eval refuses them.
    constexpr void place_roots() {
        const int folding = order_.steps;
        for (int pass = 0; pass <= n_.roots; ++pass) {
            order_.steps = folding;
            for (int i = 0; i < n_.roots; ++i) {
                order_.of_root[i] = step_of_root(i);
            }
            if (!delay_writes()) {
                return;
            }
        }
    }
    constexpr bool delay_writes() {
        bool moved = false;
        for (int i = 0; i < n_.roots; ++i) {
            const int own = order_.of_root[i];
            for (int s = 0; s < order_.steps; ++s) {
                const StepKind& reader = order_.step[s];
                if (s != own && reader.level >= order_.step[own].level &&
                    (read_by(s, &NodeRecord::leaves) & written_[i]) != 0) {
                    const int behind = reader == map_of_root(i, reader.level) ? 0 : 1;
                    least_of_root_[i] = largest(least_of_root_[i], reader.level + behind);
                    delayed_ |= set_of(i);
                    moved = true;
                }
            }
        }
        return moved;
    }
    /// What a step reads: `of` says leaves, or results.
    constexpr bit_set read_by(int step, bit_set NodeRecord::*of) const {
        bit_set all = 0;
        for (int i = 0; i < n_.reductions; ++i) {
            all |= order_.of_reduction[i] == step ? n_.operand_of(n_.reduction_node(i)).*of : 0;
        }
        for (int i = 0; i < n_.roots; ++i) {
            all |= order_.of_root[i] == step ? n_.root_node(i).*of : 0;
        }
        return all;
    }
    constexpr void sort_by_level() {
        int place[2 * StepOrder::most] = {};
        StepOrder sorted = order_;
        int next = 0;
        for (int level = 0; next < order_.steps; ++level) {
            for (int s = 0; s < order_.steps; ++s) {
                if (order_.step[s].level == level) {
                    sorted.step[next] = order_.step[s];
                    place[s] = next++;
                    sorted.levels = level + 1;
                }
            }
        }
        for (int i = 0; i < n_.reductions; ++i) {
            sorted.of_reduction[i] = place[order_.of_reduction[i]];
        }
        for (int i = 0; i < n_.roots; ++i) {
            sorted.of_root[i] = place[order_.of_root[i]];
        }
        order_ = sorted;
    }
    constexpr void find_carried() {
        for (int s = 0; s < order_.steps; ++s) {
            const bit_set results = read_by(s, &NodeRecord::results);
            for (int i = 0; i < n_.reductions; ++i) {
                order_.carried[i] = order_.carried[i] || (in_set(results, i) && order_.of_reduction[i] != s);
            }
        }
    }

    /// Columns need nothing but what these rows find, or what is there before them.
    constexpr int rows_beside(int columns) const {
        const StepKind& own = order_.step[columns];
        const bit_set results = read_by(columns, &NodeRecord::results);
        for (int s = 0; s < order_.steps; ++s) {
            const StepKind& rows = order_.step[s];
            bool fits = own.kind == NodeKind::reduction && rows.kind == NodeKind::reduction && rows.rows() &&
                        own.spans == rows.spans && own.axes == (rows.spans & ~rows.axes) && own.alone < 0 &&
                        rows.alone < 0 && rows.level <= own.level;
            for (int i = 0; i < n_.reductions; ++i) {
                const int from = order_.of_reduction[i];
                fits = fits &&
                       (!in_set(results, i) || from == columns || from == s || order_.step[from].level < rows.level);
            }
            if (fits) {
                return s;
            }
        }
        return -1;
    }

    const Nodes& n_;
    bool room_;
    const int* alone_;
    const int* lies_;
    const bit_set* written_;
    bit_set scattered_;
    StepOrder order_{};
    bit_set space_[Reductions + Roots] = {};  ///< of the operands of reductions, then of the expressions of statements
    int level_[Reductions + 1] = {};
    int least_[Reductions + 1] = {};
    int least_of_root_[Roots] = {};
    bit_set delayed_ = 0;  ///< statements that maps write at these levels or later
};

}  // namespace detail

FUSE_END_NAMESPACE
