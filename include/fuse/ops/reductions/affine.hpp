// SPDX-License-Identifier: Apache-2.0
//
// Affine maps y -> factor * y + term and their composition: associative, not commutative. A linear recurrence
// y[t] = factor[t] * y[t - 1] + term[t] is the running composition of such maps, applied to 0.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/types/compute_type.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Restarts: the factors are true and false, and behind a false one nothing is left of what was before, NaN neither.
template <class T, bool Restarts = false>
struct Affine {
    T factor;
    T term;
};

/// Of a factor and a term, in their common type.
struct MakeAffine {
    static constexpr const char* name = "affine";
    template <class F, class T>
    FUSE_HD constexpr auto operator()(const F& factor, const T& term) const {
        using C = decltype(factor * term);
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

template <class T, bool Restarts>
struct AffineComposition {
    using Map = Affine<T, Restarts>;
    using value_type = Map;
    using accumulator = Map;
    using result = Map;
    static constexpr const char* name = "compose";
    static constexpr bool commutative = false;
    static constexpr bool has_index = false;
    static constexpr bool has_identity = true;

    FUSE_HD constexpr Map init() const { return {T(1), T(0)}; }
    FUSE_HD constexpr Map leaf(Map v, index_t) const { return v; }
    FUSE_HD constexpr Map reduce(Map a, Map v, index_t) const { return combine(a, v); }
    /// First a, then b.
    FUSE_HD constexpr Map combine(Map a, Map b) const {
        if (Restarts && b.factor == T(0)) {
            return b;
        }
        return {a.factor * b.factor, a.term * b.factor + b.term};
    }
    FUSE_HD constexpr Map project(Map a, index_t) const { return a; }
};

template <class V>
struct affine_composition;
template <class T, bool Restarts>
struct affine_composition<Affine<T, Restarts>> {
    using type = AffineComposition<T, Restarts>;
};

/// The composition of affine maps as a reduction op.
struct ComposeAffine {
    static constexpr const char* name = "compose";
    template <class V, class = void>
    using reduction_op = typename affine_composition<V>::type;
};

}  // namespace detail

FUSE_END_NAMESPACE
