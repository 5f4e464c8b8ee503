// SPDX-License-Identifier: Apache-2.0
//
// Complex accumulators of 8 to 32 bytes in folds, scans, batched folds and shuffles, against a loop over doubles. The
// values are Gaussian integers and units, so that no result of either type rounds. Sums and products commute; affine
// maps and matrices do not.
#pragma once

#include <vector>

#include "primitives/batched_cases.hpp"
#include "primitives/scan_cases.hpp"

namespace fuse::testing {

template <class T>
struct Complex {
    T re, im;

    FUSE_HD friend constexpr Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    FUSE_HD friend constexpr Complex operator*(Complex a, Complex b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
};

/// What is accumulated: N complex numbers.
template <class T, int N>
struct Complexes {
    Complex<T> z[N];
};

/// 1, i, -1 or -i.
template <class T>
FUSE_HD constexpr Complex<T> complex_unit(std::uint64_t which) {
    const T re = which % 2 == 0 ? T(1) : T(0);
    const T sign = which % 4 < 2 ? T(1) : T(-1);
    return {sign * re, sign * (1 - re)};
}
template <class T>
FUSE_HD constexpr Complex<T> gaussian_integer(std::uint64_t bits) {
    const auto small = [](std::uint64_t x) { return static_cast<T>(static_cast<int>(x % 201) - 100); };
    return {small(bits), small(bits / 201)};
}

template <class T>
struct ComplexSum {
    using accumulator = Complexes<T, 1>;
    static constexpr bool commutative = true;
    FUSE_HD constexpr accumulator init() const { return {{{0, 0}}}; }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const { return {{a.z[0] + b.z[0]}}; }
    FUSE_HD static constexpr accumulator value(unsigned thread, unsigned salt) {
        return {{gaussian_integer<T>(hash(thread, salt))}};
    }
};

/// Units, now and then times 1 + i or (1 - i) / 2: magnitudes stay far inside the range of float.
template <class T>
struct ComplexProduct {
    using accumulator = Complexes<T, 1>;
    static constexpr bool commutative = true;
    FUSE_HD constexpr accumulator init() const { return {{{1, 0}}}; }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const { return {{a.z[0] * b.z[0]}}; }
    FUSE_HD static constexpr accumulator value(unsigned thread, unsigned salt) {
        const std::uint64_t bits = hash(thread, salt);
        const T half = T(1) / 2;
        const Complex<T> unit = complex_unit<T>(bits);
        return {{bits % 32 < 4 ? unit * Complex<T>{1, 1} : (bits % 32 < 8 ? unit * Complex<T>{half, -half} : unit)}};
    }
};

/// z -> factor * z + term, the left one first.
template <class T>
struct ComplexAffine {
    using accumulator = Complexes<T, 2>;
    static constexpr bool commutative = false;
    FUSE_HD constexpr accumulator init() const { return {{{1, 0}, {0, 0}}}; }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const {
        return {{a.z[0] * b.z[0], a.z[1] * b.z[0] + b.z[1]}};
    }
    FUSE_HD static constexpr accumulator value(unsigned thread, unsigned salt) {
        return {{complex_unit<T>(hash(thread, salt)), gaussian_integer<T>(hash(thread, salt + 50))}};
    }
};

/// The matrix (z0 z1; z2 z3). The values have a unit in each row and column: so have their products.
template <class T>
struct ComplexMatrix {
    using accumulator = Complexes<T, 4>;
    static constexpr bool commutative = false;
    FUSE_HD constexpr accumulator init() const { return {{{1, 0}, {0, 0}, {0, 0}, {1, 0}}}; }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const {
        return {{a.z[0] * b.z[0] + a.z[1] * b.z[2], a.z[0] * b.z[1] + a.z[1] * b.z[3],
                 a.z[2] * b.z[0] + a.z[3] * b.z[2], a.z[2] * b.z[1] + a.z[3] * b.z[3]}};
    }
    FUSE_HD static constexpr accumulator value(unsigned thread, unsigned salt) {
        const std::uint64_t bits = hash(thread, salt);
        const Complex<T> none{0, 0};
        const Complex<T> upper = complex_unit<T>(bits);
        const Complex<T> lower = complex_unit<T>(bits >> 2);
        const bool swaps = bits / 16 % 2 != 0;
        return {{swaps ? none : upper, swaps ? upper : none, swaps ? lower : none, swaps ? none : lower}};
    }
};

template <class T, int N>
bool same_numbers(const Complexes<T, N>& a, const Complexes<double, N>& b) {
    bool same = true;
    for (int i = 0; i < N; ++i) {
        same = same && static_cast<double>(a.z[i].re) == b.z[i].re && static_cast<double>(a.z[i].im) == b.z[i].im;
    }
    return same;
}

/// The collectives of one group of threads.
template <class FoldGroup, class ScanGroup, class BatchedGroup>
struct GroupCollectives : FoldGroup {
    using Scan = ScanGroup;
    using Batched = BatchedGroup;

    static constexpr std::size_t largest_scratch_bytes(Dim2 d, std::size_t size) {
        return std::max({FoldGroup::scratch_bytes(d, size), Scan::scratch_bytes(d, size),
                         Batched::template batched_scratch_bytes<3>(d, size)});
    }
};
using CollectivesAlongX = GroupCollectives<AlongX, ScanAlongX, BatchedAlongX>;
using CollectivesAlongY = GroupCollectives<AlongY, ScanAlongY, BatchedAlongY>;
using CollectivesOfBlock = GroupCollectives<WholeBlock, ScanWholeBlock, BatchedWholeBlock>;

template <class A>
struct ComplexResults {
    A all, one, before, total;
    A batch[3];
};

template <class Op, class Group>
struct ComplexKernel {
    using A = typename Op::accumulator;
    ComplexResults<A>* out;

    template <class B>
    FUSE_HD void operator()(B& block) const {
        const unsigned thread = linear_thread(block);
        ComplexResults<A>& mine = out[thread];
        mine.all = Group::fold(block, Op::value(thread, 1), Op{}, AllThreads{});
        mine.one = Group::fold(block, Op::value(thread, 2), Op{}, OneThread{});
        const Prefix<A> prefix = Group::Scan::scan(block, Op::value(thread, 3), Op{});
        mine.before = prefix.before;
        mine.total = prefix.total;
        A batch[3] = {Op::value(thread, 4), Op::value(thread, 5), Op::value(thread, 6)};
        Group::Batched::batched_fold(block, batch, Op{}, AllThreads{});
        FUSE_UNROLL
        for (int k = 0; k < 3; ++k) {
            mine.batch[k] = batch[k];
        }
    }
};

/// Shapes that need more than `shared_limit` bytes of shared memory are left out.
template <template <class> class Op, class T, class Group, class Runner>
unsigned count_wrong_complex(const Runner& run, Dim2 block, std::size_t shared_limit) {
    using A = typename Op<T>::accumulator;
    using Exact = Op<double>;
    const std::size_t shared = 2 * Group::largest_scratch_bytes(block, sizeof(A));
    if (shared > shared_limit) {
        return 0;
    }
    typename Runner::template Buffer<ComplexResults<A>> out(block.count());
    run(Dim2{1, 1}, block, shared, ComplexKernel<Op<T>, Group>{out.data()});
    unsigned wrong = 0;
    for (unsigned first = 0; first < block.count(); ++first) {
        if (first != Group::first(block, first)) {
            continue;
        }
        const unsigned step = Group::step(block);
        const unsigned end = first + Group::length(block) * step;
        typename Exact::accumulator folds[7];
        for (unsigned salt = 1; salt <= 6; ++salt) {
            folds[salt] = Exact{}.init();
            for (unsigned thread = first; thread < end; thread += step) {
                if (salt == 3) {
                    wrong += !same_numbers(out[thread].before, folds[salt]);
                }
                folds[salt] = Exact{}.combine(folds[salt], Exact::value(thread, salt));
            }
        }
        wrong += !same_numbers(out[first].one, folds[2]);
        for (unsigned thread = first; thread < end; thread += step) {
            wrong += !same_numbers(out[thread].all, folds[1]);
            wrong += !same_numbers(out[thread].total, folds[3]);
            for (unsigned k = 0; k < 3; ++k) {
                wrong += !same_numbers(out[thread].batch[k], folds[4 + k]);
            }
        }
    }
    return wrong;
}

/// Every operation; 8, 16 and 32 bytes.
template <class Group, class Runner>
unsigned count_wrong_complex(const Runner& run, Dim2 block, std::size_t shared_limit = SIZE_MAX) {
    return count_wrong_complex<ComplexSum, float, Group>(run, block, shared_limit) +
           count_wrong_complex<ComplexProduct, float, Group>(run, block, shared_limit) +
           count_wrong_complex<ComplexProduct, double, Group>(run, block, shared_limit) +
           count_wrong_complex<ComplexAffine, float, Group>(run, block, shared_limit) +
           count_wrong_complex<ComplexAffine, double, Group>(run, block, shared_limit) +
           count_wrong_complex<ComplexMatrix, float, Group>(run, block, shared_limit);
}

}  // namespace fuse::testing
