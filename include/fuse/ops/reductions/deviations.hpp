// SPDX-License-Identifier: Apache-2.0
//
// The sum of squared deviations from the mean in one sweep, where mean and deviations would take two. A part of the
// elements has its own mean (B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
// 1962); where parts are joined, what their means differ by counts for all of their elements (T. F. Chan, G. H. Golub,
// R. J. LeVeque, "Algorithms for computing the sample variance", 1983). Means are kept as their distance from an element of
// the part: of numbers far from zero, differences are exact where means, rounded, lose more digits than two sweeps would.
#pragma once

#include <utility>

#include "fuse/ops/reductions/sum_prod.hpp"

FUSE_BEGIN_NAMESPACE

/// What R, a sum or a mean, makes of the squared deviations of the elements from their mean.
template <class R>
struct DeviationsReduction {
    using A = typename R::accumulator;
    struct accumulator {
        A count;
        A origin;   ///< one of the elements
        A mean;     ///< of the elements, less the origin
        A squares;  ///< of the deviations from the mean; NaN if an element is infinite
    };
    using value_type = A;
    using result = typename R::result;
    static constexpr const char* name = R::name;
    static constexpr bool commutative = true;
    static constexpr bool has_index = false;
    static constexpr bool has_identity = true;

    FUSE_HD constexpr accumulator init() const { return {}; }
    FUSE_HD constexpr accumulator leaf(A v, index_t) const { return {A(1), v, A(0), v - v}; }
    FUSE_HD constexpr accumulator reduce(const accumulator& a, A v, index_t i) const { return combine(a, leaf(v, i)); }
    /// Of N elements at once: without a quotient, and exact enough as N is small.
    template <int N>
    FUSE_HD constexpr accumulator of_run(const A (&v)[N]) const {
        return of_run(v, std::make_integer_sequence<int, N>{});
    }
    /// A run whose elements come a few at a time has sums of distances from its origin, and of their squares, in the places
    /// of the mean and the deviations, until it is closed. Its origin is the mean of the run before it, of the first run,
    /// which should be short, an element.
    template <int N>
    FUSE_HD constexpr void take_run(accumulator& a, const A (&v)[N], bool is_first) const {
        a.origin = is_first ? v[0] : a.origin;
        FUSE_UNROLL
        for (int k = 0; k < N; ++k) {
            const A distance = v[k] - a.origin;
            a.mean += distance;
            a.squares += distance * distance;
        }
        a.count += A(N);
    }
    FUSE_HD constexpr accumulator closed(const accumulator& a) const {
        const A mean = a.mean / (a.count == A(0) ? A(1) : a.count);
        return {a.count, a.origin, mean, a.squares - a.mean * mean};
    }
    /// The next run behind a closed one, which is not empty.
    FUSE_HD constexpr accumulator behind(const accumulator& a) const { return {A(0), a.origin + a.mean, A(0), A(0)}; }
    FUSE_HD constexpr accumulator combine(const accumulator& a, const accumulator& b) const {
        if (b.count == A(0)) {
            return a;
        }
        const A count = a.count + b.count;
        return joined(a, b, count, quotient(a.count, count));
    }
    /// The same where b is not empty: of `count` elements, of which a's share is `share`; if a is empty, none.
    static FUSE_HD constexpr accumulator joined(const accumulator& a, const accumulator& b, A count, A share) {
        const A distance = (b.origin - a.origin) + (b.mean - a.mean);
        const A shift = distance * share;
        return {count, b.origin, b.mean - shift, (a.squares + b.squares) + shift * b.count * distance};
    }
    FUSE_HD constexpr result project(const accumulator& a, index_t n) const { return R{}.project(a.squares, n); }

private:
    /// No loop, which a compiler would have to unroll before it makes vectors of columns.
    template <int N, int... K>
    static FUSE_HD constexpr accumulator of_run(const A (&v)[N], std::integer_sequence<int, K...>) {
        const A sum = ((v[K] - v[0]) + ...);
        const A squares = (((v[K] - v[0]) * (v[K] - v[0])) + ...);
        const A mean = sum * A(1.0 / N);
        return {A(N), v[0], mean, squares - sum * mean};
    }
    /// A share, which need not be exact: it weighs the distance of two means.
    static FUSE_HD constexpr A quotient(A a, A b) {
#if FUSE_ON_DEVICE
        if constexpr (std::is_same_v<A, float>) {
            return __fdividef(a, b);
        }
#endif
        return a / b;
    }
};

FUSE_END_NAMESPACE
