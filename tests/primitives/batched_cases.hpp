// SPDX-License-Identifier: Apache-2.0
//
// Batched folds against a loop over the group's threads, for each of the K values: four folds in a row with other
// data, of two types, one of which does not commute.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "fuse/ops/types/bfloat16.hpp"
#include "fuse/ops/types/float16.hpp"
#include "fuse/primitives/block/reduce.hpp"
#include "primitives/fold_cases.hpp"
#include "support/thread_sanitizer.hpp"

namespace fuse::testing {

/// Group says which threads fold together (AlongX, AlongY, WholeBlock), Over is its name in ReduceGlobal.
template <class Group, class Over>
struct BatchedGroup : Group {
    template <int K>
    static constexpr std::size_t batched_scratch_bytes(Dim2 d, std::size_t size, BlockTraits block = {}) {
        return reduce_global_scratch_bytes<K, Over>(d.x, d.y, size, block);
    }

    template <class B, class A, int K, class R, class Mode>
    FUSE_HD static void batched_fold(B& block, A (&values)[K], R r, Mode mode) {
        ReduceGlobal<Over>(block, values, r, mode);
    }
};

using BatchedAlongX = BatchedGroup<AlongX, OverX>;
using BatchedAlongY = BatchedGroup<AlongY, OverY>;
using BatchedWholeBlock = BatchedGroup<WholeBlock, OverBlock>;

struct SumComplex {
    struct Complex {
        double re, im;

        bool operator==(const Complex&) const = default;
    };
    static constexpr bool commutative = true;
    FUSE_HD constexpr Complex init() const { return {0, 0}; }
    FUSE_HD constexpr Complex combine(Complex a, Complex b) const { return {a.re + b.re, a.im + b.im}; }
};

/// The value number k of a thread in the fold number `call`. Sums stay small: they are exact in 8 significant bits.
template <class T>
struct ValueOf {
    FUSE_HD static constexpr T make(unsigned thread, unsigned k, unsigned call) {
        return static_cast<T>(hash(thread, 100 * call + k) % 16 == 0 ? 1 : 0);
    }
};
template <>
struct ValueOf<std::uint32_t> {
    FUSE_HD static constexpr std::uint32_t make(unsigned thread, unsigned k, unsigned call) {
        return static_cast<std::uint32_t>(hash(thread, 100 * call + k));
    }
};
template <>
struct ValueOf<Matrix2> {
    FUSE_HD static constexpr Matrix2 make(unsigned thread, unsigned k, unsigned call) {
        const unsigned salt = 100 * call + k;
        return {hash(thread, salt), hash(thread, salt + 1000), hash(thread, salt + 2000), hash(thread, salt + 3000)};
    }
};
template <>
struct ValueOf<Champion> {
    FUSE_HD static constexpr Champion make(unsigned thread, unsigned k, unsigned call) {
        return {static_cast<double>(hash(thread, 100 * call + k) % 50), thread, 1};
    }
};
template <>
struct ValueOf<SumComplex::Complex> {
    FUSE_HD static constexpr SumComplex::Complex make(unsigned thread, unsigned k, unsigned call) {
        return {static_cast<double>(hash(thread, 100 * call + k) % 1000), static_cast<double>(thread)};
    }
};

template <class T>
bool same_bytes(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Threads whose result for value k is wrong, out[thread * K + k] being the results. With OneThread only the first
/// thread of each group counts.
template <class Group, bool All, int K, class A, class R, class Buffer>
unsigned count_wrong_batch(const Buffer& out, std::size_t from, Dim2 block, unsigned call, R r) {
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        const unsigned first = Group::first(block, thread);
        for (unsigned k = 0; k < K; ++k) {
            const A& result = out[from + thread * K + k];
            if (thread != first) {
                wrong += All && !same_bytes<A>(result, out[from + first * K + k]);
                continue;
            }
            A expected = ValueOf<A>::make(first, k, call);
            for (unsigned i = 1; i < Group::length(block); ++i) {
                expected = r.combine(expected, ValueOf<A>::make(first + i * Group::step(block), k, call));
            }
            wrong += !same_bytes<A>(result, expected);
        }
    }
    return wrong;
}

template <class Group, class Mode, int K, class A, class R, class B>
FUSE_HD void run_batch(B& block, A* out, unsigned call, R r) {
    const unsigned thread = linear_thread(block);
    A values[K];
    FUSE_UNROLL
    for (int k = 0; k < K; ++k) {
        values[k] = ValueOf<A>::make(thread, static_cast<unsigned>(k), call);
    }
    Group::batched_fold(block, values, r, Mode{});
    FUSE_UNROLL
    for (int k = 0; k < K; ++k) {
        out[thread * K + static_cast<unsigned>(k)] = values[k];
    }
}

template <class Group, class Mode, int K>
struct FourBatchesKernel {
    Matrix2* products;
    std::uint32_t* sums;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned count = block_threads(block) * K;
        for (unsigned call = 0; call < 2; ++call) {
            run_batch<Group, Mode, K>(block, products + call * count, call, MultiplyMatrix{});
            run_batch<Group, Mode, K>(block, sums + call * count, call, SumOf<std::uint32_t>{});
        }
    }
};

/// Shapes that need more than `shared_limit` bytes of shared memory are left out.
template <class Group, class Mode, int K, class Runner>
unsigned count_wrong_batches(const Runner& run, Dim2 block, std::size_t shared_limit = SIZE_MAX) {
    const std::size_t shared =
        2 * std::max(Group::template batched_scratch_bytes<K>(block, sizeof(Matrix2), runner_block<Runner>),
                     Group::template batched_scratch_bytes<K>(block, sizeof(std::uint32_t), runner_block<Runner>));
    if (shared > shared_limit) {
        return 0;
    }
    const std::size_t count = std::size_t{block.count()} * K;
    typename Runner::template Buffer<Matrix2> products(2 * count);
    typename Runner::template Buffer<std::uint32_t> sums(2 * count);
    run(Dim2{1, 1}, block, shared, FourBatchesKernel<Group, Mode, K>{products.data(), sums.data()});
    unsigned wrong = 0;
    for (unsigned call = 0; call < 2; ++call) {
        wrong += count_wrong_batch<Group, Mode::all, K, Matrix2>(products, call * count, block, call, MultiplyMatrix{});
        wrong += count_wrong_batch<Group, Mode::all, K, std::uint32_t>(sums, call * count, block, call,
                                                                       SumOf<std::uint32_t>{});
    }
    return wrong;
}

template <class Group, class Mode, class Runner, int... Ks>
unsigned count_wrong_batches(const Runner& run, Dim2 block, std::integer_sequence<int, Ks...>,
                             std::size_t shared_limit = SIZE_MAX) {
    return (count_wrong_batches<Group, Mode, Ks>(run, block, shared_limit) + ...);
}

template <class Group, class A, class R, int K>
struct BatchKernel {
    A* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        run_batch<Group, AllThreads, K>(block, out, 7, R{});
    }
};

template <class Group, class A, class R, class Runner>
unsigned count_wrong_batch_type(const Runner& run, Dim2 block) {
    constexpr int count = 5;
    typename Runner::template Buffer<A> out(std::size_t{block.count()} * count);
    run(Dim2{1, 1}, block, 2 * Group::template batched_scratch_bytes<count>(block, sizeof(A), runner_block<Runner>),
        BatchKernel<Group, A, R, count>{out.data()});
    return count_wrong_batch<Group, true, count, A>(out, 0, block, 7, R{});
}

/// std::vector<bool> has no data(): bool travels in a struct of its own size.
struct Flag {
    bool value;
};
template <>
struct ValueOf<Flag> {
    FUSE_HD static constexpr Flag make(unsigned thread, unsigned k, unsigned call) {
        return {hash(thread, 100 * call + k) % 16 == 0};
    }
};
struct AnyFlag {
    static constexpr bool commutative = true;
    FUSE_HD constexpr Flag init() const { return {false}; }
    FUSE_HD constexpr Flag combine(Flag a, Flag b) const { return {a.value || b.value}; }
};

template <class Group, class Runner>
unsigned count_wrong_batch_types(const Runner& run, Dim2 block) {
    return count_wrong_batch_type<Group, Flag, AnyFlag>(run, block) +
           count_wrong_batch_type<Group, std::int8_t, SumOf<std::int8_t>>(run, block) +
           count_wrong_batch_type<Group, std::uint16_t, SumOf<std::uint16_t>>(run, block) +
           count_wrong_batch_type<Group, std::int32_t, SumOf<std::int32_t>>(run, block) +
           count_wrong_batch_type<Group, std::int64_t, SumOf<std::int64_t>>(run, block) +
           count_wrong_batch_type<Group, float16, SumOf<float16>>(run, block) +
           count_wrong_batch_type<Group, bfloat16, SumOf<bfloat16>>(run, block) +
           count_wrong_batch_type<Group, float, SumOf<float>>(run, block) +
           count_wrong_batch_type<Group, double, SumOf<double>>(run, block) +
           count_wrong_batch_type<Group, SumComplex::Complex, SumComplex>(run, block) +
           count_wrong_batch_type<Group, Champion, FindChampion>(run, block);
}

using BatchSizes = std::conditional_t<under_thread_sanitizer, std::integer_sequence<int, 5, 32>,
                                      std::integer_sequence<int, 1, 3, 5, 8, 32>>;

/// Shapes of every kind: one thread, parts of a warp, whole warps, partial last warps, rows that cross warps.
inline constexpr Dim2 batched_shapes[] = {{1, 1},   {7, 3},   {33, 2},  {48, 1},   {100, 3}, {1000, 1}, {32, 32},
                                          {24, 2},  {31, 1},  {16, 1},  {16, 5},   {2, 1},   {32, 1},   {64, 1},
                                          {96, 3},  {256, 1}, {128, 8}, {1024, 1}, {1, 33},  {1, 100},  {8, 65},
                                          {10, 65}, {33, 1},  {32, 3},  {320, 2}};

}  // namespace fuse::testing
