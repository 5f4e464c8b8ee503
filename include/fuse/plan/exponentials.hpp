// SPDX-License-Identifier: Apache-2.0
//
// exp(log_softmax(x)), in divergences and entropies and in gradients of log_softmax, is softmax(x): with a = x - max(x) and
// s the sum of exp(a), exp(a - log(s)) = exp(a) / s. That exponential the sum has computed before; and where |a| is large the
// quotient is the more exact of the two, as a - log(s) is rounded before it is raised. s is at least 1, so that nothing
// overflows that did not before; where a row has a maximum that is infinite, or NaN, both are NaN.
#pragma once

#include "fuse/ops/functors/arithmetic.hpp"
#include "fuse/ops/functors/exponential.hpp"
#include "fuse/ops/reductions/min_max.hpp"
#include "fuse/ops/reductions/sum_prod.hpp"
#include "fuse/plan/ir.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// Whether E is x - max(x), with the maximum over the axes in Mask.
template <class E, std::uint32_t Mask>
inline constexpr bool below_maximum = false;
template <class X, class T, std::uint32_t Mask>
inline constexpr bool below_maximum<ir::Call<Sub<>, stateless_id, X, ir::Reduction<MaxReduction<T>, X, Mask>>, Mask> =
    true;

/// exp(E), as it is computed.
template <class E>
struct exponential_form {
    using type = ir::Call<Exp<>, stateless_id, E>;
};
template <class A, std::floating_point T, class Acc, std::uint32_t Mask>
    requires(below_maximum<A, Mask>&& std::is_same_v<accumulator_t<T, Acc>, T>)
struct exponential_form<ir::Call<
    Sub<>, stateless_id, A,
    ir::Call<Log<>, stateless_id, ir::Reduction<SumReduction<T, Acc>, ir::Call<Exp<>, stateless_id, A>, Mask>>>> {
    using sum = ir::Reduction<SumReduction<T, Acc>, ir::Call<Exp<>, stateless_id, A>, Mask>;
    using type =
        ir::Call<Mul<>, stateless_id, ir::Call<Exp<>, stateless_id, A>, ir::Call<Reciprocal<>, stateless_id, sum>>;
};

/// A call of functor F, as it is computed.
template <class F>
struct call_of {
    template <class Id, class... Args>
    using type = ir::Call<F, Id, Args...>;
};
template <>
struct call_of<Exp<>> {
    template <class, class E>
    using type = typename exponential_form<E>::type;
};

}  // namespace detail

FUSE_END_NAMESPACE
