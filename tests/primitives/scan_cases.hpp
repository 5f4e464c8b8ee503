// SPDX-License-Identifier: Apache-2.0
//
// Prefixes over the threads of warps, rows, columns and blocks, against a loop over the group's threads. As in
// fold_cases.hpp: four scans in a row with other data, another accumulator and another operation each, two of which do
// not commute, and exact results.
#pragma once

#include <type_traits>

#include "fuse/ops/types/bfloat16.hpp"
#include "fuse/ops/types/float16.hpp"
#include "primitives/fold_cases.hpp"

namespace fuse::testing {

inline constexpr FourFolds no_folds{ComposeAffine{}.init(), 0.f, MultiplyMatrix{}.init(), FindChampion{}.init()};

struct ScanAlongX : AlongX {
    static constexpr std::size_t scratch_bytes(Dim2 d, std::size_t size, BlockTraits block = {}) {
        return x_scan_scratch_bytes(d.x, d.y, size, block);
    }

    template <class B, class A, class R>
    FUSE_HD static Prefix<A> scan(B& block, A acc, R r) {
        return BlockXScan(block, acc, r);
    }
};

struct ScanAlongY : AlongY {
    static constexpr std::size_t scratch_bytes(Dim2 d, std::size_t size, BlockTraits block = {}) {
        return y_scan_scratch_bytes(d.x, d.y, size, block);
    }

    template <class B, class A, class R>
    FUSE_HD static Prefix<A> scan(B& block, A acc, R r) {
        return BlockYScan(block, acc, r);
    }
};

struct ScanWholeBlock : WholeBlock {
    static constexpr std::size_t scratch_bytes(Dim2 d, std::size_t size, BlockTraits block = {}) {
        return block_scan_scratch_bytes(d.x, d.y, size, block);
    }

    template <class B, class A, class R>
    FUSE_HD static Prefix<A> scan(B& block, A acc, R r) {
        return BlockScan(block, acc, r);
    }
};

template <class Group>
struct FourScansKernel {
    FourFolds* before;
    FourFolds* total;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        const FourFolds mine = FourFolds::of_thread(thread);
        const Prefix<Affine> affine = Group::scan(block, mine.affine, ComposeAffine{});
        const Prefix<float> sum = Group::scan(block, mine.sum, SumOf<float>{});
        const Prefix<Matrix2> product = Group::scan(block, mine.product, MultiplyMatrix{});
        const Prefix<Champion> champion = Group::scan(block, mine.champion, FindChampion{});
        before[thread] = {affine.before, sum.before, product.before, champion.before};
        total[thread] = {affine.total, sum.total, product.total, champion.total};
    }
};

/// Wrong results among all threads. item(thread): its value; prefix and total: what the threads got.
template <class Group, class A, class Item, class Combine, class Buffer>
unsigned count_wrong_prefixes(Dim2 block, A identity, Item item, Combine combine, const Buffer& before,
                              const Buffer& total) {
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        if (thread != Group::first(block, thread)) {
            continue;
        }
        const unsigned end = thread + Group::length(block) * Group::step(block);
        A running = identity;
        for (unsigned other = thread; other < end; other += Group::step(block)) {
            wrong += !(before[other] == running);
            running = combine(running, item(other));
        }
        for (unsigned other = thread; other < end; other += Group::step(block)) {
            wrong += !(total[other] == running);
        }
    }
    return wrong;
}

template <class Group, class Runner>
unsigned count_wrong_scans(const Runner& run, Dim2 block) {
    const std::size_t half = std::max({Group::scratch_bytes(block, sizeof(Affine), runner_block<Runner>),
                                       Group::scratch_bytes(block, sizeof(float), runner_block<Runner>),
                                       Group::scratch_bytes(block, sizeof(Matrix2), runner_block<Runner>),
                                       Group::scratch_bytes(block, sizeof(Champion), runner_block<Runner>)});
    typename Runner::template Buffer<FourFolds> before(block.count());
    typename Runner::template Buffer<FourFolds> total(block.count());
    run(Dim2{1, 1}, block, 2 * half, FourScansKernel<Group>{before.data(), total.data()});
    return count_wrong_prefixes<Group>(block, no_folds, FourFolds::of_thread, FourFolds::combine, before, total);
}

/// Few and small enough that no sum of any type rounds; rarely true.
template <class T>
FUSE_HOST_DEVICE constexpr T scan_value(unsigned thread) {
    if constexpr (std::is_same_v<T, bool>) {
        return hash(thread, 12) % 16 == 0;
    } else {
        return static_cast<T>(static_cast<int>(hash(thread, 13) % (std::is_arithmetic_v<T> ? 5 : 2)));
    }
}

template <class Group, class T>
struct SumScanKernel {
    double* before;
    double* total;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        const Prefix<T> sum = Group::scan(block, scan_value<T>(thread), SumOf<T>{});
        before[thread] = static_cast<double>(sum.before);
        total[thread] = static_cast<double>(sum.total);
    }
};

/// Scratch memory is of the exact size here: the emulated block sees one byte too many.
template <class Group, class T, class Runner>
unsigned count_wrong_sum_scans(const Runner& run, Dim2 block) {
    typename Runner::template Buffer<double> before(block.count());
    typename Runner::template Buffer<double> total(block.count());
    run(Dim2{1, 1}, block, 2 * Group::scratch_bytes(block, sizeof(T), runner_block<Runner>),
        SumScanKernel<Group, T>{before.data(), total.data()});
    const auto item = [](unsigned thread) { return static_cast<double>(scan_value<T>(thread)); };
    // Modulo the width of T, any() for bool.
    const auto combine = [](double a, double b) {
        if constexpr (std::is_integral_v<T>) {
            return static_cast<double>(static_cast<T>(static_cast<std::int64_t>(a + b)));
        } else {
            return a + b;
        }
    };
    return count_wrong_prefixes<Group>(block, 0., item, combine, before, total);
}

template <class Group, class Runner>
unsigned count_wrong_scan_types(const Runner& run, Dim2 block) {
    return count_wrong_sum_scans<Group, bool>(run, block) + count_wrong_sum_scans<Group, std::uint8_t>(run, block) +
           count_wrong_sum_scans<Group, std::int16_t>(run, block) +
           count_wrong_sum_scans<Group, std::uint32_t>(run, block) + count_wrong_sum_scans<Group, double>(run, block) +
           count_wrong_sum_scans<Group, float16>(run, block) + count_wrong_sum_scans<Group, bfloat16>(run, block);
}

inline constexpr Dim2 scan_type_shapes[] = {{48, 2}, {64, 3}, {16, 5}, {7, 40}, {1, 33}, {100, 2}, {32, 8}};

/// What WarpScan gives: of three values at once, of one, and shifted.
struct WarpPrefixes {
    Affine three[3];
    Matrix2 one;
    Matrix2 shifted;
    float sum;
};

struct WarpScanKernel {
    int width;
    WarpPrefixes* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        WarpPrefixes& mine = out[thread];
        Affine three[3];
        FUSE_UNROLL
        for (unsigned j = 0; j < 3; ++j) {
            three[j] = FourFolds::of_thread(thread + 5000 * j).affine;
        }
        WarpScan(block, three, ComposeAffine{}, width);
        FUSE_UNROLL
        for (unsigned j = 0; j < 3; ++j) {
            mine.three[j] = three[j];
        }
        mine.one = WarpScan(block, FourFolds::of_thread(thread).product, MultiplyMatrix{}, width);
        mine.shifted = WarpShiftScan(block, mine.one, MultiplyMatrix{}, width);
        float sum[1] = {FourFolds::of_thread(thread).sum};
        WarpScan(block, sum, SumOf<float>{}, width);
        mine.sum = sum[0];
    }
};

/// Any number of threads: the last warp, and in it the last segment, may be partial.
template <class Runner>
unsigned count_wrong_warp_scans(const Runner& run, Dim2 block, unsigned width) {
    typename Runner::template Buffer<WarpPrefixes> out(block.count());
    run(Dim2{1, 1}, block, 0, WarpScanKernel{static_cast<int>(width), out.data()});
    unsigned wrong = 0;
    FourFolds running[3];
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        if (thread % width == 0) {
            std::fill_n(running, 3, no_folds);
        }
        wrong += !(out[thread].shifted == running[0].product);
        for (unsigned j = 0; j < 3; ++j) {
            running[j] = FourFolds::combine(running[j], FourFolds::of_thread(thread + 5000 * j));
            wrong += !(out[thread].three[j] == running[j].affine);
        }
        wrong += !(out[thread].one == running[0].product);
        wrong += out[thread].sum != running[0].sum;
    }
    return wrong;
}

template <class Runner>
unsigned count_wrong_warp_scans(const Runner& run) {
    unsigned wrong = 0;
    for (unsigned width : {1u, 2u, 4u, 8u, 16u, 32u}) {
        for (Dim2 block :
             {Dim2{width, 1}, Dim2{width, 5}, Dim2{64, 2}, Dim2{45, 1}, Dim2{7, 3}, Dim2{33, 1}, Dim2{1, 1}}) {
            wrong += count_wrong_warp_scans(run, block, width);
        }
    }
    return wrong;
}

}  // namespace fuse::testing
