// SPDX-License-Identifier: Apache-2.0
//
// Raking of narrow columns: C columns of values in scratch, C a power of two up to the warp size, fold in one warp:
// each of the warp_size / C lanes of a column folds a run of rows, and shuffles over multiples of C fold these.
// BlockYReduce of narrow blocks and the batched folds, which leave a column per value, meet here.
//
// One row is left out after every run, so that the lanes of one column meet different banks.
#pragma once

#include "fuse/primitives/block/scratch_fold.hpp"
#include "fuse/primitives/warp/warp_reduce.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

struct ColumnRake {
    unsigned columns;
    unsigned rows;
    unsigned run;    ///< rows that a lane folds, a power of two
    unsigned shift;  ///< log2(run)

    FUSE_HD constexpr ColumnRake(unsigned column_count, unsigned row_count, unsigned warp_size)
        : columns(column_count), rows(row_count), run(1), shift(0) {
        FUSE_UNROLL
        for (unsigned most = 1; most < max_block_threads / warp_size; most *= 2) {
            run = rows * columns > warp_size * most ? 2 * most : run;
            shift += rows * columns > warp_size * most ? 1 : 0;
        }
    }

    FUSE_HD constexpr unsigned slot(unsigned row, unsigned column) const {
        return (row + (row >> shift)) * columns + column;
    }

    FUSE_HD constexpr unsigned slots() const { return slot(rows - 1, columns - 1) + 1; }
};

/// The fold of its column in every lane; lane = part * columns + the number of a column. All lanes of a complete warp
/// call; those of a column without values (a number of columns that is no power of two) name another one.
template <Shuffles B, class A, class R>
FUSE_HD A fold_columns(B& block, const A* values, const ColumnRake& rake, const R& r, unsigned part, unsigned column) {
    const unsigned first = part * rake.run;
    A acc = r.init();
    if (first < rake.rows) {
        const unsigned left = rake.rows - first;
        acc = fold_strided(values + rake.slot(first, column), left < rake.run ? left : rake.run, rake.columns, r);
    }
    auto&& warp = complete_warps(block);
    FUSE_UNROLL
    for (unsigned distance = 1; distance < B::warp_size; distance *= 2) {
        if (distance >= rake.columns) {
            const A other = warp.shuffle_xor(acc, static_cast<int>(distance), B::warp_size);
            const bool upper = (part * rake.columns & distance) != 0;
            acc = !R::commutative && upper ? r.combine(other, acc) : r.combine(acc, other);
        }
    }
    return acc;
}

}  // namespace detail

FUSE_END_NAMESPACE
