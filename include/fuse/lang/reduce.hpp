// SPDX-License-Identifier: Apache-2.0
//
// reduce(op, x, axes<...>, keepdims, accumulate<T>): folds axes of an expression with a reduction op.
#pragma once

#include "fuse/lang/axes.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/ops/reductions/reduction.hpp"

FUSE_BEGIN_NAMESPACE

/// Op folded over the axes in Mask (bit i = axis i of E). Keep: the axes stay with extent 1.
/// Acc: accumulator type, or void for the default of the op.
template <class Op, class E, std::uint32_t Mask, bool Keep, class Acc>
struct Reduce : node_base {
    using op_type = Op;
    using reduction = reduction_t<Op, value_t<E>, Acc>;
    using value_type = typename reduction::result;
    static constexpr std::uint32_t mask = Mask;
    static constexpr bool keep = Keep;
    static constexpr int reduced_rank = [] {
        int n = 0;
        for (int i = 0; i < E::rank; ++i) {
            n += static_cast<int>((Mask >> i) & 1U);
        }
        return n;
    }();
    static constexpr int rank = Keep ? E::rank : E::rank - reduced_rank;
    static constexpr int anonymous = E::anonymous;

    constexpr explicit Reduce(const E& e) : expression(e) {}
    E expression;
};

namespace detail {

/// A reduction of one element: of a scalar, which has no axis to sweep.
template <class R>
struct ReduceOne {
    static constexpr const char* name = R::name;
    FUSE_HD constexpr auto operator()(typename R::value_type v) const { return R{}.project(R{}.leaf(v, 0), 1); }
};
/// A reduction of no element: what an exclusive scan begins with.
template <class R>
struct ReduceNone {
    static constexpr const char* name = R::name;
    FUSE_HD constexpr auto operator()(typename R::value_type) const { return R{}.project(R{}.init(), 0); }
};

template <class Op, class Options, bool Keep, Expression E>
constexpr auto make_reduce(const E& e) {
    using Node = Reduce<Op, E, Options::axes::template mask<E::rank>(), Keep, typename Options::accumulator>;
    if constexpr (E::rank == 0) {
        return Map<ReduceOne<typename Node::reduction>, E>({}, e);
    } else {
        return Node(e);
    }
}

}  // namespace detail

template <class Op, Expression E, ReduceOption... Options>
constexpr auto reduce(const Op&, const E& e, Options...) {
    using O = reduce_options<Options...>;
    static_assert(!O::ignore_nan, "fuse: nan::ignore is an option of min, max, argmin and argmax");
    return detail::make_reduce<Op, O, O::keep>(e);
}

FUSE_END_NAMESPACE
