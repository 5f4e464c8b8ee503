// SPDX-License-Identifier: Apache-2.0
//
// The protocol of a reduction op: a stateless object that turns elements into accumulators and merges them.
//     init()              accumulator     the identity of combine
//     leaf(v, i)          accumulator     of the single element v at index i
//     reduce(a, v, i)     accumulator     a with one more element
//     combine(a, b)       accumulator     a covers the earlier elements where order matters
//     append(a, b)        accumulator     the same where all elements of b have larger indices than those of a;
//                                         optional: by default combine
//     of_run(v)           accumulator     of an array of elements, where those are cheaper to fold together; optional,
//                                         and such accumulators have a `count` of their elements
//     keys                                of extrema, an op of integers in the order of the values, with key(v) and
//                                         value(k), by which a host folds them faster; optional, void for none
//     project(a, n)       result          after all n elements
// reduce, too, may count on indices that grow.
// `commutative`: combine may take its operands in any order. `has_index`: leaf looks at i. `has_identity`: an
// empty reduction has a value; for max, min and argmax it is an error, although init() is still neutral in
// combine.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/functor.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

FUSE_BEGIN_NAMESPACE

template <class R>
concept ReductionOp = std::is_empty_v<R> && std::is_trivially_copyable_v<R> &&
    requires(const R r, typename R::accumulator a, typename R::value_type v, index_t i) {
    { R::commutative } -> std::convertible_to<bool>;
    { R::has_index } -> std::convertible_to<bool>;
    { R::has_identity } -> std::convertible_to<bool>;
    { r.init() } -> std::same_as<typename R::accumulator>;
    { r.leaf(v, i) } -> std::same_as<typename R::accumulator>;
    { r.reduce(a, v, i) } -> std::same_as<typename R::accumulator>;
    { r.combine(a, a) } -> std::same_as<typename R::accumulator>;
    { r.project(a, i) } -> std::same_as<typename R::result>;
};

/// Whether it has of_run.
template <class R>
concept folds_runs = requires(const R r, const typename R::value_type (&run)[2]) {
    r.of_run(run).count;
};

/// The reduction op that folds with functor F, where it is one with a name: a specialisation has
/// `reduction_op<T, Acc>`. It stands beside that, so that functors know of none.
template <class F>
struct FoldedBy {};

/// append of a reduction op, or what stands for it.
template <class R, class A>
FUSE_HD constexpr A append(const R& r, const A& a, const A& b) {
    if constexpr (requires { r.append(a, b); }) {
        return r.append(a, b);
    } else {
        return r.combine(a, b);
    }
}

namespace detail {

template <class T, class Acc>
struct AccumulatorOf {
    using type = Acc;
};
template <class T>
struct AccumulatorOf<T, void> {
    using type = T;
};
template <std::integral T>
struct AccumulatorOf<T, void> {
    static constexpr bool is_signed = std::is_signed_v<T> || std::is_same_v<T, bool>;
    using type = std::conditional_t<is_signed, std::int64_t, std::uint64_t>;
};

}  // namespace detail

/// Sums and products accumulate in Acc if it is given, else integers in 64 bits and other types in
/// themselves.
template <class T, class Acc = void>
using accumulator_t = typename detail::AccumulatorOf<T, Acc>::type;

namespace detail {

/// What most reductions have in common. Derived adds name, init, leaf and combine, and project if Result
/// differs.
template <class Derived, class T, class Acc, class Result = Acc>
struct BasicReduction {
    using value_type = T;
    using accumulator = Acc;
    using result = Result;
    static constexpr bool commutative = true;
    static constexpr bool has_index = false;
    static constexpr bool has_identity = true;

    FUSE_HD constexpr Acc reduce(Acc a, T v, index_t i) const { return Derived{}.combine(a, Derived{}.leaf(v, i)); }
    FUSE_HD constexpr Result project(Acc a, index_t) const { return static_cast<Result>(a); }
};

}  // namespace detail

FUSE_END_NAMESPACE
