// SPDX-License-Identifier: Apache-2.0
//
// The fold of rows of any number of threads each, in blocks of any shape, for values that many threads have and of which a fold
// takes long: log2 of the rows one after the other, where scratch_fold takes twice their root.
#pragma once

#include "fuse/primitives/machine/thread_block.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Folds what `rows` rows of `columns` threads have, those of half of the rows with those of the other half again and again:
/// the threads of row 0 get the totals. A barrier for each half.
template <ThreadBlock B, class A, class R>
FUSE_HD A halving_fold(B& block, A own, const R& r, unsigned row, unsigned rows, unsigned column, unsigned columns) {
    while (rows > 1) {
        const unsigned half = (rows + 1) / 2;
        A* const shared = block.template scratch<A>((rows - half) * columns) + column;
        if (row >= half && row < rows) {
            shared[(row - half) * columns] = own;
        }
        block.sync();
        if (row < rows - half) {
            own = r.combine(own, shared[row * columns]);
        }
        rows = half;
    }
    return own;
}
/// Bytes of one half of the scratch memory that halving_fold needs.
constexpr std::size_t halving_fold_scratch_bytes(unsigned rows, unsigned columns, std::size_t accumulator_bytes) {
    return scratch_round_up(rows / 2 * columns * accumulator_bytes);
}

}  // namespace detail

FUSE_END_NAMESPACE
