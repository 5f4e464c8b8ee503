// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of scans. Each is a scan in the other direction, of a linear recurrence: what element j gets of all
// results behind it is what it gets of its own and, times a factor, what element j + 1 does. So there is no division by
// elements that may be 0, and derivatives of derivatives are made of the same scans.
#pragma once

#include "fuse/gradient/arithmetic.hpp"
#include "fuse/gradient/broadcasting.hpp"
#include "fuse/lang/scan.hpp"

FUSE_BEGIN_NAMESPACE

/// ScanDerivative<Op>::pull(a, n) is what the operand of n, a Scan by Op, gets of a, the derivative with respect to n,
/// of the shape of n. No rule: refused by gradient().
template <class Op>
struct ScanDerivative;

namespace detail {

template <class Op>
concept HasScanDerivative = requires {
    sizeof(ScanDerivative<Op>);
};

/// Another scan along the axis of N, a Scan: of E by Op.
template <class N>
struct AlongScan;
template <class O, class X, int Axis, bool Exclusive, bool Reverse, class Acc>
struct AlongScan<Scan<O, X, Axis, Exclusive, Reverse, Acc>> {
    static constexpr bool exclusive = Exclusive;
    template <class Op, bool Ex, class E>
    static constexpr auto scan(const E& e) {
        return Scan<Op, E, Axis, Ex, Reverse, Acc>(e);
    }
    template <class Op, bool Ex, class E>
    static constexpr auto scan_back(const E& e) {
        return Scan<Op, E, Axis, Ex, !Reverse, void>(e);
    }
    /// y[j] = term[j] + factor[j] * y[j + 1], in the direction against that of N.
    template <bool Ex, class F, class T>
    static constexpr auto recurrence_back(const F& factor, const T& term) {
        return apply(AffineTerm{}, scan_back<ComposeAffine, Ex>(apply(MakeAffine{}, factor, term)));
    }
    template <class F>
    static constexpr bool is_constant = is_constant_along<F, (1U << Axis), X::rank>;
};

/// The sum over all i >= j (i > j of an exclusive scan) of a[i] times the factors between: j + 1 to i (to i - 1).
template <class N, class A, class F>
constexpr auto gathered_back(const A& a, const F& factor) {
    using Along = AlongScan<N>;
    if constexpr (Along::exclusive) {
        return Along::template recurrence_back<true>(factor, a);
    } else if constexpr (Along::template is_constant<F>) {
        return Along::template recurrence_back<false>(factor, a);
    } else if constexpr (std::is_same_v<value_t<F>, bool>) {
        return a + Along::template recurrence_back<true>(factor, only_where<value_t<A>>(factor, a));
    } else {
        return a + Along::template recurrence_back<true>(factor, factor * a);
    }
}

/// Where the extremum so far was taken: of equal elements the last one, as in PyTorch; of NaN, too.
template <bool Nan>
struct ExtremumScan {
    template <class A, class N>
    static constexpr auto pull(const A& a, const N& n) {
        const auto& x = n.expression;
        const auto so_far = AlongScan<N>::template scan<typename N::op_type, false>(x);
        const auto taken = [&] {
            if constexpr (Nan) {
                return x == so_far || isnan(x);
            } else {
                return x == so_far;
            }
        }();
        return only_where<value_t<N>>(taken, gathered_back<N>(a, !taken));
    }
};

/// exp(l - r); of equal infinities 1.
template <class L, class R>
constexpr auto exp_of_difference(const L& l, const R& r) {
    return where(isinf(r), cast<value_t<R>>(l == r), exp(where(isinf(r), constant<0>, l - r)));
}

}  // namespace detail

template <class T>
struct ScanDerivative<Add<T>> {
    template <class A, class N>
    static constexpr auto pull(const A& a, const N&) {
        using Along = detail::AlongScan<N>;
        return Along::template scan_back<Add<>, Along::exclusive>(a);
    }
};
/// The elements before, and those behind as factors.
template <class T>
struct ScanDerivative<Mul<T>> {
    template <class A, class N>
    static constexpr auto pull(const A& a, const N& n) {
        const auto before = detail::AlongScan<N>::template scan<Mul<T>, true>(n.expression);
        return before * detail::gathered_back<N>(a, n.expression);
    }
};
template <class T>
struct ScanDerivative<Max<T>> : detail::ExtremumScan<true> {};
template <class T>
struct ScanDerivative<Min<T>> : detail::ExtremumScan<true> {};
template <class T>
struct ScanDerivative<MaxIgnoreNan<T>> : detail::ExtremumScan<false> {};
template <class T>
struct ScanDerivative<MinIgnoreNan<T>> : detail::ExtremumScan<false> {};
/// The sum of a[i] exp(x[j] - y[i]) for i >= j, in which no exponential is above 1.
template <>
struct ScanDerivative<LogSumExp> {
    template <class A, class N>
    static constexpr auto pull(const A& a, const N& n) {
        const auto& x = n.expression;
        const auto through = detail::AlongScan<N>::template scan<LogSumExp, false>(x);
        const auto before = detail::AlongScan<N>::template scan<LogSumExp, true>(x);
        return detail::exp_of_difference(x, through) *
               detail::gathered_back<N>(a, detail::exp_of_difference(before, through));
    }
};

FUSE_END_NAMESPACE
