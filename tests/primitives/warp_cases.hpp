// SPDX-License-Identifier: Apache-2.0
//
// WarpReduce and WarpReduceDown for every segment width, with a run-time width and an operation that does not
// commute.
#pragma once

#include "primitives/fold_cases.hpp"

namespace fuse::testing {

struct WarpFolds {
    Affine all;
    Affine first;
    Champion commuting;
};

struct WarpKernel {
    int width;
    WarpFolds* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        const FourFolds mine = FourFolds::of_thread(thread);
        out[thread] = {WarpReduce(block, mine.affine, ComposeAffine{}, width),
                       WarpReduceDown(block, mine.affine, ComposeAffine{}, width),
                       WarpReduce(block, mine.champion, FindChampion{}, width)};
    }
};

/// `width` divides the number of threads; the last warp may be partial.
template <class Runner>
unsigned count_wrong_warp_folds(const Runner& run, Dim2 block, unsigned width) {
    typename Runner::template Buffer<WarpFolds> out(block.count());
    run(Dim2{1, 1}, block, 0, WarpKernel{static_cast<int>(width), out.data()});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        const unsigned first = thread / width * width;
        FourFolds expected = FourFolds::of_thread(first);
        for (unsigned k = 1; k < width; ++k) {
            expected = FourFolds::combine(expected, FourFolds::of_thread(first + k));
        }
        wrong += !(out[thread].all == expected.affine);
        wrong += !(out[thread].commuting == expected.champion);
        wrong += thread == first && !(out[thread].first == expected.affine);
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_warp_folds(const Runner& run) {
    unsigned wrong = 0;
    for (unsigned width : {1u, 2u, 4u, 8u, 16u, 32u}) {
        wrong += count_wrong_warp_folds(run, Dim2{width, 1}, width);
        wrong += count_wrong_warp_folds(run, Dim2{width, 5}, width);
        wrong += count_wrong_warp_folds(run, Dim2{width * 3, 2}, width);
        wrong += count_wrong_warp_folds(run, Dim2{64, 2}, width);
    }
    return wrong;
}

}  // namespace fuse::testing
