// SPDX-License-Identifier: Apache-2.0
//
// Affine maps y -> factor * y + term and their composition: associative, not commutative. A linear recurrence
// y[t] = factor[t] * y[t - 1] + term[t] is the running composition of such maps, applied to 0.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/types/compute_type.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class T>
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
        return Affine<C>{static_cast<C>(factor), static_cast<C>(term)};
    }
};

/// What the map makes of 0.
struct AffineTerm {
    static constexpr const char* name = "term";
    template <class T>
    FUSE_HD constexpr T operator()(const Affine<T>& map) const {
        return map.term;
    }
};

template <class T>
struct AffineComposition {
    using value_type = Affine<T>;
    using accumulator = Affine<T>;
    using result = Affine<T>;
    static constexpr const char* name = "compose";
    static constexpr bool commutative = false;
    static constexpr bool has_index = false;
    static constexpr bool has_identity = true;

    FUSE_HD constexpr Affine<T> init() const { return {T(1), T(0)}; }
    FUSE_HD constexpr Affine<T> leaf(Affine<T> v, index_t) const { return v; }
    FUSE_HD constexpr Affine<T> reduce(Affine<T> a, Affine<T> v, index_t) const { return combine(a, v); }
    /// First a, then b.
    FUSE_HD constexpr Affine<T> combine(Affine<T> a, Affine<T> b) const {
        return {a.factor * b.factor, a.term * b.factor + b.term};
    }
    FUSE_HD constexpr Affine<T> project(Affine<T> a, index_t) const { return a; }
};

template <class V>
struct affine_scalar;
template <class T>
struct affine_scalar<Affine<T>> {
    using type = T;
};

/// The composition of affine maps as a reduction op.
struct ComposeAffine {
    static constexpr const char* name = "compose";
    template <class V, class = void>
    using reduction_op = AffineComposition<typename affine_scalar<V>::type>;
};

}  // namespace detail

FUSE_END_NAMESPACE
