// SPDX-License-Identifier: Apache-2.0
//
// Sum, product and mean. Integers and bool accumulate in 64 bits and wrap around there, but in means, which are no
// integers: those of 64 bits accumulate in double. Floating point accumulates in its own type unless accumulate<double>
// says otherwise. The accumulator is the result: it is never rounded back.
#pragma once

#include "fuse/config.hpp"
#include "fuse/ops/functors/arithmetic.hpp"
#include "fuse/ops/reductions/reduction_base.hpp"

#include <type_traits>

FUSE_BEGIN_NAMESPACE

/// `Add<>` as a reduction op; an empty sum is 0.
template <class T, class Acc = void>
struct SumReduction : detail::BasicReduction<SumReduction<T, Acc>, T, accumulator_t<T, Acc>> {
    using A = accumulator_t<T, Acc>;
    static constexpr const char* name = "sum";

    FUSE_HD constexpr A init() const { return A(); }
    FUSE_HD constexpr A leaf(T v, index_t) const { return static_cast<A>(v); }
    FUSE_HD constexpr A combine(A a, A b) const { return static_cast<A>(Add<>{}(a, b)); }
};
template <class V>
struct FoldedBy<Add<V>> {
    template <class T, class Acc = void>
        requires(Arithmetic<T> || std::is_invocable_v<Add<>, accumulator_t<T, Acc>, accumulator_t<T, Acc>>)
    using reduction_op = SumReduction<T, Acc>;
};

/// `Mul<>` as a reduction op; an empty product is 1. A product of a class type keeps the order of its factors.
template <class T, class Acc = void>
struct ProdReduction : detail::BasicReduction<ProdReduction<T, Acc>, T, accumulator_t<T, Acc>> {
    using A = accumulator_t<T, Acc>;
    static constexpr const char* name = "prod";
    static constexpr bool commutative = Arithmetic<A>;

    FUSE_HD constexpr A init() const { return A(1); }
    FUSE_HD constexpr A leaf(T v, index_t) const { return static_cast<A>(v); }
    FUSE_HD constexpr A combine(A a, A b) const { return static_cast<A>(Mul<>{}(a, b)); }
};
template <class V>
struct FoldedBy<Mul<V>> {
    template <class T, class Acc = void>
        requires(Arithmetic<T> || std::is_invocable_v<Mul<>, accumulator_t<T, Acc>, accumulator_t<T, Acc>>)
    using reduction_op = ProdReduction<T, Acc>;
};

/// A number of elements by which many sums are divided, one after the other.
struct RepeatedCount {
    index_t count;

    FUSE_HD constexpr operator index_t() const { return count; }
};

namespace detail {

/// Few 64-bit integers may have a sum that 64 bits do not hold, and their mean lies between them; of narrower ones it
/// takes 2^31.
template <class T, class Acc>
using mean_accumulator_t = accumulator_t<std::conditional_t<std::is_integral_v<T> && sizeof(T) == 8, double, T>, Acc>;

}  // namespace detail

/// The sum divided by the number of elements: double for integers, NaN when empty.
template <Arithmetic T, class Acc = void>
struct MeanReduction : detail::BasicReduction<MeanReduction<T, Acc>, T, detail::mean_accumulator_t<T, Acc>,
                                              floating_t<detail::mean_accumulator_t<T, Acc>>> {
    using A = detail::mean_accumulator_t<T, Acc>;
    static constexpr const char* name = "mean";

    FUSE_HD constexpr A init() const { return A(); }
    FUSE_HD constexpr A leaf(T v, index_t) const { return static_cast<A>(v); }
    FUSE_HD constexpr A combine(A a, A b) const { return static_cast<A>(Add<>{}(a, b)); }
    FUSE_HD constexpr floating_t<A> project(A a, index_t n) const {
        return static_cast<floating_t<A>>(a) / static_cast<floating_t<A>>(n);
    }
    /// On a device the reciprocal is found once, in a register, and the quotient that it gives put right by what is left:
    /// as division rounds, without its test for numbers that it cannot scale.
    FUSE_HD constexpr floating_t<A> project(A a, RepeatedCount n) const {
#if FUSE_ON_DEVICE
        if constexpr (std::is_same_v<A, float>) {
            const auto count = static_cast<float>(n.count);
            const float reciprocal = 1.0F / count;
            const float quotient = a * reciprocal;
            const float exact = fmaf(fmaf(-quotient, count, a), reciprocal, quotient);
            return exact == exact ? exact : quotient;  // of an infinite a nothing is left
        }
#endif
        return project(a, n.count);
    }
};

/// The mean as an op: `reduce(Mean{}, x)`.
struct Mean {
    static constexpr const char* name = "mean";
    template <Arithmetic T, class Acc = void>
    using reduction_op = MeanReduction<T, Acc>;
};

/// The sum divided by n - Ddof: the unbiased variance of squared deviations for Ddof = 1. NaN when n <= Ddof.
template <int Ddof, Arithmetic T, class Acc = void>
struct MeanWithDofReduction : MeanReduction<T, Acc> {
    using A = typename MeanReduction<T, Acc>::A;
    static constexpr int ddof = Ddof;

    FUSE_HD constexpr floating_t<A> project(A a, index_t n) const {
        using F = floating_t<A>;
        return n > Ddof ? static_cast<F>(a) / static_cast<F>(n - Ddof) : limits<F>::nan;
    }
};

template <int Ddof>
struct MeanWithDof {
    static constexpr const char* name = "mean";
    template <Arithmetic T, class Acc = void>
    using reduction_op = MeanWithDofReduction<Ddof, T, Acc>;
};

FUSE_END_NAMESPACE
