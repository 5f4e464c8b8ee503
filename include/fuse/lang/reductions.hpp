// SPDX-License-Identifier: Apache-2.0
//
// The named reductions. All take axes<...>, keepdims and accumulate<T> in any order; names and semantics are numpy's.
// min and max of two operands are elementwise, of one operand (with options) reductions.
#pragma once

#include <limits>

#include "fuse/lang/expand_dims.hpp"
#include "fuse/lang/index.hpp"
#include "fuse/lang/let.hpp"
#include "fuse/lang/math.hpp"
#include "fuse/lang/operators.hpp"
#include "fuse/lang/reduce.hpp"
#include "fuse/lang/selection.hpp"
#include "fuse/lang/shape.hpp"
#include "fuse/lang/stop_gradient.hpp"

FUSE_BEGIN_NAMESPACE

template <Expression X, class... O>
constexpr auto sum(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    FUSE_CHECK_ELEMENTS(Add<>, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return reduce(Add<>{}, x, options...);
}
template <Expression X, class... O>
constexpr auto prod(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    FUSE_CHECK_ELEMENTS(Mul<>, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return reduce(Mul<>{}, x, options...);
}
/// NaN for an empty reduction.
template <Expression X, class... O>
constexpr auto mean(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    FUSE_CHECK_ELEMENTS(Mean, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return reduce(Mean{}, x, options...);
}
template <Expression X, class... O>
constexpr auto any(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    return reduce(Any{}, x, options...);
}
template <Expression X, class... O>
constexpr auto all(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    return reduce(All{}, x, options...);
}
template <Expression X, class... O>
constexpr auto count_nonzero(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    return reduce(CountNonzero{}, x, options...);
}

namespace detail {

/// x in the type in which sums of its type accumulate; beside signed integers a signed one, which holds all but unsigned ones
/// of 64 bits.
template <class Other, Expression X>
constexpr auto in_accumulator(const X& x) {
    using V = value_t<X>;
    if constexpr (std::is_integral_v<V>) {
        using wide = accumulator_t<V, void>;
        constexpr bool beside_signed = std::is_integral_v<value_t<Other>> && std::is_signed_v<value_t<Other>>;
        return cast<std::conditional_t<beside_signed && sizeof(V) < sizeof(wide), std::make_signed_t<wide>, wide>>(x);
    } else {
        return x;
    }
}

/// Of dot: a vector of one element does not stretch.
FUSE_COLD inline void check_lengths(const Shape& a, const Shape& b) {
    if (!(a == b)) {
        throw shape_error(Text() << "dot takes vectors of one length, not of " << a[0] << " and " << b[0]);
    }
}

/// A reduction op that has a NaN-skipping form.
template <class Op, class Skipping, class X, class... O>
constexpr auto reduce_nan_aware(const X& x) {
    using options = reduce_options<O...>;
    using Chosen = std::conditional_t<options::ignore_nan, Skipping, Op>;
    return make_reduce<Chosen, options, options::keep>(x);
}

/// The same axes as `options`, kept.
template <class Op, class X, class... O>
constexpr auto reduce_kept(const X& x) {
    return make_reduce<Op, reduce_options<O...>, true>(x);
}

}  // namespace detail

/// NaN wins, unless nan::ignore is given. Empty: a shape_error.
template <Expression X, ReduceOption... O>
constexpr auto max(const X& x, O...) {
    FUSE_CHECK_EXTREMUM(X, O);
    FUSE_CHECK_ELEMENTS(Max<>, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return detail::reduce_nan_aware<Max<>, MaxIgnoreNan<>, X, O...>(x);
}
template <Expression X, ReduceOption... O>
constexpr auto min(const X& x, O...) {
    FUSE_CHECK_EXTREMUM(X, O);
    FUSE_CHECK_ELEMENTS(Min<>, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return detail::reduce_nan_aware<Min<>, MinIgnoreNan<>, X, O...>(x);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Max<>, A, B> max(const A& a, const B& b) {
    return detail::apply(Max<>{}, a, b);
}
template <class A, class B>
    requires Operands<A, B>
constexpr map_t<Min<>, A, B> min(const A& a, const B& b) {
    return detail::apply(Min<>{}, a, b);
}
/// The same of two operands of one type: under `using namespace std` std::max would be the better match.
template <Expression X>
constexpr auto max(const X& a, const X& b) {
    return detail::apply(Max<>{}, a, b);
}
template <Expression X>
constexpr auto min(const X& a, const X& b) {
    return detail::apply(Min<>{}, a, b);
}
#define FUSE_REFUSE_AXES_OF_TWO                                                                                        \
    "fuse: max and min are of two operands, element by element, or of one along axes<...>: "                           \
    "max(max(x, axes<1>), 0)"
template <class A, class B, AxesOption O>
    requires Operands<A, B>
auto max(const A&, const B&, O) {
    static_assert(sizeof(A) == 0, FUSE_REFUSE_AXES_OF_TWO);
    return detail::refused();
}
template <class A, class B, AxesOption O>
    requires Operands<A, B>
auto min(const A&, const B&, O) {
    static_assert(sizeof(A) == 0, FUSE_REFUSE_AXES_OF_TWO);
    return detail::refused();
}
/// Position of the extremum in the reduced axes (row-major over them). The first NaN wins; ties: the lowest index.
template <Expression X, class... O>
constexpr auto argmax(const X& x, O...) {
    FUSE_CHECK_EXTREMUM(X, O);
    FUSE_CHECK_ELEMENTS(ArgMax, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return detail::reduce_nan_aware<ArgMax, ArgMaxIgnoreNan, X, O...>(x);
}
template <Expression X, class... O>
constexpr auto argmin(const X& x, O...) {
    FUSE_CHECK_EXTREMUM(X, O);
    FUSE_CHECK_ELEMENTS(ArgMin, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return detail::reduce_nan_aware<ArgMin, ArgMinIgnoreNan, X, O...>(x);
}

/// The sum of what is not NaN (numpy's nansum); 0 where nothing is left.
template <Expression X, ReduceOption... O>
constexpr auto nansum(const X& x, O... options) {
    if constexpr (std::is_floating_point_v<value_t<X>>) {
        return sum(detail::apply(detail::NanAsZero{}, x), options...);
    } else {
        return sum(x, options...);
    }
}
/// The mean of what is not NaN (numpy's nanmean); NaN where nothing is left.
template <Expression X, ReduceOption... O>
constexpr auto nanmean(const X& x, O... options) {
    if constexpr (std::is_floating_point_v<value_t<X>>) {
        return let(x, [=](const auto& v) { return nansum(v, options...) / count_nonzero(!isnan(v), options...); });
    } else {
        return mean(x, options...);
    }
}
/// sum(a * b) of two operands with one axis each, of one length (else a shape_error). Products of integers are made in
/// the 64 bits in which they are added.
template <Expression A, Expression B, ReduceOption... O>
constexpr auto dot(const A& a, const B& b, O... options) {
    constexpr bool vectors = A::rank == 1 && B::rank == 1;
    static_assert(vectors, "fuse: dot takes two vectors; sums of products over other axes are sum(a * b, axes<...>)");
    if constexpr (vectors) {
        detail::check_lengths(shape_of(a), shape_of(b));
        return sum(detail::in_accumulator<B>(a) * detail::in_accumulator<A>(b), options...);
    } else {
        return detail::refused();
    }
}

template <class Low, class High>
struct MinMaxPair {
    Low min;
    High max;
};
/// auto [low, high] = minmax(x): two expressions of one reduction.
template <Expression X, class... O>
constexpr auto minmax(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    const auto both = reduce(MinMax{}, x, options...);
    const auto low = detail::apply(TakeMin{}, both);
    const auto high = detail::apply(TakeMax{}, both);
    return MinMaxPair<decltype(low), decltype(high)>{low, high};
}

/// max - min (numpy's ptp, "peak to peak"): NaN wins, empty: a shape_error.
template <Expression X, ReduceOption... O>
constexpr auto ptp(const X& x, O... options) {
    return detail::apply(TakeRange{}, reduce(MinMax{}, x, options...));
}

/// The p of norm<p>: norm<fuse::inf>(x) is the largest absolute value.
inline constexpr int inf = std::numeric_limits<int>::max();

/// (sum |x|^p)^(1/p); p = 1, 2, ... or inf, in floating point; p = 0 counts the nonzero elements.
template <int P = 2, Expression X, class... O>
constexpr auto norm(const X& x, O... options) {
    FUSE_CHECK_EXTREMUM(X, O);
    static_assert(P >= 0, "fuse: norm<p>: p is 0, 1, 2, ... or fuse::inf");
    const auto v = detail::in_floating(x);
    if constexpr (P == inf) {
        return max(abs(v), options...);
    } else if constexpr (P == 0) {
        return count_nonzero(x, options...);
    } else if constexpr (P == 1) {
        return sum(abs(v), options...);
    } else if constexpr (P == 2) {
        return sqrt(sum(square(v), options...));
    } else {
        return pow(sum(pow(abs(v), constant<P>), options...), constant<1, P>);
    }
}

/// Variance about the mean, divided by n - Ddof (0 as in numpy; PyTorch's default is var<1>). Exact for data
/// far from zero: of rows in two sweeps on chip, else in one (plan/deviations.hpp). NaN when n <= Ddof. Of integers in double, as their mean.
template <int Ddof = 0, Expression X, class... O>
constexpr auto var(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    if constexpr (std::is_integral_v<value_t<X>>) {
        return var<Ddof>(cast<double>(x), options...);  // the sum of 64-bit integers might wrap around
    } else {
        return let(x, [=](const auto& v) {
            const auto squares = square(v - detail::reduce_kept<Mean, std::remove_cvref_t<decltype(v)>, O...>(v));
            if constexpr (Ddof == 0) {
                return mean(squares, options...);
            } else {
                return reduce(MeanWithDof<Ddof>{}, squares, options...);
            }
        });
    }
}
template <int Ddof = 0, Expression X, class... O>
constexpr auto stddev(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    return sqrt(var<Ddof>(x, options...));
}

/// log(sum(exp(x))), shifted by the maximum so that nothing overflows; -inf where all x are, and of none.
template <Expression X, class... O>
constexpr auto logsumexp(const X& x, O... options) {
    FUSE_CHECK_REDUCTION(X, O);
    // A row of -inf (or one that holds +inf) must not compute inf - inf.
    const auto finite = [](const auto& m) { return stop_gradient(where(isfinite(m), m, constant<0>)); };
    return detail::let_if<detail::sound_options<X::rank, O...>>(detail::in_floating(x), [=](const auto& v) {
        using given = reduce_options<O...>;
        using most = detail::or_initial<typename given::accumulator>;
        const auto shift = finite(detail::make_reduce<Max<>, given, true, most>(v));
        return finite(detail::make_reduce<Max<>, given, given::keep, most>(v)) + log(sum(exp(v - shift), options...));
    });
}

/// Element `target` along one axis: result[i] = x[i, target[i]] (PyTorch's gather of one element). target has the rank
/// of x without that axis; a target outside the axis gives 0. Folded in the sweep that reads x anyway.
template <int Axis, Expression X, Expression T>
constexpr auto take(const X& x, const T& target, axes_t<Axis>) {
    constexpr int axis = Axis < 0 ? Axis + X::rank : Axis;
    constexpr bool inside = axis >= 0 && axis < X::rank;
    constexpr bool integers = std::is_integral_v<value_t<T>>;
    static_assert(inside, "fuse: take: the axis is outside the operand's rank");
    static_assert(T::rank == X::rank - 1, "fuse: take: the target has one axis less than the operand");
    static_assert(integers, "fuse: take: the target holds integers");
    return detail::let_if<(inside && integers && T::rank == X::rank - 1)>(x, target, [](const auto& v, const auto& at) {
        return reduce(PickOrZero{}, map(WithIndex{}, v, expand_dims<axis>(at)), axes<axis>);
    });
}

/// The same with the axis, of extent 1.
template <int Axis, Expression X, Expression T>
constexpr auto take(const X& x, const T& target, axes_t<Axis> along, keepdims_t) {
    return expand_dims<Axis>(take(x, target, along));
}

FUSE_END_NAMESPACE
