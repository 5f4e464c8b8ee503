// SPDX-License-Identifier: Apache-2.0
//
// Reductions by an op with state, a level or a temperature. Kernels know reduction ops as types alone, so the state goes
// the way of data: a functor in front of the reduction puts it beside each element (functors with state reach kernels
// by value), partial results carry it to where they are combined, and a functor behind it projects. Where state does
// not matter to combine, a map before the reduction or after it is cheaper: nothing travels.
#pragma once

#include "fuse/ops/reductions/reduction.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// The op with the optional parts of the protocol filled in, as an object with its state; T: the elements' type.
template <class Op, class T, class Acc>
constexpr auto completed(const Op& op) {
    if constexpr (SelfReducing<Op>) {
        CompletedReduction<Op, T> r;
        r.op = op;
        return r;
    } else {
        LiftedReduction<Op, T, std::conditional_t<std::is_void_v<Acc>, T, Acc>> r;
        r.f = op;
        return r;
    }
}

/// The reduction by an R, an object, as one by a type.
template <class R>
struct CarriedReduction {
    struct value_type {
        R op;
        typename R::value_type value;
    };
    /// Of no element it has no op.
    struct accumulator {
        R op;
        typename R::accumulator value;
        bool any;
    };
    struct result {
        typename R::accumulator value;
        index_t n;
        bool any;
    };
    static constexpr const char* name = R::name;
    static constexpr bool commutative = R::commutative;
    static constexpr bool has_index = R::has_index;
    static constexpr bool has_identity = R::has_identity;

    FUSE_HD constexpr accumulator init() const { return {R{}, R{}.init(), false}; }
    FUSE_HD constexpr accumulator leaf(value_type v, index_t i) const { return {v.op, v.op.leaf(v.value, i), true}; }
    FUSE_HD constexpr accumulator reduce(accumulator a, value_type v, index_t i) const {
        return a.any ? accumulator{v.op, v.op.reduce(a.value, v.value, i), true} : leaf(v, i);
    }
    FUSE_HD constexpr accumulator combine(accumulator a, accumulator b) const {
        return !a.any ? b : !b.any ? a : accumulator{a.op, a.op.combine(a.value, b.value), true};
    }
    FUSE_HD constexpr result project(accumulator a, index_t n) const { return {a.value, n, a.any}; }
};

/// In front of the reduction ...
template <class R>
struct AttachOp {
    static constexpr const char* name = "with_state";
    R op;
    FUSE_HD constexpr auto operator()(typename R::value_type v) const {
        return typename CarriedReduction<R>::value_type{op, v};
    }
};
/// ... and behind it.
template <class R>
struct ProjectByOp {
    static constexpr const char* name = "project";
    R op;
    FUSE_HD constexpr auto operator()(typename CarriedReduction<R>::result r) const {
        return op.project(r.any ? r.value : op.init(), r.n);
    }
};

}  // namespace detail

FUSE_END_NAMESPACE
