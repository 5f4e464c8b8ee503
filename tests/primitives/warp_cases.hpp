// SPDX-License-Identifier: Apache-2.0
//
// WarpReduce and WarpReduceDown for every segment width, with a run-time width and an operation that does not
// commute; and the integer reductions that a GPU folds in one instruction.
#pragma once

#include "fuse/ops/reductions/logic.hpp"
#include "fuse/ops/reductions/min_max.hpp"
#include "fuse/ops/reductions/sum_prod.hpp"
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

/// One pattern with another bit flipped in each thread: neither and, or nor xor of a warp gives all bits or none.
template <class A>
FUSE_HOST_DEVICE constexpr A warp_integer(unsigned thread) {
    return static_cast<A>(0x9e3779b97f4a7c15u ^ (std::uint64_t{1} << (hash(thread, 11) % (8 * sizeof(A)))));
}

template <class R>
struct WarpIntegerKernel {
    using A = typename R::accumulator;

    int width;
    A* all;
    A* first;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        const A mine = warp_integer<A>(thread);
        all[thread] = WarpReduce(block, mine, R{}, width);
        first[thread] = WarpReduceDown(block, mine, R{}, width);
    }
};

/// `fold` is the operation on two accumulators, written out.
template <class R, class Runner, class Fold>
unsigned count_wrong_warp_integers(const Runner& run, Fold fold) {
    using A = typename R::accumulator;
    unsigned wrong = 0;
    for (Dim2 block : {Dim2{32, 1}, Dim2{64, 3}, Dim2{16, 3}}) {
        for (unsigned width : {16u, 32u}) {
            if (block.count() % width != 0) {
                continue;
            }
            typename Runner::template Buffer<A> all(block.count());
            typename Runner::template Buffer<A> first(block.count());
            run(Dim2{1, 1}, block, 0, WarpIntegerKernel<R>{static_cast<int>(width), all.data(), first.data()});
            for (unsigned thread = 0; thread < block.count(); ++thread) {
                const unsigned start = thread / width * width;
                A expected = warp_integer<A>(start);
                for (unsigned i = start + 1; i < start + width; ++i) {
                    expected = fold(expected, warp_integer<A>(i));
                }
                wrong += all[thread] != expected;
                wrong += thread == start && first[thread] != expected;
            }
        }
    }
    return wrong;
}

template <class T, class Runner>
unsigned count_wrong_warp_integers(const Runner& run) {
    using U = std::make_unsigned_t<T>;
    const auto add = [](T a, T b) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(b)); };
    return count_wrong_warp_integers<SumReduction<T, T>>(run, add) +
           count_wrong_warp_integers<MinReduction<T>>(run, [](T a, T b) { return a < b ? a : b; }) +
           count_wrong_warp_integers<MaxReduction<T>>(run, [](T a, T b) { return a < b ? b : a; }) +
           count_wrong_warp_integers<BitAndReduction<T>>(run, [](T a, T b) { return static_cast<T>(a & b); }) +
           count_wrong_warp_integers<BitOrReduction<T>>(run, [](T a, T b) { return static_cast<T>(a | b); }) +
           count_wrong_warp_integers<BitXorReduction<T>>(run, [](T a, T b) { return static_cast<T>(a ^ b); });
}

/// The accumulators that one instruction folds, and wider ones that it must leave alone.
template <class Runner>
unsigned count_wrong_warp_integers(const Runner& run) {
    const auto any = [](std::uint32_t a, std::uint32_t b) { return a | b; };
    const auto all = [](std::uint32_t a, std::uint32_t b) { return a & b; };
    return count_wrong_warp_integers<std::int32_t>(run) + count_wrong_warp_integers<std::uint32_t>(run) +
           count_wrong_warp_integers<std::int64_t>(run) + count_wrong_warp_integers<std::uint64_t>(run) +
           count_wrong_warp_integers<AnyReduction<float>>(run, any) +
           count_wrong_warp_integers<AllReduction<float>>(run, all);
}

}  // namespace fuse::testing
