// SPDX-License-Identifier: Apache-2.0
//
// The complex accumulators of complex_cases.hpp in every shuffle: folds, scans and batched folds of warp segments.
#pragma once

#include "primitives/complex_cases.hpp"

namespace fuse::testing {

template <class A>
struct ComplexWarpResults {
    A all, first, inclusive, before, scattered;
    A batch[3];
};

template <class Op, int Scattered>
struct ComplexWarpKernel {
    using A = typename Op::accumulator;
    int width;
    ComplexWarpResults<A>* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        ComplexWarpResults<A>& mine = out[thread];
        mine.all = WarpReduce(block, Op::value(thread, 1), Op{}, width);
        mine.first = WarpReduceDown(block, Op::value(thread, 1), Op{}, width);
        mine.inclusive = WarpScan(block, Op::value(thread, 1), Op{}, width);
        mine.before = WarpShiftScan(block, mine.inclusive, Op{}, width);
        A batch[3] = {Op::value(thread, 2), Op::value(thread, 3), Op::value(thread, 4)};
        BatchedWarpReduce(block, batch, Op{}, width);
        FUSE_UNROLL
        for (int k = 0; k < 3; ++k) {
            mine.batch[k] = batch[k];
        }
        A scattered[Scattered];
        FUSE_UNROLL
        for (int k = 0; k < Scattered; ++k) {
            scattered[k] = Op::value(thread, static_cast<unsigned>(2 + k));
        }
        mine.scattered = WarpReduceScatter(block, scattered, Op{}, width);
    }
};

/// Scattered <= width values are folded, lane k keeps the k-th.
template <template <class> class Op, class T, int Scattered, class Runner>
unsigned count_wrong_complex_warps(const Runner& run, Dim2 block, unsigned width) {
    using A = typename Op<T>::accumulator;
    using Exact = Op<double>;
    typename Runner::template Buffer<ComplexWarpResults<A>> out(block.count());
    run(Dim2{1, 1}, block, 0, ComplexWarpKernel<Op<T>, Scattered>{static_cast<int>(width), out.data()});
    unsigned wrong = 0;
    for (unsigned first = 0; first < block.count(); first += width) {
        typename Exact::accumulator folds[5];
        for (unsigned salt = 1; salt <= 4; ++salt) {
            folds[salt] = Exact{}.init();
            for (unsigned thread = first; thread < first + width; ++thread) {
                const auto before = folds[salt];
                folds[salt] = Exact{}.combine(before, Exact::value(thread, salt));
                if (salt == 1) {
                    wrong += !same_numbers(out[thread].before, before);
                    wrong += !same_numbers(out[thread].inclusive, folds[salt]);
                }
            }
        }
        wrong += !same_numbers(out[first].first, folds[1]);
        for (unsigned thread = first; thread < first + width; ++thread) {
            wrong += !same_numbers(out[thread].all, folds[1]);
            for (unsigned k = 0; k < 3; ++k) {
                wrong += !same_numbers(out[thread].batch[k], folds[2 + k]);
            }
        }
        for (unsigned k = 0; k < Scattered; ++k) {
            wrong += !same_numbers(out[first + k].scattered, folds[2 + k]);
        }
    }
    return wrong;
}

template <template <class> class Op, class T, class Runner>
unsigned count_wrong_complex_warps(const Runner& run) {
    unsigned wrong = 0;
    for (const unsigned width : {1U, 2U, 4U, 8U, 16U, 32U}) {
        for (const Dim2 block : {Dim2{width, 1}, Dim2{width, 5}, Dim2{width * 3, 2}, Dim2{64, 2}}) {
            wrong += width < 4 ? count_wrong_complex_warps<Op, T, 1>(run, block, width)
                               : count_wrong_complex_warps<Op, T, 3>(run, block, width);
        }
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_complex_warps(const Runner& run) {
    return count_wrong_complex_warps<ComplexSum, double>(run) + count_wrong_complex_warps<ComplexProduct, float>(run) +
           count_wrong_complex_warps<ComplexAffine, float>(run) + count_wrong_complex_warps<ComplexMatrix, double>(run);
}

}  // namespace fuse::testing
