// SPDX-License-Identifier: Apache-2.0
//
// BlockReduceSum and BlockReduceMax over both shapes, with and without a NaN. The floats are small integers, so every
// sum is exact.
#pragma once

#include "fuse/primitives/block/block_reduce_sum.hpp"
#include "primitives/fold_cases.hpp"

namespace fuse::testing {

template <class Shape>
struct SumAndMaxKernel {
    float* sums;
    float* maxima;
    unsigned nan_thread;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        const float mine = static_cast<float>(hash(thread, 9) % 1000) - 2000;
        sums[thread] = BlockReduceSum<Shape>(block, mine);
        const float nan = __builtin_nanf("");
        maxima[thread] = BlockReduceMax<Shape>(block, thread == nan_thread ? nan : mine);
    }
};

/// nan_thread: none when it is beyond the block.
template <class Shape, class Runner>
unsigned count_wrong_sums_and_maxima(const Runner& run, Dim2 block, unsigned nan_thread) {
    constexpr bool rows = std::is_same_v<Shape, Block1D>;
    typename Runner::template Buffer<float> sums(block.count());
    typename Runner::template Buffer<float> maxima(block.count());
    run(Dim2{1, 1}, block, 2 * Shape::scratch_bytes(block.x, block.y, sizeof(float)),
        SumAndMaxKernel<Shape>{sums.data(), maxima.data(), nan_thread});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        const unsigned first = rows ? thread / block.x * block.x : 0;
        const unsigned length = rows ? block.x : block.count();
        float sum = 0;
        float maximum = -1e30f;
        for (unsigned i = first; i < first + length; ++i) {
            const float value = static_cast<float>(hash(i, 9) % 1000) - 2000;
            sum += value;
            maximum = value > maximum ? value : maximum;
        }
        const bool has_nan = nan_thread - first < length;  // unsigned: also when it is before first
        wrong += sums[thread] != sum;
        wrong += has_nan ? maxima[thread] == maxima[thread] : maxima[thread] != maximum;
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_sums_and_maxima(const Runner& run, Dim2 block) {
    unsigned wrong = 0;
    for (unsigned nan_thread : {0u, block.count() - 1, block.count() / 2, 5000u}) {
        wrong += count_wrong_sums_and_maxima<Block1D>(run, block, nan_thread);
        wrong += count_wrong_sums_and_maxima<Block2D>(run, block, nan_thread);
    }
    return wrong;
}

}  // namespace fuse::testing
