// SPDX-License-Identifier: Apache-2.0
//
// scan(op, x, axes<k>, exclusive, reverse, accumulate<T>): running folds along one axis, and the named ones. Element i
// of the result is the fold of elements 0 .. i, or 0 .. i - 1 with `exclusive`; with `reverse` of elements n - 1 .. i,
// or n - 1 .. i + 1. The result has the shape of x, and may be used in further elementwise operations of the same
// kernel.
#pragma once

#include <bit>
#include <cstring>

#include "fuse/lang/axes.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/lang/math.hpp"
#include "fuse/lang/refused_ops.hpp"
#include "fuse/lang/selection.hpp"
#include "fuse/ops/reductions/affine.hpp"
#include "fuse/ops/reductions/log_sum_exp.hpp"
#include "fuse/ops/reductions/running.hpp"

FUSE_BEGIN_NAMESPACE

/// Op scanned along axis Axis of E. Acc: accumulator type, or void for the default of the op.
template <class Op, class E, int Axis, bool Exclusive, bool Reverse, class Acc>
struct Scan : unary_node<E> {
    using unary_node<E>::unary_node;
    using op_type = Op;
    using reduction_op = Running<reduction_op_t<Op, value_t<E>, Acc>, Exclusive, Reverse>;
    using value_type = typename reduction_op::result;
    static constexpr std::uint32_t mask = 1U << Axis;
    static constexpr bool of_nothing = true;
    static constexpr bool counts = false;
    static constexpr bool own_coordinates = true;

    template <class X>
    constexpr auto with(const X& x) const {
        return Scan<Op, X, Axis, Exclusive, Reverse, Acc>(x);
    }
    FUSE_PART_AT(Scan)
    FUSE_RARE void print(Text& out) const {
        const char* name = detail::name_or<reduction_op>("op");
        const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
        if (is("sum") || is("prod") || is("max") || is("min")) {
            out << "cum" << name << "(";
        } else if (is("logsumexp")) {
            out << "logcumsumexp(";
        } else if (is("sort") || is("argsort")) {
            out << name << "(";
        } else {
            out << "scan(" << name << ", ";
        }
        detail::print_argument(out, detail::erase(this->expression));
        if (E::rank > 1) {
            detail::print_axes(out, mask, E::rank);
        }
        if constexpr (requires { requires reduction_op::largest_first; }) {
            out << ", descending";
        }
        out << (Exclusive ? ", exclusive" : "") << (Reverse ? ", reverse)" : ")");
    }
};

/// Options: axes<k> (may be left out for one axis), exclusive, reverse (jax.lax.cumsum's: the scan of the flipped x,
/// flipped; an op that counts positions counts them from the end), accumulate<T>. The op is any reduction op; it need
/// not commute. As numpy's accumulate, with the accumulators of fuse's reductions (float for float, 64 bits for
/// integers).
template <class Op, Expression E, class... Options>
constexpr auto scan(const Op&, const E& e, Options...) {
    FUSE_CHECK_SCAN(E, Options);
    using O = reduce_options<Options...>;
    FUSE_CHECK_OP(Op, value_t<E>, typename O::accumulator, false);
    constexpr int axis = std::countr_zero(O::axes::template mask<E::rank>() | 1U << (max_rank - 1));
    return Scan<Op, E, axis, O::exclusive, O::reverse, typename O::accumulator>(e);
}

template <Expression X, class... O>
constexpr auto cumsum(const X& x, O... options) {
    FUSE_CHECK_SCAN(X, O);
    FUSE_CHECK_ELEMENTS(Add<>, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return scan(Add<>{}, x, options...);
}
template <Expression X, class... O>
constexpr auto cumprod(const X& x, O... options) {
    FUSE_CHECK_SCAN(X, O);
    FUSE_CHECK_ELEMENTS(Mul<>, value_t<X>, typename reduce_options<O...>::accumulator, false);
    return scan(Mul<>{}, x, options...);
}
/// NaN wins from its position on.
template <Expression X, class... O>
constexpr auto cummax(const X& x, O... options) {
    FUSE_CHECK_SCAN(X, O);
    return scan(Max<>{}, x, options...);
}
template <Expression X, class... O>
constexpr auto cummin(const X& x, O... options) {
    FUSE_CHECK_SCAN(X, O);
    return scan(Min<>{}, x, options...);
}

/// log(cumsum(exp(x))) without overflow (torch.logcumsumexp); of integers in floating point.
template <Expression X, class... O>
constexpr auto logcumsumexp(const X& x, O... options) {
    FUSE_CHECK_SCAN(X, O);
    return scan(LogSumExp{}, detail::in_floating(x), options...);
}

/// y[t] = x[t] + gamma * y[t - 1] along one axis: a linear recurrence, scanned as compositions of affine maps (Blelloch
/// 1990, "Prefix sums and their applications", section 1.4). gamma: a number, or an expression that broadcasts with x;
/// of bool, where it is false the sum starts again.
template <Expression X, class G, class... O>
    requires Operands<X, G>
constexpr auto discounted_cumsum(const X& x, const G& gamma, O... options) {
    FUSE_CHECK_SCAN(X, O);
    return detail::apply(detail::AffineTerm{},
                         scan(detail::ComposeAffine{}, detail::apply(detail::MakeAffine{}, gamma, x), options...));
}

namespace detail {
template <class... A>
inline constexpr bool has_discount = false;
template <Expression X, OperandLike G, class... O>
inline constexpr bool has_discount<X, G, O...> = true;
}  // namespace detail

template <class... A>
    requires(!detail::has_discount<A...>)
auto discounted_cumsum(const A&...) {
    static_assert(sizeof...(A) == ~0U,
                  "fuse: discounted_cumsum takes an expression, its discount and axes: discounted_cumsum(x, 0.9, "
                  "axes<1>)");
    return detail::refused();
}

FUSE_END_NAMESPACE
