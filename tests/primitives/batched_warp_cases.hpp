// SPDX-License-Identifier: Apache-2.0
//
// BatchedWarpReduce and WarpReduceScatter for every segment width, with a run-time width and an operation that does not
// commute.
#pragma once

#include <utility>

#include "fuse/primitives/warp/batched_warp_reduce.hpp"
#include "primitives/fold_cases.hpp"

namespace fuse::testing {

template <int K>
struct WarpBatchKernel {
    int width;
    Affine* all;
    Affine* scattered;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        Affine values[K];
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            values[k] = {hash(thread, static_cast<unsigned>(k)) | 1, hash(thread, static_cast<unsigned>(k) + 500)};
        }
        if (K <= width) {
            scattered[thread] = WarpReduceScatter(block, values, ComposeAffine{}, width);
        }
        BatchedWarpReduce(block, values, ComposeAffine{}, width);
        FUSE_UNROLL
        for (int k = 0; k < K; ++k) {
            all[thread * K + static_cast<unsigned>(k)] = values[k];
        }
    }
};

template <int K, class Runner>
unsigned count_wrong_warp_batches(const Runner& run, Dim2 block, unsigned width) {
    typename Runner::template Buffer<Affine> all(std::size_t{block.count()} * K);
    typename Runner::template Buffer<Affine> scattered(block.count());
    run(Dim2{1, 1}, block, 0, WarpBatchKernel<K>{static_cast<int>(width), all.data(), scattered.data()});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        const unsigned first = thread / width * width;
        for (unsigned k = 0; k < K; ++k) {
            Affine expected{1, 0};
            for (unsigned i = first; i < first + width; ++i) {
                expected = ComposeAffine{}.combine(expected, {hash(i, k) | 1, hash(i, k + 500)});
            }
            wrong += !(all[thread * K + k] == expected);
            wrong += K <= width && thread - first == k && !(scattered[thread] == expected);
        }
    }
    return wrong;
}

/// Every width; whole warps and a partial last one.
template <class Runner, int... Ks>
unsigned count_wrong_warp_batches(const Runner& run, std::integer_sequence<int, Ks...>) {
    unsigned wrong = 0;
    for (unsigned width : {1u, 2u, 4u, 8u, 16u, 32u}) {
        wrong += (count_wrong_warp_batches<Ks>(run, Dim2{width, 5}, width) + ...);
        wrong += (count_wrong_warp_batches<Ks>(run, Dim2{64, 1}, width) + ...);
    }
    return wrong;
}

}  // namespace fuse::testing
