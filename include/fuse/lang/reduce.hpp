// SPDX-License-Identifier: Apache-2.0
//
// reduce(op, x, axes<...>, keepdims, accumulate<T>): folds axes of an expression with a reduction op.
#pragma once

#include "fuse/lang/axes.hpp"
#include "fuse/lang/map.hpp"
#include "fuse/ops/reduction.hpp"

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

template <class Op, Expression E, ReduceOption... Options>
constexpr auto reduce(const Op&, const E& e, Options...) {
    using O = reduce_options<Options...>;
    static_assert(!O::ignore_nan, "fuse: nan::ignore is an option of min, max, argmin and argmax");
    return Reduce<Op, E, O::axes::template mask<E::rank>(), O::keep, typename O::accumulator>(e);
}

FUSE_END_NAMESPACE
