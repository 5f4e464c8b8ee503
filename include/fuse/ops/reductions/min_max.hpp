// SPDX-License-Identifier: Apache-2.0
//
// Maximum and minimum as reductions. The accumulator starts at the true identity (minus infinity for max, NaN
// for the variants that ignore NaN, the lowest integer), and NaN propagates unless it is ignored. An
// accumulator type given by the user only widens the comparison.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/arithmetic.hpp"
#include "fuse/ops/functors/min_max.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"
#include "fuse/ops/types/float_keys.hpp"

#include <type_traits>

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Extrema do not grow: they accumulate in the element type.
template <class T, class Acc>
using extremum_accumulator_t = std::conditional_t<std::is_void_v<Acc>, T, Acc>;

template <class Derived, class T, class A>
struct ExtremumReduction : BasicReduction<Derived, T, A> {
    static constexpr bool has_identity = false;

    FUSE_HD constexpr A leaf(T v, index_t) const { return static_cast<A>(v); }
};

}  // namespace detail

/// `Max<>` as a reduction op.
template <Arithmetic T, class Acc = void>
struct MaxReduction : detail::ExtremumReduction<MaxReduction<T, Acc>, T, detail::extremum_accumulator_t<T, Acc>> {
    using A = detail::extremum_accumulator_t<T, Acc>;
    using keys = detail::extremum_keys_t<A, true>;
    static constexpr const char* name = "max";

    FUSE_HD constexpr A init() const { return limits<A>::least; }
    FUSE_HD constexpr A combine(A a, A b) const { return detail::larger(a, b); }
};
template <class V>
struct FoldedBy<Max<V>> {
    template <Arithmetic T, class Acc = void>
    using reduction_op = MaxReduction<T, Acc>;
};

/// `Min<>` as a reduction op.
template <Arithmetic T, class Acc = void>
struct MinReduction : detail::ExtremumReduction<MinReduction<T, Acc>, T, detail::extremum_accumulator_t<T, Acc>> {
    using A = detail::extremum_accumulator_t<T, Acc>;
    using keys = detail::extremum_keys_t<A, false>;
    static constexpr const char* name = "min";

    FUSE_HD constexpr A init() const { return limits<A>::greatest; }
    FUSE_HD constexpr A combine(A a, A b) const { return detail::smaller(a, b); }
};
template <class V>
struct FoldedBy<Min<V>> {
    template <Arithmetic T, class Acc = void>
    using reduction_op = MinReduction<T, Acc>;
};

/// `MaxIgnoreNan<>` as a reduction op: NaN only when every element is NaN.
template <Arithmetic T, class Acc = void>
struct MaxIgnoreNanReduction
    : detail::ExtremumReduction<MaxIgnoreNanReduction<T, Acc>, T, detail::extremum_accumulator_t<T, Acc>> {
    using A = detail::extremum_accumulator_t<T, Acc>;
    static constexpr const char* name = "nanmax";
    static constexpr const char* ignoring_nan = "max";

    FUSE_HD constexpr A init() const { return limits<A>::has_nan ? limits<A>::nan : limits<A>::least; }
    FUSE_HD constexpr A combine(A a, A b) const { return detail::maximum_ignoring_nan(a, b); }
};
template <class V>
struct FoldedBy<MaxIgnoreNan<V>> {
    template <Arithmetic T, class Acc = void>
    using reduction_op = MaxIgnoreNanReduction<T, Acc>;
};

/// `MinIgnoreNan<>` as a reduction op: NaN only when every element is NaN.
template <Arithmetic T, class Acc = void>
struct MinIgnoreNanReduction
    : detail::ExtremumReduction<MinIgnoreNanReduction<T, Acc>, T, detail::extremum_accumulator_t<T, Acc>> {
    using A = detail::extremum_accumulator_t<T, Acc>;
    static constexpr const char* name = "nanmin";
    static constexpr const char* ignoring_nan = "min";

    FUSE_HD constexpr A init() const { return limits<A>::has_nan ? limits<A>::nan : limits<A>::greatest; }
    FUSE_HD constexpr A combine(A a, A b) const { return detail::minimum_ignoring_nan(a, b); }
};
template <class V>
struct FoldedBy<MinIgnoreNan<V>> {
    template <Arithmetic T, class Acc = void>
    using reduction_op = MinIgnoreNanReduction<T, Acc>;
};

/// Both extremes of one pass.
template <class T>
struct MinMaxResult {
    T min;
    T max;
    FUSE_HD friend constexpr bool operator==(MinMaxResult a, MinMaxResult b) {
        return a.min == b.min && a.max == b.max;
    }
};

template <class T, class Acc = void>
struct MinMaxReduction
    : detail::BasicReduction<MinMaxReduction<T, Acc>, T, MinMaxResult<detail::extremum_accumulator_t<T, Acc>>> {
    using Value = detail::extremum_accumulator_t<T, Acc>;
    using A = MinMaxResult<Value>;
    static constexpr const char* name = "minmax";
    static constexpr bool has_identity = false;

    FUSE_HD constexpr A init() const { return {limits<Value>::greatest, limits<Value>::least}; }
    FUSE_HD constexpr A leaf(T v, index_t) const { return {static_cast<Value>(v), static_cast<Value>(v)}; }
    FUSE_HD constexpr A combine(A a, A b) const {
        return {detail::smaller(a.min, b.min), detail::larger(a.max, b.max)};
    }
};

/// Minimum and maximum as one op: `reduce(MinMax{}, x)` gives {min, max}; NaN in both if there is one.
struct MinMax {
    static constexpr const char* name = "minmax";
    template <class T, class Acc = void>
    using reduction_op = MinMaxReduction<T, Acc>;
};

/// Functors that take one field of minmax's result.
struct TakeMin {
    static constexpr const char* written = "@0.min";
    template <class R>
    FUSE_HD constexpr auto operator()(const R& r) const {
        return r.min;
    }
};
struct TakeMax {
    static constexpr const char* written = "@0.max";
    template <class R>
    FUSE_HD constexpr auto operator()(const R& r) const {
        return r.max;
    }
};

/// max - min of the two fields of minmax's result.
struct TakeRange {
    static constexpr const char* written = "(@0.max - @0.min)";
    template <class R>
    FUSE_HD constexpr auto operator()(const R& r) const {
        return Sub<>{}(r.max, r.min);
    }
};

FUSE_END_NAMESPACE
