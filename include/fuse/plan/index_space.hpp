// SPDX-License-Identifier: Apache-2.0
//
// What index<Axis>() counts in. Each node is lowered with the space of its enclosing operand: that of a reduction or a
// scan, the whole expression of a statement, or the output that a scalar expression fills. A space has
//   template <int Axis> using coordinate = ...   the leaf of the intermediate form that index<Axis>() stands for
//   using flat_index = ...                       that of flat_index()
//   template <int Axis> bool has_axis            whether there is one
//   template <int Axis> bool has_extent          whether something gives it an extent: else there is nothing to count
#pragma once

#include "fuse/plan/variation.hpp"

FUSE_BEGIN_NAMESPACE

template <class Node, std::uint64_t Axes, class Space, class Position, int D>
struct Lower;

namespace detail {

constexpr bool is_axis(int axis, int rank) {
    return axis >= -rank && axis < rank;
}
/// Axis 0 stands in for one that there is not, which the statement is refused for.
constexpr int axis_or_first(int axis, int rank) {
    return is_axis(axis, rank) ? (axis < 0 ? axis + rank : axis) : 0;
}

/// An operand with axes Axes whose extents come from Extents, its own intermediate form (void: not known yet).
template <std::uint64_t Axes, class Extents>
struct axes_space {
    static constexpr AxisMap map = AxisMap::unpack(Axes);
    template <int Axis>
    static constexpr bool has_axis = is_axis(Axis, map.rank);
    template <int Axis>
    static constexpr int domain_axis = map.axis[axis_or_first(Axis, map.rank)];
    template <int Axis>
    using leaves = typename extent_leaves<Extents, domain_axis<Axis>>::type;
    template <int Axis>
    static constexpr bool has_extent = std::is_void_v<Extents> || leaves<Axis>::size > 0;
    /// Any form will do where there are no leaves: they are not known yet, or the statement is refused.
    template <int Axis>
    using coordinate = std::conditional_t<leaves<Axis>::size == 0, ir::Constant<index_t, 0, 1>,
                                          ir::Index<domain_axis<Axis>, leaves<Axis>>>;

    template <class Sequence>
    struct all_axes;
    template <int... Axis>
    struct all_axes<std::integer_sequence<int, Axis...>> {
        using type = std::conditional_t<(0 + ... + leaves<Axis>::size) == 0, ir::Constant<index_t, 0, 1>,
                                        ir::FlatIndex<Axes, leaves<Axis>...>>;
    };
    using flat_index = typename all_axes<std::make_integer_sequence<int, map.rank>>::type;
};

/// The space of operand E. Its form is built once without coordinates to find its leaves, if there is an index<> in it.
template <class E, std::uint64_t Axes, class Position, int D, bool Counts = E::counts>
struct operand_space {
    using type = axes_space<Axes, void>;
};
template <class E, std::uint64_t Axes, class Position, int D>
struct operand_space<E, Axes, Position, D, true> {
    using type = axes_space<Axes, typename Lower<E, Axes, axes_space<Axes, void>, Position, D>::type>;
};

/// The output of statement number Statement.
template <int Statement, int Rank>
struct filled_space {
    template <int Axis>
    static constexpr bool has_axis = is_axis(Axis, Rank);
    template <int Axis>
    static constexpr bool has_extent = true;
    template <int Axis>
    using coordinate = ir::OutputIndex<Statement, axis_or_first(Axis, Rank)>;
    using flat_index = std::conditional_t<Rank == 0, ir::Constant<index_t, 0, 1>, ir::OutputFlatIndex<Statement>>;
};

}  // namespace detail

FUSE_END_NAMESPACE
