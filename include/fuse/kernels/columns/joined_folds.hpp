// SPDX-License-Identifier: Apache-2.0
//
// The folds of columns whose rows are joined: of what threads have, whose lanes are of one column where their places in a line
// are a row apart, and of what blocks have. Of any number of columns, so no warp has the same ones in the same lanes as the next.
#pragma once

#include "fuse/primitives/block/halving_fold.hpp"

#if FUSE_HAS_DEVICE_BODIES

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The folds of the columns of a line, in shared memory, of the lanes of the threads whose y is 0. Two barriers.
template <class Folds, int V, class B>
FUSE_HD auto* join_lanes(B& block, const typename Folds::accumulator& line, unsigned columns) {
    const unsigned threads = block.dim_x();
    auto* const lines = block.template scratch<typename Folds::accumulator>(threads);
    if (block.thread_y() == 0) {
        lines[block.thread_x()] = line;
    }
    block.sync();
    const auto* const lanes = lines->item;
    using one = std::remove_cvref_t<decltype(*lanes)>;
    auto* const totals = block.template scratch<one>(columns);
    for (unsigned c = linear_thread(block); c < columns; c += block_threads(block)) {
        one total = lanes[c];
        for (unsigned k = c + columns; k < threads * V; k += columns) {
            total = Folds{}.r.combine(total, lanes[k]);
        }
        totals[c] = total;
    }
    block.sync();
    return totals;
}

/// The folds of what `members` blocks have of each column, `columns` one after the other for each block, in threads 0 to
/// columns - 1. There are no fewer threads than columns.
template <class One, class R, class B>
FUSE_HD One fold_members_of_columns(B& block, const One* parts, const R& r, unsigned members, unsigned columns) {
    constexpr unsigned batch = 4;  // loads in flight: others wait
    const unsigned rows = block_threads(block) / columns;
    const unsigned row = linear_thread(block) / columns;
    const unsigned column = linear_thread(block) % columns;
    const One* const own = parts + column;
    const std::size_t step = columns;
    One total = r.init();
    unsigned m = row < rows ? row : members;
    for (; m + (batch - 1) * rows < members; m += batch * rows) {
        One part[batch];
        FUSE_UNROLL
        for (unsigned i = 0; i < batch; ++i) {
            part[i] = own[(m + i * rows) * step];
        }
        FUSE_UNROLL
        for (unsigned i = 0; i < batch; ++i) {
            total = r.combine(total, part[i]);
        }
    }
    for (; m < members; m += rows) {
        total = r.combine(total, own[m * step]);
    }
    return halving_fold(block, total, r, row, rows, column, columns);
}

/// The accumulators of the columns of a thread's lanes.
template <class Folds, int V, class One>
FUSE_HD typename Folds::accumulator spread_lanes(const One* totals, unsigned x, unsigned columns) {
    typename Folds::accumulator lanes;
    FUSE_UNROLL
    for (unsigned v = 0; v < V; ++v) {
        lanes.item[v] = totals[(x * V + v) % columns];
    }
    return lanes;
}

}  // namespace detail

FUSE_END_NAMESPACE

#endif
