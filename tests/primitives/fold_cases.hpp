// SPDX-License-Identifier: Apache-2.0
//
// Block-level folds against a loop over the group's threads: any shape, both result modes, four folds in a
// row with other data, another accumulator and another operation each, two of which do not commute. Integer
// arithmetic is modulo 2^64 and the floats are small integers, so every result is exact.
#pragma once

#include <algorithm>
#include <cstdint>

#include "fuse/primitives.hpp"
#include "support/emulated/dim2.hpp"
#include "support/thread_sanitizer.hpp"

namespace fuse::testing {

/// x -> factor * x + term. Composition in index order does not commute.
struct Affine {
    std::uint64_t factor;
    std::uint64_t term;

    bool operator==(const Affine&) const = default;
};

struct ComposeAffine {
    static constexpr bool commutative = false;
    FUSE_HD constexpr Affine init() const { return {1, 0}; }
    FUSE_HD constexpr Affine combine(Affine a, Affine b) const {
        return {a.factor * b.factor, a.term * b.factor + b.term};
    }
};

struct Matrix2 {
    std::uint64_t a, b, c, d;

    bool operator==(const Matrix2&) const = default;
};

struct MultiplyMatrix {
    static constexpr bool commutative = false;
    FUSE_HD constexpr Matrix2 init() const { return {1, 0, 0, 1}; }
    FUSE_HD constexpr Matrix2 combine(Matrix2 m, Matrix2 n) const {
        return {m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c, m.c * n.b + m.d * n.d};
    }
};

/// Three fields, 24 bytes: the largest key, where it is, how many items were seen.
struct Champion {
    double key;
    std::int64_t index;
    std::int64_t seen;

    bool operator==(const Champion&) const = default;
};

struct FindChampion {
    static constexpr bool commutative = true;
    FUSE_HD constexpr Champion init() const { return {-1e300, INT64_MAX, 0}; }
    FUSE_HD constexpr Champion combine(Champion a, Champion b) const {
        const bool second = b.key > a.key || (b.key == a.key && b.index < a.index);
        return {second ? b.key : a.key, second ? b.index : a.index, a.seen + b.seen};
    }
};

template <class T>
struct SumOf {
    static constexpr bool commutative = true;
    FUSE_HD constexpr T init() const { return T(0); }
    FUSE_HD constexpr T combine(T a, T b) const { return static_cast<T>(a + b); }
};

/// Different data for every thread and fold.
FUSE_HOST_DEVICE constexpr std::uint64_t hash(std::uint64_t thread, std::uint64_t salt) {
    std::uint64_t x = (thread + 1) * 0x9e3779b97f4a7c15u + salt * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 30)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// The four folds, of one thread as of a whole group.
struct FourFolds {
    Affine affine;
    float sum;
    Matrix2 product;
    Champion champion;

    FUSE_HOST_DEVICE static constexpr FourFolds of_thread(unsigned thread) {
        return {{hash(thread, 1) | 1, hash(thread, 2)},
                static_cast<float>(hash(thread, 3) % 1000),
                {hash(thread, 4), hash(thread, 5), hash(thread, 6), hash(thread, 7)},
                {static_cast<double>(hash(thread, 8) % 50), thread, 1}};
    }

    static constexpr FourFolds combine(const FourFolds& x, const FourFolds& y) {
        return {ComposeAffine{}.combine(x.affine, y.affine), x.sum + y.sum,
                MultiplyMatrix{}.combine(x.product, y.product), FindChampion{}.combine(x.champion, y.champion)};
    }

    bool operator==(const FourFolds&) const = default;
};

/// What sizes of scratch depend on where a runner's kernels run: the GPU, unless it says otherwise.
template <class Runner>
inline constexpr BlockTraits runner_block = {};
template <class Runner>
    requires requires {
        Runner::block_type;
    }
inline constexpr BlockTraits runner_block<Runner> = Runner::block_type;

/// Which threads fold together: those with the linear ids first, first + step, ..., `length` of them.
struct AlongX {
    static constexpr std::size_t scratch_bytes(Dim2 d, std::size_t size, BlockTraits block = {}) {
        return x_reduce_scratch_bytes(d.x, d.y, size, block);
    }
    static constexpr unsigned first(Dim2 d, unsigned thread) { return thread / d.x * d.x; }
    static constexpr unsigned step(Dim2) { return 1; }
    static constexpr unsigned length(Dim2 d) { return d.x; }

    template <class B, class A, class R, class Mode>
    FUSE_HD static A fold(B& block, A acc, R r, Mode mode) {
        return BlockXReduce(block, acc, r, mode);
    }
};

struct AlongY {
    static constexpr std::size_t scratch_bytes(Dim2 d, std::size_t size, BlockTraits block = {}) {
        return y_reduce_scratch_bytes(d.x, d.y, size, block);
    }
    static constexpr unsigned first(Dim2 d, unsigned thread) { return thread % d.x; }
    static constexpr unsigned step(Dim2 d) { return d.x; }
    static constexpr unsigned length(Dim2 d) { return d.y; }

    template <class B, class A, class R, class Mode>
    FUSE_HD static A fold(B& block, A acc, R r, Mode mode) {
        return BlockYReduce(block, acc, r, mode);
    }
};

struct WholeBlock {
    static constexpr std::size_t scratch_bytes(Dim2 d, std::size_t size, BlockTraits block = {}) {
        return block_reduce_scratch_bytes(d.x, d.y, size, block);
    }
    static constexpr unsigned first(Dim2, unsigned) { return 0; }
    static constexpr unsigned step(Dim2) { return 1; }
    static constexpr unsigned length(Dim2 d) { return d.count(); }

    template <class B, class A, class R, class Mode>
    FUSE_HD static A fold(B& block, A acc, R r, Mode mode) {
        return BlockReduce(block, acc, r, mode);
    }
};

template <class Group, class Mode>
struct FourFoldsKernel {
    FourFolds* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        const FourFolds mine = FourFolds::of_thread(thread);
        FourFolds result = mine;
        result.affine = Group::fold(block, mine.affine, ComposeAffine{}, Mode{});
        result.sum = Group::fold(block, mine.sum, SumOf<float>{}, Mode{});
        result.product = Group::fold(block, mine.product, MultiplyMatrix{}, Mode{});
        result.champion = Group::fold(block, mine.champion, FindChampion{}, Mode{});
        out[thread] = result;
    }
};

/// Number of threads with a wrong result.
template <class Group, class Mode, class Runner>
unsigned count_wrong_folds(const Runner& run, Dim2 block) {
    const std::size_t half = std::max({Group::scratch_bytes(block, sizeof(Affine), runner_block<Runner>),
                                       Group::scratch_bytes(block, sizeof(float), runner_block<Runner>),
                                       Group::scratch_bytes(block, sizeof(Matrix2), runner_block<Runner>),
                                       Group::scratch_bytes(block, sizeof(Champion), runner_block<Runner>)});
    typename Runner::template Buffer<FourFolds> out(block.count());
    run(Dim2{1, 1}, block, 2 * half, FourFoldsKernel<Group, Mode>{out.data()});

    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        const unsigned first = Group::first(block, thread);
        if (thread != first) {
            wrong += Mode::all && !(out[thread] == out[first]);
            continue;
        }
        FourFolds expected = FourFolds::of_thread(first);
        for (unsigned k = 1; k < Group::length(block); ++k) {
            expected = FourFolds::combine(expected, FourFolds::of_thread(first + k * Group::step(block)));
        }
        wrong += !(out[first] == expected);
    }
    return wrong;
}

template <class Group, class T>
struct SumKernel {
    std::uint64_t* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        const T sum = Group::fold(block, static_cast<T>(thread % 5), SumOf<T>{}, AllThreads{});
        out[thread] = static_cast<std::uint64_t>(sum);
    }
};

/// The type sweep: sums modulo the width of T (any() for bool).
template <class Group, class T, class Runner>
unsigned count_wrong_sums(const Runner& run, Dim2 block) {
    typename Runner::template Buffer<std::uint64_t> out(block.count());
    run(Dim2{1, 1}, block, 2 * Group::scratch_bytes(block, sizeof(T), runner_block<Runner>),
        SumKernel<Group, T>{out.data()});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < block.count(); ++thread) {
        T expected = T(0);
        for (unsigned k = 0; k < Group::length(block); ++k) {
            const unsigned other = Group::first(block, thread) + k * Group::step(block);
            expected = SumOf<T>{}.combine(expected, static_cast<T>(other % 5));
        }
        wrong += out[thread] != static_cast<std::uint64_t>(expected);
    }
    return wrong;
}

template <class Group, class Runner>
unsigned count_wrong_types(const Runner& run, Dim2 block) {
    return count_wrong_sums<Group, bool>(run, block) + count_wrong_sums<Group, std::uint8_t>(run, block) +
           count_wrong_sums<Group, std::int16_t>(run, block) + count_wrong_sums<Group, std::uint32_t>(run, block) +
           count_wrong_sums<Group, double>(run, block);
}

inline constexpr unsigned sweep_x[] = {1,  2,  7,   8,   24,  31,  32,  33,  40,  48,   64,
                                       65, 96, 100, 128, 160, 224, 256, 448, 512, 1000, 1024};
inline constexpr unsigned sweep_y[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 31, 32};

/// Whether there is a smaller shape with the same parts of warps.
constexpr bool has_kin(unsigned x, unsigned y) {
    const bool x_has = x == 24 || x == 40 || x == 48 || x == 65 || x == 128 || x == 160 || x == 448 || x == 512;
    return x_has || y == 4 || y == 6 || y == 7 || y == 12;
}

template <class Visit>
void for_each_shape(Visit visit) {
    for (unsigned x : sweep_x) {
        for (unsigned y : sweep_y) {
            if (x * y <= 1024 && !(under_thread_sanitizer && has_kin(x, y))) {
                visit(Dim2{x, y});
            }
        }
    }
    visit(Dim2{1, 1024});  // long columns
    visit(Dim2{3, 100});
    visit(Dim2{10, 65});
    for (Dim2 narrow : {Dim2{2, 512}, Dim2{4, 9}, Dim2{4, 100}, Dim2{8, 65}, Dim2{16, 9}, Dim2{16, 64}}) {
        visit(narrow);  // columns that a warp rakes
    }
}

}  // namespace fuse::testing
