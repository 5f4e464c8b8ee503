// SPDX-License-Identifier: Apache-2.0
//
// The block of a launch as one of its steps sees it: the same threads in another shape, and another place in a grid of
// the step's own, of which a block of the launch may take several places one after the other.
#pragma once

#include "fuse/kernels/steps/ladder.hpp"
#include "fuse/primitives/machine/block_traits.hpp"

FUSE_BEGIN_NAMESPACE

/// B: a block type. All threads of the launch take part in every step.
template <ThreadBlock B, unsigned MostThreads>
class StepBlock : public B {
public:
    static constexpr unsigned most_threads = MostThreads;
    /// A block goes through many rows: no more are launched than the device holds.
    static constexpr bool many_rows = true;
    /// Steps pack no columns into tiles (plan/column_packing.hpp).
    static constexpr bool packs_no_columns = true;

    FUSE_HD explicit StepBlock(B& block)
        : B(block), linear_(linear_thread(block)), x_(linear_), grid_(block.grid_x()), index_(block.block_x()) {}

    /// dim_x divides the number of threads, and dim_x * dim_y is that.
    FUSE_HD void shape(unsigned dim_x, unsigned dim_y) {
        dim_x_ = dim_x;
        dim_y_ = dim_y;
        y_ = linear_ / dim_x;
        x_ = linear_ - y_ * dim_x;
    }
    FUSE_HD void place(unsigned index, unsigned grid) {
        index_ = index;
        grid_ = grid;
    }

    FUSE_HD unsigned dim_x() const { return dim_x_; }
    FUSE_HD unsigned dim_y() const { return dim_y_; }
    FUSE_HD unsigned thread_x() const { return x_; }
    FUSE_HD unsigned thread_y() const { return y_; }
    FUSE_HD unsigned grid_x() const { return grid_; }
    FUSE_HD unsigned block_x() const { return index_; }

private:
    unsigned linear_;
    unsigned x_;
    unsigned y_ = 0;
    unsigned dim_x_ = 1;
    unsigned dim_y_ = 1;
    unsigned grid_;
    unsigned index_;
};

FUSE_END_NAMESPACE
