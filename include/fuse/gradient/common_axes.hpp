// SPDX-License-Identifier: Apache-2.0
//
// Sums of derivatives with respect to one array that stands along two axes. In sum(square(expand_dims<1>(x) -
// expand_dims<0>(x))) x is a column and a row of one matrix; what the column gets is folded along rows, what the row gets
// along columns, and a kernel has no place where both are side by side. So the second is that of the transposed matrix.
#pragma once

#include "fuse/gradient/parts.hpp"
#include "fuse/gradient/terms.hpp"
#include "fuse/lang/natural_map.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

/// How the domain of B is turned so that the axes of B lie where A has its own; as it is where they do, or where one of
/// both does not say.
template <class A, class B>
inline constexpr std::uint64_t meeting_order = [] {
    constexpr int rank = largest(deepest_rank<A>, deepest_rank<B>);
    const AxisMap wanted = known_axes<A, rank>;
    const AxisMap own = known_axes<B, rank>;
    AxisMap order = AxisMap::trailing(rank, rank);
    if (A::rank != B::rank || !wanted.consistent || !own.consistent) {
        return order.pack();
    }
    const std::uint32_t placed = wanted.mask();
    const std::uint32_t moved = own.mask();
    int next = 0;
    for (int i = 0; i < rank; ++i) {
        if (((placed >> i) & 1U) == 0) {
            while (((moved >> next) & 1U) != 0) {
                ++next;
            }
            order.axis[i] = next++;
        }
    }
    for (int i = 0; i < wanted.rank; ++i) {
        order.axis[wanted.axis[i]] = own.axis[i];
    }
    return order.pack();
}();

/// b, along the axes of the domain along which a lies.
template <class A, class B>
auto along_axes_of(const A&, const B& b) {
    using Turn = how_turned<AxisMap::trailing(B::rank, B::rank).pack(), meeting_order<A, B>, 0>;
    if constexpr (Turn::stays || turn_fault<Turn, B>() != PartFault::none) {
        return b;
    } else {
        return turned_expression<Turn>(b);
    }
}

/// a + b, two derivatives with respect to one node of type V.
template <class V, class A, class B>
constexpr auto added_in_place(const A& a, const B& b) {
    if constexpr (Expression<A> && Expression<B>) {
        return added<V>(a, along_axes_of(a, b));
    } else {
        return added<V>(a, b);
    }
}

}  // namespace detail

FUSE_END_NAMESPACE
