// SPDX-License-Identifier: Apache-2.0
//
// Affine maps y -> factor * y + term and their composition: associative, not commutative. A linear recurrence
// y[t] = factor[t] * y[t - 1] + term[t] is the running composition of such maps, applied to 0. In a loop a y of 0 stays 0
// whatever the factors are; the product of many of them may be infinite, and 0 times that is no number, so composition
// takes care of it: a factor of NaN stands for 0 times infinity, and what a NaN among the factors makes is in the term.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/arithmetic.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Restarts: the factors are true and false, and behind a false one nothing is left of what was before, NaN neither.
template <class T, bool Restarts = false>
struct Affine {
    T factor;
    T term;
};

/// What the products of F and the sums of T are: of integers 64 bits, as of all sums, without a sign where neither has one.
template <class F, class T>
struct AffineNumber {
    using type = decltype(std::declval<F>() * std::declval<T>());
};
template <std::integral F, std::integral T>
struct AffineNumber<F, T> {
    static constexpr bool unsign = std::is_unsigned_v<F> && std::is_unsigned_v<accumulator_t<T>>;
    using type = std::conditional_t<unsign, std::uint64_t, decltype(F() * T() * std::int64_t())>;
};

/// Of a factor and a term.
struct MakeAffine {
    static constexpr const char* name = "affine";
    template <class F, class T>
    FUSE_HD constexpr auto operator()(const F& factor, const T& term) const {
        using C = typename AffineNumber<F, T>::type;
        return Affine<C, std::is_same_v<F, bool>>{static_cast<C>(factor), static_cast<C>(term)};
    }
};

/// What the map makes of 0.
struct AffineTerm {
    static constexpr const char* name = "term";
    template <class T, bool Restarts>
    FUSE_HD constexpr T operator()(const Affine<T, Restarts>& map) const {
        return map.term;
    }
};

/// Of maps in T, composed in A.
template <class T, bool Restarts, class A>
struct AffineComposition {
    using Map = Affine<A, Restarts>;
    using value_type = Affine<T, Restarts>;
    using accumulator = Map;
    using result = Map;
    static constexpr const char* name = "compose";
    static constexpr bool commutative = false;
    static constexpr bool has_index = false;
    static constexpr bool has_identity = true;

    FUSE_HD constexpr Map init() const { return {A(1), A(0)}; }
    FUSE_HD constexpr Map leaf(value_type v, index_t) const {
        const Map map{static_cast<A>(v.factor), static_cast<A>(v.term)};
        if constexpr (overflows) {
            return {map.factor, map.factor == map.factor ? map.term : map.factor};
        } else {
            return map;
        }
    }
    /// As the loop does it: the factor is no product.
    FUSE_HD constexpr Map reduce(Map a, value_type v, index_t) const {
        return composed(a, {static_cast<A>(v.factor), static_cast<A>(v.term)});
    }
    /// First a, then b. Without branches, and a select that does not wait for a.
    FUSE_HD constexpr Map combine(Map a, Map b) const {
        if constexpr (overflows) {
            const A factor = b.factor == b.factor ? b.factor : A(0);
            const A term = a.term * factor + b.term;
            return {a.factor * b.factor, a.term == A(0) ? b.term : term};
        } else {
            return composed(a, b);
        }
    }
    FUSE_HD constexpr Map project(Map a, index_t) const { return a; }

private:
    static constexpr bool overflows = std::is_floating_point_v<A> && !Restarts;

    static FUSE_HD constexpr Map composed(Map a, Map b) {
        if (Restarts && b.factor == A(0)) {
            return b;
        }
        if constexpr (std::is_integral_v<A>) {
            return {static_cast<A>(Mul<>{}(a.factor, b.factor)),
                    static_cast<A>(Add<>{}(Mul<>{}(a.term, b.factor), b.term))};
        } else {
            return {a.factor * b.factor, a.term * b.factor + b.term};
        }
    }
};

template <class V, class Acc>
struct affine_composition;
template <class T, bool Restarts, class Acc>
struct affine_composition<Affine<T, Restarts>, Acc> {
    using type = AffineComposition<T, Restarts, std::conditional_t<std::is_void_v<Acc>, T, Acc>>;
};

/// The composition of affine maps as a reduction op.
struct ComposeAffine {
    static constexpr const char* name = "compose";
    template <class V, class Acc = void>
    using reduction_op = typename affine_composition<V, Acc>::type;
};

}  // namespace detail

FUSE_END_NAMESPACE
