// SPDX-License-Identifier: Apache-2.0
//
// Where the axes of each node lie in the kernel's iteration space. All statements of a kernel share one rectangular
// domain, whose rank is that of the deepest node. This file infers, bottom-up, for every node the domain axis of each
// of its axes: a node of full rank has the identity, operands of a map are aligned at the end, and a node of one
// operand has a rule. What stays unknown is filled from above by lower.hpp.
#pragma once

#include "fuse/lang/node.hpp"
#include "fuse/numeric.hpp"

FUSE_BEGIN_NAMESPACE

namespace detail {

template <class N, class... E>
constexpr int deepest_of(operand_types<E...>);
template <class N, class... E>
constexpr int joined_of(operand_types<E...>);

/// The same without what only numbers come from: their axes have nothing to do with those of N.
template <class N>
inline constexpr int joined_rank = N::rank == 0 ? 0 : joined_of<N>(typename N::operands{});

}  // namespace detail

/// Rank of the deepest node of an expression: the rank of the domain.
template <class N>
inline constexpr int deepest_rank = detail::deepest_of<N>(typename N::operands{});

/// What a node knows by itself about its axes in a domain of rank D.
template <class N, int D, class Operands = typename N::operands>
struct natural_map;

template <class N, int D, class... E>
struct natural_map<N, D, operand_types<E...>> {
    static constexpr AxisMap value = [] {
        AxisMap m = AxisMap::all_open(N::rank);
        if constexpr (sizeof...(E) == 1) {
            m = N::result_axes(natural_map<E..., D>::value);
        } else {
            (m.merge(natural_map<E, D>::value), ...);
        }
        if (N::rank == D) {
            m.merge(AxisMap::trailing(D, D));
        }
        return m;
    }();
};

/// Where the axes of a node lie that nothing else says: as if it were alone, in a domain of its own at the end of this
/// one. So the rows of max(sum(w, axes<1>)) beside an array of three axes are those of w.
template <class N, int D>
struct likely_map {
    static constexpr int domain = D;
    static constexpr AxisMap value = [] {
        AxisMap m = AxisMap::trailing(N::rank, D);
        if constexpr (N::rank < D) {
            constexpr int own = detail::joined_rank<N>;
            const AxisMap alone = natural_map<N, own>::value;
            for (int i = 0; i < m.rank && alone.consistent && alone.apart(); ++i) {
                m.axis[i] = alone.axis[i] == AxisMap::open ? m.axis[i] : alone.axis[i] + D - own;
            }
        }
        return m;
    }();
};

namespace detail {

template <class N, class... E>
constexpr int deepest_of(operand_types<E...>) {
    return largest(N::rank, deepest_rank<E>...);
}
template <class N, class... E>
constexpr int joined_of(operand_types<E...>) {
    return largest(N::rank, joined_rank<E>...);
}

}  // namespace detail

FUSE_END_NAMESPACE
